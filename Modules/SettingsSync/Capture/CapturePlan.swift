/// The values to capture from an app's settings file.
///
/// It compares three states: the file, the store, and the file as this device last read it.
/// Only changes by the app since then are captured, so that an old file neither
/// overwrites a newer value from another device nor restores a reset one.
public struct CapturePlan: Sendable {
  /// The side that wins where the file, read for the first time, and the store have different values.
  public enum Precedence: Sendable {
    /// The file: a person asks to capture it.
    case file
    /// The store: a file joins settings of other devices.
    case store
  }

  /// A value that is not captured.
  public struct Omission: Sendable {
    /// The key.
    public var key: String
    /// The reason, as a clause.
    public var reason: String
  }

  /// The synced values to write; nil resets a key.
  public private(set) var edits: [String: SettingValue?] = [:]
  /// The values that stay on this device; nil removes one.
  public private(set) var localEdits: [String: SettingValue?] = [:]
  /// The file's values now, for the next time.
  public private(set) var baseline = SettingsBaseline()
  /// The values of the file that can be captured, without explicit defaults.
  public private(set) var values: [String: SettingValue] = [:]
  /// Keys that are never captured from files.
  public private(set) var left: [Omission] = []
  /// Keys that are kept on this device.
  public private(set) var kept: [Omission] = []
  /// Values that the declaration does not allow.
  public private(set) var refused: [Omission] = []
  /// Keys of other devices' values that the file replaces on its first capture.
  public private(set) var replaced: [String] = []

  /// Makes the plan.
  ///
  /// - Parameters:
  ///   - file: The values in the file.
  ///   - texts: The values of a file without types as they stand there; see ``SettingsFile/texts``.
  ///   - namespace: The rules.
  ///   - stored: The stored values: synced ones and local ones.
  ///   - unreadable: Keys of the file whose values cannot be read: they have not changed.
  ///   - seen: The file's values the last time; nil when it was never read.
  ///   - precedence: The side that wins where the file is read for the first time.
  public init(
    file: [String: SettingValue], texts: [String: SettingValue] = [:],
    namespace: SettingsNamespace,
    stored: (synced: [String: SettingValue], local: [String: SettingValue]),
    unreadable: Set<String> = [], baseline seen: SettingsBaseline?, precedence: Precedence = .file
  ) {
    let declaration = namespace.declaration
    let file = Self.unflagged(file, declaration)
    var present: [String: SettingValue] = [:]
    let keys = Set(file.keys).union(seen?.keys ?? []).subtracting(unreadable)
    for key in keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      var value = file[key]
      if let given = value {
        do throws(SettingProblem) {
          value = try declaration.checked(given, for: key)
        } catch {
          refused.append(Omission(key: key, reason: "\(error)"))
          continue
        }
      }
      let placement = namespace.placement(of: key, value: value ?? stored.local[key] ?? .bool(true))
      if case .left(let reason) = placement {
        left.append(Omission(key: key, reason: "\(reason)"))
        continue
      }
      if let given = value, declaration.isFallback(given, of: key) { value = nil }
      present[key] = value
      let isLocal: Bool
      if case .local(let reason) = placement {
        isLocal = true
        kept.append(Omission(key: key, reason: "\(reason)"))
      } else {
        isLocal = false
      }
      let known = isLocal ? stored.local[key] : stored.synced[key]
      guard value != known else { continue }
      if let seen {
        guard !seen.holds(value.map { texts[key] ?? $0 }, for: key) else { continue }
      } else if known != nil {
        guard value != nil, precedence == .file else { continue }
        replaced.append(key)
      }
      if isLocal { localEdits[key] = .some(value) } else { edits[key] = .some(value) }
    }
    values = present
    baseline = SettingsBaseline(present.merging(texts.filter { present[$0.key] != nil }) { $1 })
    guard let seen else { return }
    for key in refused.map(\.key) + unreadable { baseline.keep(key, from: seen) }
  }

  /// Whether a key is written.
  public func touches(_ key: String) -> Bool { edits[key] != nil || localEdits[key] != nil }

  /// The values that count: those whose flag says that they were set, without the flags.
  private static func unflagged(
    _ file: [String: SettingValue], _ declaration: SettingsDeclaration
  ) -> [String: SettingValue] {
    var values = file
    for (key, declared) in declaration.settings {
      guard let flag = declared.setFlag else { continue }
      let isSet = values.removeValue(forKey: flag)?.bool ?? false
      if !isSet { values[key] = nil }
    }
    return values
  }
}
