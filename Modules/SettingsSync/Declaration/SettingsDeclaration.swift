/// An app's declaration of its settings: their types, defaults and groups.
///
/// It is kept in the record of the namespace, so that every device has the same one.
public struct SettingsDeclaration: Hashable, Sendable {
  /// The declared settings by key.
  public var settings: [String: SettingDeclaration] = [:]
  /// The keys of each group that is kept or lost as a whole, such as a theme and its colours.
  public var groups: [String: [String]] = [:]
  /// Whether the namespace keeps the limits of the key-value store of iCloud.
  public var keepsKeyValueStoreLimits = false

  /// Declares nothing.
  public init() {}

  /// The name of the group that a key belongs to; nil when it has none.
  public func group(of key: String) -> String? {
    groups.first { $0.value.contains(key) }?.key
  }

  /// The key whose flag this one is; nil when it is not a flag.
  public func key(flaggedBy flag: String) -> String? {
    settings.first { $0.value.setFlag == flag }?.key
  }

  /// The value in its declared type; an undeclared one is taken as it is.
  ///
  /// - Throws: ``SettingProblem``.
  public func checked(_ value: SettingValue, for key: String) throws(SettingProblem) -> SettingValue
  {
    guard let declared = settings[key] else { return value }
    return try declared.checked(value)
  }

  /// Whether a value is the app's value for an unset setting.
  public func isFallback(_ value: SettingValue, of key: String) -> Bool {
    settings[key]?.fallback == value
  }

  /// The rule for concurrent values of a record.
  func merge(_ key: String) -> MergeRule { settings[key]?.merge ?? .newest }
}
