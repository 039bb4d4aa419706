import SyncKitFormats
public import SyncKit

/// The limits of iCloud's key-value store, as an optional quota of a namespace.
///
/// An app that keeps its settings there as well must not write what the store would refuse.
///
/// Source: Apple's documentation of `NSUbiquitousKeyValueStore`: 1 MB in all and for each value,
/// 1,024 keys, 64 bytes of UTF-8 for a key, whose bytes are not counted. What a megabyte is, it does
/// not say: 1,048,576 bytes are refused here, and from 1,000,000 on there is a warning.
public struct KeyValueStoreLimits: Sendable {
  /// How many keys there may be.
  public static let keys = 1_024
  /// How long a key may be in UTF-8.
  public static let keyBytes = 64
  /// How many bytes all values may take.
  public static let bytes = 1 << 20
  /// From how many bytes on somebody should look.
  public static let bytesToWarn = 1_000_000

  /// What keeps values from being written; nil when nothing does.
  public static func breach(_ values: [String: SettingValue]) -> SyncError? {
    if let key = values.keys.filter({ $0.utf8.count > keyBytes }).min() {
      return SyncError(
        .settingsQuota, "The key '\(key)' has \(key.utf8.count) bytes.",
        hint: "The key-value store takes \(Plural(keyBytes, "byte")).")
    }
    if values.count > keys {
      return SyncError(
        .settingsQuota, "There would be \(values.count) keys.",
        hint: "The key-value store takes \(Plural(keys, "key")).")
    }
    let size = size(values)
    guard size > bytes else { return nil }
    return SyncError(
      .settingsQuota, "The values would take \(size) bytes.",
      hint: "The key-value store takes \(bytes).")
  }

  /// What somebody should know before the limit is reached; nil while it is far.
  public static func warning(_ values: [String: SettingValue]) -> String? {
    let size = size(values)
    return size >= bytesToWarn
      ? "the values take \(size) of the \(bytes) bytes of the key-value store" : nil
  }

  /// The bytes that values take as property lists.
  static func size(_ values: [String: SettingValue]) -> Int {
    values.values.reduce(0) { sum, value in
      sum + ((try? value.propertyList.serialized(as: .binary).count) ?? 0)
    }
  }
}

extension SyncError.Code {
  /// A namespace that keeps limits would break them.
  public static let settingsQuota = Self("settings.quota", exit: 73)
}
