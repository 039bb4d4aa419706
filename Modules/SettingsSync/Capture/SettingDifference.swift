/// A key on which an app's file and what is stored do not agree.
public struct SettingDifference: Sendable {
  /// Who changed the value since this device last looked at the file.
  public enum Side: String, Sendable {
    /// The app: `capture` takes it over.
    case file
    /// Another device, or this one by command: `apply` writes it.
    case stored
    /// Both.
    case both
    /// The file was never looked at before.
    case unknown
  }

  /// The key.
  public var key: String
  /// What the file says; nil for unset.
  public var file: SettingValue?
  /// What is stored; nil for unset.
  public var stored: SettingValue?
  /// Who changed it.
  public var changed: Side

  /// The differences, by key.
  ///
  /// Keys that are not taken from files are no difference, and neither is a default that is written
  /// out.
  public static func all(
    file: [String: SettingValue], wanted: [String: SettingValue], namespace: SettingsNamespace,
    baseline seen: SettingsBaseline?
  ) -> [SettingDifference] {
    let nothing = CapturePlan(
      file: file, namespace: namespace, stored: (synced: [:], local: [:]), baseline: nil)
    let values = nothing.values
    let refused = Set(nothing.refused.map(\.key))
    let keys = Set(values.keys).union(wanted.keys).union(seen?.keys ?? [])
    return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { key in
      guard values[key] != wanted[key], !refused.contains(key) else { return nil }
      let side: Side
      if let seen {
        let isFile = !seen.holds(values[key], for: key)
        let isStored = !seen.holds(wanted[key], for: key)
        side = isFile ? isStored ? .both : .file : .stored
      } else {
        side = .unknown
      }
      return SettingDifference(
        key: key, file: values[key], stored: wanted[key], changed: side)
    }
  }
}
