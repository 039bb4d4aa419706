/// A key whose values in an app's file and in the store differ.
public struct SettingDifference: Sendable {
  /// The side that has changed the value since this device last read the file.
  public enum Side: String, Sendable {
    /// The app: `capture` takes the change over.
    case file
    /// Another device, or this one by command: `apply` writes it.
    case stored
    /// Both.
    case both
    /// The file was never read before.
    case unknown
  }

  /// The key.
  public var key: String
  /// The value in the file; nil for unset.
  public var file: SettingValue?
  /// The stored value; nil for unset.
  public var stored: SettingValue?
  /// The side that changed it.
  public var changed: Side

  /// The differences, by key.
  ///
  /// Keys that are never captured from files are not a difference, and neither is an explicit
  /// default.
  public static func all(
    file: [String: SettingValue], texts: [String: SettingValue] = [:],
    wanted: [String: SettingValue], namespace: SettingsNamespace, unreadable: Set<String> = [],
    baseline seen: SettingsBaseline?
  ) -> [SettingDifference] {
    let nothing = CapturePlan(
      file: file, namespace: namespace, stored: (synced: [:], local: [:]), baseline: nil)
    let values = nothing.values
    let refused = Set(nothing.refused.map(\.key))
    let keys = Set(values.keys).union(wanted.keys).union(seen?.keys ?? [])
      .subtracting(unreadable)
    return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { key in
      guard values[key] != wanted[key], !refused.contains(key) else { return nil }
      let side: Side
      if let seen {
        let isFile = !seen.holds(values[key].map { texts[key] ?? $0 }, for: key)
        let isStored = !seen.holds(
          wanted[key].map { texts.isEmpty ? $0 : .string($0.text) }, for: key)
        side = isFile ? isStored ? .both : .file : .stored
      } else {
        side = .unknown
      }
      return SettingDifference(
        key: key, file: values[key], stored: wanted[key], changed: side)
    }
  }
}
