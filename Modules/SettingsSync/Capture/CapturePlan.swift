/// What to take over from a file of an app's settings.
///
/// Three states meet: the file, what is stored, and what this device saw in the file the last time.
/// Only what the app has changed since then is taken over, so that a file that is merely old neither
/// overwrites a newer value from elsewhere nor brings back what was reset.
public struct CapturePlan: Sendable {
  /// Who wins where the file, seen for the first time, and the store have different values.
  public enum Precedence: Sendable {
    /// The file: somebody asks to take it over.
    case file
    /// The store: two devices are brought together.
    case store
  }

  /// Something that is not taken over.
  public struct Omission: Sendable {
    /// The key.
    public var key: String
    /// Why, as a clause.
    public var reason: String
  }

  /// The synced values to write; nil resets a key.
  public private(set) var edits: [String: SettingValue?] = [:]
  /// The values that stay on this device; nil removes one.
  public private(set) var localEdits: [String: SettingValue?] = [:]
  /// What the file says now, for the next time.
  public private(set) var baseline = SettingsBaseline()
  /// The values of the file that can be taken over; a default that is written out is not among them.
  public private(set) var values: [String: SettingValue] = [:]
  /// Keys that are not taken from files.
  public private(set) var left: [Omission] = []
  /// Keys that are kept on this device.
  public private(set) var kept: [Omission] = []
  /// Values that the declaration does not allow.
  public private(set) var refused: [Omission] = []
  /// Values of other devices that the file replaces, having never been seen before.
  public private(set) var replaced: [String] = []

  /// Makes the plan.
  ///
  /// - Parameters:
  ///   - file: What the file says.
  ///   - namespace: The rules.
  ///   - stored: What is stored: synced values, and local ones.
  ///   - seen: What the file said the last time; nil when it was never seen.
  ///   - precedence: Who wins where the file is seen for the first time.
  public init(
    file: [String: SettingValue], namespace: SettingsNamespace,
    stored: (synced: [String: SettingValue], local: [String: SettingValue]),
    baseline seen: SettingsBaseline?, precedence: Precedence = .file
  ) {
    let declaration = namespace.declaration
    let file = Self.unflagged(file, declaration)
    var present: [String: SettingValue] = [:]
    let keys = Set(file.keys).union(seen?.keys ?? [])
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
        guard !seen.holds(value, for: key) else { continue }
      } else if known != nil {
        guard value != nil, precedence == .file else { continue }
        replaced.append(key)
      }
      if isLocal { localEdits[key] = .some(value) } else { edits[key] = .some(value) }
    }
    values = present
    baseline = SettingsBaseline(present)
    if let seen { for item in refused { baseline.keep(item.key, from: seen) } }
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
