/// The collections of a domain and the rules of every field.
public struct DomainSchema: Sendable {
  /// The domain's name: lowercase letters, digits and `-`; a folder and a command bear it.
  public let name: String
  /// Whether what records hold must never stand in a message; then messages name the field alone.
  public let isPrivate: Bool
  /// The record types.
  public let collections: [RecordType]

  /// Describes a domain.
  public init(_ name: String, isPrivate: Bool = false, _ collections: [RecordType]) {
    self.name = name
    self.isPrivate = isPrivate
    self.collections = collections
  }

  /// The collection with this name; nil for one that a newer version brought.
  public subscript(name: CollectionName) -> RecordType? { collections.first { $0.name == name } }
}

/// A record type: where its records live, how they are named, deleted and merged.
public struct RecordType: Sendable {
  /// Where a collection's records live.
  public enum Placement: Sendable, Equatable {
    /// In the domain's home zone.
    case home
    /// Each record is a root with a zone of its own, from birth.
    case root
    /// In the zone of its parent.
    case parent
    /// In a zone that never leaves this device, in no form.
    case local
  }

  /// The collection's name; part of record keys on every device.
  public let name: CollectionName
  /// The version of the field list, carried with every change.
  public let version: Int
  /// Where its records live.
  public let placement: Placement
  /// Whether the zone of a new root stays on this device until a person publishes it.
  public let isOptIn: Bool
  /// Which of concurrent edit and deletion wins.
  public let deleteRule: DeleteRule
  /// The collections a parent may be of; empty when records have none.
  public let parents: [CollectionName]
  /// Whether a record's parent may change.
  public let isMovable: Bool
  /// The fields in the order in which they are shown.
  public let fields: [Field]
  /// By what its records are found; an index that cannot be kept is never used.
  package var indexes: [RecordIndex] = []
  /// Whether a field is a group.
  private let hasGroups: Bool
  /// Whether a field stays on this device.
  package let hasLocalFields: Bool
  /// The places of the fields in the order of their names, in which registers stand.
  package let placesByName: [Int]

  /// Describes a collection.
  public init(
    _ name: CollectionName, version: Int = 1, placement: Placement = .home, isOptIn: Bool = false,
    deleteRule: DeleteRule = .editWins, parents: [CollectionName] = [], isMovable: Bool = false,
    fields: [Field]
  ) {
    self.name = name
    self.version = version
    self.placement = placement
    self.isOptIn = isOptIn
    self.deleteRule = deleteRule
    self.parents = parents
    self.isMovable = isMovable
    self.fields = fields
    hasGroups = fields.contains { !$0.members.isEmpty }
    hasLocalFields = fields.contains { $0.isLocal || $0.members.contains(where: \.isLocal) }
    placesByName = fields.indices.sorted { fields[$0].name < fields[$1].name }
  }

  /// The field that a person can write under this name: a plain one or a member of a group.
  ///
  /// The name of a group gives the group, unless a member of it bears the same name.
  public func field(_ name: FieldName) -> Field? {
    place(of: name).map { place in
      place.member.map { fields[place.owner].members[$0] } ?? fields[place.owner]
    }
  }

  /// Where the field is that a person can write under a name.
  package func place(of name: FieldName) -> FieldPlace? {
    // By index, here and below: a loop over the fields themselves copies each of them.
    for index in fields.indices {
      for member in fields[index].members.indices
      where fields[index].members[member].name == name {
        return FieldPlace(owner: index, member: member)
      }
      if fields[index].name == name { return FieldPlace(owner: index, member: nil) }
    }
    return nil
  }

  /// The plain field or group whose register has this name, as conflicts name it.
  public func registered(_ name: FieldName) -> Field? {
    fields.indices.first { fields[$0].name == name }.map { fields[$0] }
  }

  /// The field or group that owns a register.
  package func owner(of register: FieldName) -> Field? {
    ownerIndex(of: register).map { fields[$0] }
  }

  /// The place of the field or group that owns a register.
  package func ownerIndex(of register: FieldName) -> Int? {
    if let index = index(named: register) { return index }
    let field = register.field
    return field == register ? nil : index(named: field)
  }

  /// The place of the plain field or group whose register bears exactly this name.
  package func index(named name: FieldName) -> Int? {
    fields.indices.first { fields[$0].name == name }
  }

  /// The group a field is a member of.
  public func group(of member: FieldName) -> Field? {
    guard hasGroups else { return nil }
    return fields.first { field in field.members.contains { $0.name == member } }
  }
}

/// Where a field is among those of its type: a plain one or a group, or a member of a group.
package struct FieldPlace {
  package let owner: Int
  package let member: Int?
}

/// A field of a record, or a group of fields that is kept or lost whole.
public struct Field: Sendable {
  /// The type that a value must have; null is always allowed.
  public enum ValueType: String, Sendable, CaseIterable {
    /// A truth value.
    case bool
    /// An integer of 64 bits.
    case int
    /// A number in binary floating point of 64 bits.
    case double
    /// A text.
    case string
    /// Bytes.
    case bytes
    /// An instant, in milliseconds since 1970.
    case instant
    /// Values in their order; one value as a whole.
    case list
    /// Values by name; one value as a whole.
    case map
    /// A set: one register per element, so that concurrent additions all survive.
    case set
    /// Any type, kept as it is.
    case any
  }

  /// How much an edit of the field says about the record.
  public enum Weight: Sendable {
    /// A person's edit: keeps the record from a concurrent deletion.
    case edit
    /// By the way: never beats a deletion, never revives a record.
    case touch
  }

  /// The field's name.
  public let name: FieldName
  /// Its type; `map` for a group.
  public let type: ValueType
  /// How concurrent values are shown.
  public let policy: any ConflictPolicy
  /// What happens to an unsealed local edit when a remote one arrives.
  public let rebase: RebasePolicy
  /// How much an edit says about the record.
  public let weight: Weight
  /// Whether the field stays on this device: no change ever contains it.
  public let isLocal: Bool
  /// The members of a group; empty for a plain field.
  public let members: [Field]

  /// Describes a field.
  public init(
    _ name: FieldName, _ type: ValueType, policy: any ConflictPolicy = NewestPolicy(),
    rebase: RebasePolicy = .merge, weight: Weight = .edit, isLocal: Bool = false
  ) {
    self.init(
      name, type, policy: policy, rebase: rebase, weight: weight, isLocal: isLocal, members: [])
  }

  /// Describes a group of fields bound into one register.
  public static func group(
    _ name: FieldName, policy: any ConflictPolicy = NewestPolicy(), rebase: RebasePolicy = .merge,
    _ members: [Field]
  ) -> Field {
    Field(
      name, .map, policy: policy, rebase: rebase, weight: .edit, isLocal: false, members: members)
  }

  private init(
    _ name: FieldName, _ type: ValueType, policy: any ConflictPolicy, rebase: RebasePolicy,
    weight: Weight, isLocal: Bool, members: [Field]
  ) {
    self.name = name
    self.type = type
    self.policy = policy
    self.rebase = rebase
    self.weight = weight
    self.isLocal = isLocal
    self.members = members
  }

  /// Whether a value may be stored in the field.
  public func accepts(_ value: Value) -> Bool {
    switch (type, value) {
    case (_, .null), (.any, _): true
    case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string): true
    case (.double, .int), (.bytes, .bytes), (.instant, .instant), (.list, .list): true
    case (.map, .map), (.set, .list): true
    default: false
    }
  }
}
