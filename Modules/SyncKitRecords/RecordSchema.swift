public import SyncKit

/// The collection of a ``SyncedRecord``: its fields, in the order in which they are shown.
public struct RecordSchema<Root: SyncedRecord>: Sendable {
  /// The collection as the store knows it.
  public let type: RecordType
  let syncedFields: [SyncedField<Root>]
  /// Gives a record the values of a stored one.
  ///
  /// A function, since a loop over ``syncedFields`` copies each of them, which takes longer than to read a value.
  let read: @Sendable ([FieldName: Value], inout Root) -> Void
  /// Adds the values of a record as they are stored, likewise.
  let write: @Sendable (Root, inout [FieldName: Value]) -> Void

  /// Describes a collection; the parameters are those of `RecordType`.
  public init(
    _ collection: CollectionName, placement: RecordType.Placement = .home, isOptIn: Bool = false,
    deleteRule: DeleteRule = .editWins,
    @RecordSchemaBuilder<Root> _ parts: () -> [RecordSchemaPart<Root>]
  ) {
    self.init(
      collection, placement: placement, isOptIn: isOptIn, deleteRule: deleteRule, parents: [],
      isMovable: false, parts())
  }

  /// Describes the collection of records that belong to others, such as the items of a list, and go where they go.
  ///
  /// The children of a record are found by an index, also when none is named.
  public init<Parent: SyncedRecord>(
    _ collection: CollectionName, in parent: Parent.Type, deleteRule: DeleteRule = .editWins,
    isMovable: Bool = false, @RecordSchemaBuilder<Root> _ parts: () -> [RecordSchemaPart<Root>]
  ) {
    self.init(
      collection, placement: .parent, isOptIn: false, deleteRule: deleteRule,
      parents: [parent.collection], isMovable: isMovable, parts())
  }

  private init(
    _ collection: CollectionName, placement: RecordType.Placement, isOptIn: Bool,
    deleteRule: DeleteRule, parents: [CollectionName], isMovable: Bool,
    _ parts: [RecordSchemaPart<Root>]
  ) {
    let syncedFields = parts.flatMap(\.syncedFields)
    var indexes = parts.flatMap(\.indexes).map { $0.index(of: syncedFields) }
    if !parents.isEmpty, !indexes.contains(where: \.isByParent) {
      indexes.append(RecordIndex(byParent: true, []))
    }
    self.syncedFields = syncedFields
    let reads = syncedFields.map(\.readStored)
    read = { fields, root in for read in reads { read(fields, &root) } }
    let writes = syncedFields.map(\.writeStored)
    write = { root, fields in for write in writes { write(root, &fields) } }
    type = RecordType(
      collection, placement: placement, isOptIn: isOptIn, deleteRule: deleteRule, parents: parents,
      isMovable: isMovable, fields: parts.flatMap(\.fields)
    ).indexed(by: indexes)
  }
}

extension RecordSchema {
  /// The property of a field, or of the one in whose place it came, if it has such a one.
  func replacing(_ field: FieldName) -> SyncedField<Root>? {
    syncedFields.first { syncedField in
      guard let former = syncedField.part.former else { return false }
      return syncedField.name == field || former.name == field
    }
  }
}

/// A part of a schema: a property, a group of them, or an index.
public struct RecordSchemaPart<Root: SyncedRecord>: Sendable {
  var fields: [Field] = []
  var syncedFields: [SyncedField<Root>] = []
  var indexes: [SyncedIndex<Root>] = []
}

/// Properties that are kept or lost as one, such as a status and its date.
public struct SyncedGroup<Root: SyncedRecord>: Sendable {
  let part: RecordSchemaPart<Root>

  /// Binds properties; `policy` and `rebase` hold for all of them together.
  public init(
    _ name: FieldName, policy: any ConflictPolicy = NewestPolicy(), rebase: RebasePolicy = .merge,
    @RecordSchemaBuilder<Root> _ members: () -> [RecordSchemaPart<Root>]
  ) {
    let members = members()
    part = RecordSchemaPart(
      fields: [.group(name, policy: policy, rebase: rebase, members.flatMap(\.fields))],
      syncedFields: members.flatMap(\.syncedFields), indexes: members.flatMap(\.indexes))
  }
}

/// Collects the parts of a schema.
@resultBuilder public enum RecordSchemaBuilder<Root: SyncedRecord> {
  /// Takes a property.
  public static func buildExpression(_ syncedField: SyncedField<Root>) -> [RecordSchemaPart<Root>] {
    [RecordSchemaPart(fields: syncedField.fields, syncedFields: [syncedField])]
  }

  /// Takes a group of properties.
  public static func buildExpression(_ group: SyncedGroup<Root>) -> [RecordSchemaPart<Root>] {
    [group.part]
  }

  /// Takes an index.
  public static func buildExpression(_ index: SyncedIndex<Root>) -> [RecordSchemaPart<Root>] {
    [RecordSchemaPart(indexes: [index])]
  }

  /// Takes the parts one after the other.
  public static func buildBlock(_ parts: [RecordSchemaPart<Root>]...) -> [RecordSchemaPart<Root>] {
    parts.flatMap(\.self)
  }
}

/// A domain whose collections are types of the app.
public struct RecordDomain: SyncDomain {
  public let schema: DomainSchema

  /// Describes a domain.
  ///
  /// - Parameters:
  ///   - name: Its name: lowercase letters, digits and `-`.
  ///   - isPrivate: Whether what records hold must never stand in a message.
  ///   - types: The types of its records.
  public init(_ name: String, isPrivate: Bool = false, _ types: any SyncedRecord.Type...) {
    schema = DomainSchema(name, isPrivate: isPrivate, types.map { $0.recordType })
  }
}

extension SyncedRecord {
  fileprivate static var recordType: RecordType { schema.type }
}
