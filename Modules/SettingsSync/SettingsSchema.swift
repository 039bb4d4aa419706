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

extension CollectionName {
  static let setting: CollectionName = "setting"
  static let override: CollectionName = "override"
  static let namespace: CollectionName = "namespace"
  static let localValue: CollectionName = "local"
}

extension FieldName {
  static let type: FieldName = "type"
  static let value: FieldName = "value"
  static let merge: FieldName = "merge"
  static let key: FieldName = "key"
  static let condition: FieldName = "condition"
  static let include: FieldName = "include"
  static let exclude: FieldName = "exclude"
  static let localKeys: FieldName = "localKeys"
  static let declaration: FieldName = "declaration"
  static let baselines: FieldName = "baselines"
}

extension RecordID {
  /// The id of a record for a key of a namespace, in a collection that is in no
  /// namespace's zone.
  static func qualified(_ namespace: String, _ key: String) -> RecordID {
    RecordID("\(namespace)/\(key)")
  }
}
