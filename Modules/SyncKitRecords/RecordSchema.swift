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
    var indexes = parts.compactMap(\.index).map { $0.index(of: syncedFields) }
    if !parents.isEmpty, !indexes.contains(where: \.isByParent) {
      indexes.append(RecordIndex(byParent: true, []))
    }
    self.syncedFields = syncedFields
    type = RecordType(
      collection, placement: placement, isOptIn: isOptIn, deleteRule: deleteRule, parents: parents,
      isMovable: isMovable, fields: parts.compactMap(\.field)
    ).indexed(by: indexes)
  }
}

/// A part of a schema: a property, a group of them, or an index.
public struct RecordSchemaPart<Root: SyncedRecord>: Sendable {
  var field: Field?
  var syncedFields: [SyncedField<Root>] = []
  var index: SyncedIndex<Root>?
}

/// A property that is a field.
public struct SyncedField<Root: SyncedRecord>: Sendable {
  let name: FieldName
  let field: Field
  /// The field as queries see it.
  let part: RecordIndex.Part
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
    let (one, other) = (Root()[keyPath: property], Root()[keyPath: property])
    // A date is most often that of the moment.
    let isFixed = Property.fieldType != .instant && one == other
    part = RecordIndex.Part(name, unset: isFixed ? one.fieldValue : .null)
    let field = field
    read = { value, root in
      // Unset keeps the value that the type gives; only an optional can say more of it.
      if let read = Property(fieldValue: field.single(value)) { root[keyPath: property] = read }
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
    @RecordSchemaBuilder<Root> _ members: () -> [RecordSchemaPart<Root>]
  ) {
    let members = members()
    field = .group(name, policy: policy, rebase: rebase, members.compactMap(\.field))
    syncedFields = members.flatMap(\.syncedFields)
  }
}

/// By what the records of a type are found and ordered without a look at each of them.
///
/// ```swift
/// SyncedIndex(\.isDone, \.due)              // the open ones by their dates
/// SyncedIndex(withinParent: \.position)     // the items of a list in their order
/// ```
///
/// Name first the properties that a query compares with `==`, then the one that it orders by, or of which it wants a
/// range. An index costs a row for each record, and is built when a store is first opened with it. Sets and fields that
/// stay on the device have none.
public struct SyncedIndex<Root: SyncedRecord>: Sendable {
  private let isByParent: Bool
  private let properties: [any PartialKeyPath<Root> & Sendable]

  /// Finds records by properties.
  public init(_ properties: any PartialKeyPath<Root> & Sendable...) {
    (isByParent, self.properties) = (false, properties)
  }

  /// Finds the children of a record by properties.
  public init(withinParent properties: any PartialKeyPath<Root> & Sendable...) {
    (isByParent, self.properties) = (true, properties)
  }

  func index(of syncedFields: [SyncedField<Root>]) -> RecordIndex {
    RecordIndex(
      byParent: isByParent,
      properties.map { property in
        // A property that is no field makes an index that cannot be kept; `DomainContract` names it.
        syncedFields.first {
          $0.property as PartialKeyPath<Root> == property as PartialKeyPath<Root>
        }?.part
          ?? RecordIndex.Part(FieldName("\(property)"))
      })
  }
}

/// Collects the parts of a schema.
@resultBuilder public enum RecordSchemaBuilder<Root: SyncedRecord> {
  public static func buildExpression(_ syncedField: SyncedField<Root>) -> [RecordSchemaPart<Root>] {
    [RecordSchemaPart(field: syncedField.field, syncedFields: [syncedField])]
  }

  public static func buildExpression(_ group: SyncedGroup<Root>) -> [RecordSchemaPart<Root>] {
    [RecordSchemaPart(field: group.field, syncedFields: group.syncedFields)]
  }

  public static func buildExpression(_ index: SyncedIndex<Root>) -> [RecordSchemaPart<Root>] {
    [RecordSchemaPart(index: index)]
  }

  public static func buildBlock(_ parts: [RecordSchemaPart<Root>]...) -> [RecordSchemaPart<Root>] {
    parts.flatMap(\.self)
  }
}

extension Field {
  /// One value where several show: of concurrent texts there is one, as for a person who edits them.
  fileprivate func single(_ value: Value) -> Value {
    guard case .list(let values) = value, policy is KeepBothPolicy, !accepts(value) else {
      return value
    }
    return KeepBothPolicy.single(values)
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
