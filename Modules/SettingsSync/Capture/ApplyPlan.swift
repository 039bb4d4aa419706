/// The values to write into an app's settings file.
///
/// A value that the app itself has changed since the last capture or apply is left alone: capturing
/// it comes first. Keys that are not managed stay as they are.
public struct ApplyPlan: Sendable {
  /// The values to write; nil removes a key, so that the app uses its default.
  public private(set) var edits: [String: SettingValue?] = [:]
  /// Keys that the app has changed since the last capture or apply, and that differ from the store.
  public private(set) var unseen: [String] = []
  /// Keys that the file cannot take, with the reason.
  public private(set) var refused: [SettingsFile.Refusal] = []

  /// Makes the plan.
  ///
  /// - Parameters:
  ///   - wanted: The values that apply on this machine, by key.
  ///   - file: The values in the file.
  ///   - texts: The values of a file without types as they stand there; see ``SettingsFile/texts``.
  ///   - namespace: The rules.
  ///   - unreadable: The keys whose values in the file cannot be read, with the reason.
  ///   - seen: The file's values the last time; nil when it was never read.
  ///   - isForced: Whether the app's own changes are overwritten as well.
  public init(
    wanted: [String: SettingValue], file: [String: SettingValue],
    texts: [String: SettingValue] = [:], namespace: SettingsNamespace,
    unreadable: [String: String] = [:], baseline seen: SettingsBaseline?, isForced: Bool = false
  ) {
    let declaration = namespace.declaration
    let keys = Set(wanted.keys).union(seen?.keys ?? [])
    for key in keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      if let reason = unreadable[key] {
        if wanted[key] != nil { refused.append(.init(key: key, reason: reason)) }
        continue
      }
      let flag = declaration.settings[key]?.setFlag
      var present = file[key]
      if let flag, file[flag]?.bool != true { present = nil }
      if let given = present, declaration.isFallback(given, of: key) { present = nil }
      guard present != wanted[key] else { continue }
      let given = present == nil ? nil : texts[key] ?? present
      if let seen, !seen.holds(given, for: key), !isForced {
        unseen.append(key)
        continue
      }
      edits[key] = .some(wanted[key])
      if let flag { edits[flag] = .some(wanted[key] == nil ? nil : .bool(true)) }
    }
  }

  /// Takes keys out that the file could not take.
  mutating func leave(_ refusals: [SettingsFile.Refusal]) {
    for refusal in refusals { edits[refusal.key] = nil }
    refused += refusals
  }

  /// The keys whose values in the file are not those that apply.
  var left: [String] { unseen + refused.map(\.key) }
}
