import SyncKitFormats
public import SyncKit

/// The limits of iCloud's key-value store, as an optional quota of a namespace.
///
/// An app that keeps its settings there as well must not write values that the store would refuse.
///
/// Source: Apple's documentation of `NSUbiquitousKeyValueStore`: 1 MB in total and for each value,
/// 1,024 keys, 64 bytes of UTF-8 for a key, whose bytes are not counted. It does not define a
/// megabyte: more than 1,048,576 bytes are refused here, and from 1,000,000 on there is a warning.
public struct KeyValueStoreLimits: Sendable {
  /// The maximum number of keys.
  public static let keys = 1_024
  /// The maximum length of a key in UTF-8.
  public static let keyBytes = 64
  /// The maximum size of all values.
  public static let bytes = 1 << 20
  /// The size from which there is a warning.
  public static let bytesToWarn = 1_000_000

  /// The error that values would cause; nil when they may be written.
  public static func breach(_ values: [String: SettingValue]) -> SyncError? {
    if let key = values.keys.filter({ $0.utf8.count > keyBytes }).min() {
      return SyncError(
        .settingsQuota, "The key '\(key)' has \(key.utf8.count) bytes.",
        hint: "The key-value store allows at most \(Plural(keyBytes, "byte")).")
    }
    if values.count > keys {
      return SyncError(
        .settingsQuota, "There would be \(values.count) keys.",
        hint: "The key-value store allows at most \(Plural(keys, "key")).")
    }
    let size = size(values)
    guard size > bytes else { return nil }
    return SyncError(
      .settingsQuota, "The values would take \(size) bytes.",
      hint: "The key-value store allows at most \(bytes) bytes.")
  }

  /// A warning before the limit is reached; nil while it is far.
  public static func warning(_ values: [String: SettingValue]) -> String? {
    let size = size(values)
    return size >= bytesToWarn
      ? "the values take \(size) of the \(bytes) bytes of the key-value store" : nil
  }

  /// The size of values as property lists.
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
