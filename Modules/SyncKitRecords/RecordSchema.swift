public import SyncKit

/// The collection of a ``SyncedRecord``: its fields, in the order in which they are shown.
public struct RecordSchema<Root: SyncedRecord>: Sendable {
  /// The collection as the store knows it.
  public let type: RecordType
  let syncedFields: [SyncedField<Root>]

  /// Describes a collection; the parameters are those of `RecordType`.
  public init(
    _ collection: CollectionName, placement: RecordType.Placement = .home, isOptIn: Bool = false,
    deleteRule: DeleteRule = .editWins,
    @RecordSchemaBuilder<Root> _ fields: () -> [RecordSchemaField<Root>]
  ) {
    self.init(
      collection, placement: placement, isOptIn: isOptIn, deleteRule: deleteRule, parents: [],
      isMovable: false, fields())
  }

  /// Describes the collection of records that belong to others, such as the items of a list, and go where they go.
  public init<Parent: SyncedRecord>(
    _ collection: CollectionName, in parent: Parent.Type, deleteRule: DeleteRule = .editWins,
    isMovable: Bool = false, @RecordSchemaBuilder<Root> _ fields: () -> [RecordSchemaField<Root>]
  ) {
    self.init(
      collection, placement: .parent, isOptIn: false, deleteRule: deleteRule,
      parents: [parent.collection], isMovable: isMovable, fields())
  }

  private init(
    _ collection: CollectionName, placement: RecordType.Placement, isOptIn: Bool,
    deleteRule: DeleteRule, parents: [CollectionName], isMovable: Bool,
    _ fields: [RecordSchemaField<Root>]
  ) {
    type = RecordType(
      collection, placement: placement, isOptIn: isOptIn, deleteRule: deleteRule, parents: parents,
      isMovable: isMovable, fields: fields.map(\.field))
    syncedFields = fields.flatMap(\.syncedFields)
  }
}

/// A field of a schema: a property, or a group of them.
public struct RecordSchemaField<Root: SyncedRecord>: Sendable {
  let field: Field
  let syncedFields: [SyncedField<Root>]
}

/// A property that is a field.
public struct SyncedField<Root: SyncedRecord>: Sendable {
  let name: FieldName
  let field: Field
  let property: any PartialKeyPath<Root> & Sendable
  let read: @Sendable (Value, inout Root) -> Void
  let write: @Sendable (Root) -> Value

  /// Makes a property a field; the parameters are those of `Field`.
  ///
  /// - Parameters:
  ///   - name: The field's name on every device, for ever.
  ///   - property: The property.
  ///   - policy: How concurrent values are shown.
  ///   - rebase: What happens to an edit that is not sent yet when a remote one arrives.
  ///   - weight: How much an edit says about the record.
  ///   - isLocal: Whether the field stays on this device.
  public init<Property: FieldValue>(
    _ name: FieldName, _ property: any WritableKeyPath<Root, Property> & Sendable,
    policy: any ConflictPolicy = NewestPolicy(), rebase: RebasePolicy = .merge,
    weight: Field.Weight = .edit, isLocal: Bool = false
  ) {
    self.name = name
    self.property = property
    field = Field(
      name, Property.fieldType, policy: policy, rebase: rebase, weight: weight, isLocal: isLocal)
    read = { value, root in
      // Unset keeps the value that the type gives; only an optional can say more of it.
      if let read = Property(fieldValue: value) { root[keyPath: property] = read }
    }
    write = { $0[keyPath: property].fieldValue }
  }
}

/// Properties that are kept or lost as one, such as a status and its date.
public struct SyncedGroup<Root: SyncedRecord>: Sendable {
  let field: Field
  let syncedFields: [SyncedField<Root>]

  /// Binds properties; `policy` and `rebase` hold for all of them together.
  public init(
    _ name: FieldName, policy: any ConflictPolicy = NewestPolicy(), rebase: RebasePolicy = .merge,
    @RecordSchemaBuilder<Root> _ members: () -> [RecordSchemaField<Root>]
  ) {
    let members = members()
    field = .group(name, policy: policy, rebase: rebase, members.map(\.field))
    syncedFields = members.flatMap(\.syncedFields)
  }
}

/// Collects the fields of a schema.
@resultBuilder public enum RecordSchemaBuilder<Root: SyncedRecord> {
  public static func buildExpression(_ syncedField: SyncedField<Root>) -> [RecordSchemaField<Root>]
  {
    [RecordSchemaField(field: syncedField.field, syncedFields: [syncedField])]
  }

  public static func buildExpression(_ group: SyncedGroup<Root>) -> [RecordSchemaField<Root>] {
    [RecordSchemaField(field: group.field, syncedFields: group.syncedFields)]
  }

  public static func buildBlock(_ fields: [RecordSchemaField<Root>]...) -> [RecordSchemaField<Root>]
  {
    fields.flatMap(\.self)
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
