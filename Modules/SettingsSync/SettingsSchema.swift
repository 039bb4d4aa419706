public import SyncKit

extension DomainSchema {
  /// The collections of the domain `settings`.
  ///
  /// | Collection | Id | Holds |
  /// |---|---|---|
  /// | `setting` | key, or name of a group | a value with its type; a group's values as one map |
  /// | `override` | key `@` condition | a value for some machines only |
  /// | `namespace` | name | the synced keys of an app, and the app's declaration |
  /// | `local` | namespace `/` key | a value that never leaves this device: local keys and secrets |
  ///
  /// A namespace is a root: it has its own zone. Type and value are one group, kept or lost as a
  /// whole, so that a value never gets the type of another. The field `baselines` of a namespace has
  /// the state of each of the app's files as this device last read it, and stays here.
  public static let settings = DomainSchema(
    "settings",
    [
      RecordType(.setting, placement: .parent, parents: [.namespace], fields: [.content]),
      RecordType(
        .override, placement: .parent, parents: [.namespace],
        fields: [Field(.key, .string), Field(.condition, .string), .content]),
      RecordType(
        .namespace, placement: .root,
        fields: [
          Field(.include, .set), Field(.exclude, .set), Field(.localKeys, .set),
          Field(.declaration, .map), Field(.baselines, .map, isLocal: true),
        ]),
      RecordType(.localValue, placement: .local, fields: [.content]),
    ])
}

extension Field {
  /// A typed value; the policy is there only if it is not `newest`.
  fileprivate static let content = Field.group(
    .value, policy: SettingPolicy(),
    [Field(.type, .string), Field(.value, .any), Field(.merge, .string)])
}

extension Name {
  static let setting: Name = "setting"
  static let override: Name = "override"
  static let namespace: Name = "namespace"
  static let localValue: Name = "local"

  static let type: Name = "type"
  static let value: Name = "value"
  static let merge: Name = "merge"
  static let key: Name = "key"
  static let condition: Name = "condition"
  static let include: Name = "include"
  static let exclude: Name = "exclude"
  static let localKeys: Name = "localKeys"
  static let declaration: Name = "declaration"
  static let baselines: Name = "baselines"

  /// The id of a record for a key of a namespace, in a collection that is in no
  /// namespace's zone.
  static func qualified(_ namespace: String, _ key: String) -> Name { Name("\(namespace)/\(key)") }
}
