import SyncKit

/// Which records of a type, in which order, and how many.
///
/// ```swift
/// let open = RecordQuery(Item.self, in: list).where(\.isDone == false).order(by: \.name).limit(50)
/// let items = try store.fetch(open)
/// for try await items in store.observe(open) { … }  // again after each change
/// ```
///
/// A query compares what is stored. A field that is unset counts as the value of the type's `init()`, unless that is a date
/// or differs from call to call: then it is unset. A value that this version of the app does not understand equals none
/// that it can name.
///
/// A ``SyncedIndex`` of the type spares a look at every record.
public struct RecordQuery<Model: SyncedRecord>: Sendable {
  var stored = StoredQuery(Model.collection)
  /// The first property that was named and is no field.
  var problem: SyncError?

  /// All records of a type, in the order of their ids.
  public init(_ type: Model.Type) {
    // Every record has a text for an id.
    let isAny = Model.ID.self == RecordID.self || Model.ID.self == String.self
    if !isAny { stored.accepts = { Model.id($0) != nil } }
  }

  /// The records of a type that belong to another record.
  public init<Parent: SyncedRecord>(_ type: Model.Type, in parent: Parent) {
    self.init(type)
    stored.parent = (Parent.collection, parent.recordID)
  }

  /// Only records that meet a condition as well.
  public func `where`(_ condition: RecordCondition<Model>) -> RecordQuery {
    var query = self
    if let added = condition.stored {
      query.stored.condition = stored.condition.map { .all([$0, added]) } ?? added
    } else {
      query.problem = problem ?? .noField(Model.self)
    }
    return query
  }

  /// Orders by a property; records that are equal in it by the next one that is named, and in the end by their ids, in
  /// the direction of the last one.
  ///
  /// Unset comes first, texts are in the order of their UTF-8 bytes.
  public func order<Property: FieldValue>(
    by property: KeyPath<Model, Property>, descending isDescending: Bool = false
  ) -> RecordQuery {
    var query = self
    if let syncedField = Model.schema.syncedField(of: property) {
      query.stored.order.append(.init(syncedField.part, isDescending: isDescending))
    } else {
      query.problem = problem ?? .noField(Model.self)
    }
    return query
  }

  /// At most this many records, the first ones in the order.
  public func limit(_ count: Int) -> RecordQuery {
    var query = self
    query.stored.limit = max(0, count)
    return query
  }

  /// The query as the store answers it.
  func checked() throws -> StoredQuery {
    if let problem { throw problem }
    return stored
  }
}

/// What has to hold of a record, made by comparing properties: `\.isDone == false && \.amount > 2`.
public struct RecordCondition<Model: SyncedRecord>: Sendable {
  /// Nil when a property was named that is no field; a query with it fails.
  let stored: FieldCondition?

  /// Both conditions hold.
  public static func && (left: RecordCondition, right: RecordCondition) -> RecordCondition {
    combined([left, right]) { .all($0) }
  }

  /// At least one of the conditions holds.
  public static func || (left: RecordCondition, right: RecordCondition) -> RecordCondition {
    combined([left, right]) { .any($0) }
  }

  /// The condition does not hold.
  public static prefix func ! (condition: RecordCondition) -> RecordCondition {
    RecordCondition(stored: condition.stored.map { .not($0) })
  }

  fileprivate static func combined(
    _ conditions: [RecordCondition], _ combine: ([FieldCondition]) -> FieldCondition
  ) -> RecordCondition {
    let stored = conditions.compactMap(\.stored)
    return RecordCondition(stored: stored.count == conditions.count ? combine(stored) : nil)
  }

  fileprivate static func compare<Property: FieldValue>(
    _ property: KeyPath<Model, Property>, _ comparison: FieldCondition.Comparison, _ value: Value
  ) -> RecordCondition {
    RecordCondition(
      stored: Model.schema.syncedField(of: property).map {
        .comparison($0.part, comparison, value)
      })
  }
}

/// The property is this value.
public func == <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .equal, value.fieldValue) }

/// The property is not this value.
public func != <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { !(property == value) }

/// The property is less than this value; unset is not.
public func < <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .less, value.fieldValue) }

/// The property is greater than this value; unset is not.
public func > <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .greater, value.fieldValue) }

/// The property is at most this value; unset is not.
public func <= <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .atMost, value.fieldValue) }

/// The property is at least this value; unset is not.
public func >= <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .atLeast, value.fieldValue) }

extension RecordCondition {
  /// The property is one of these values.
  public static func property<Property: FieldValue>(
    _ property: KeyPath<Model, Property>, isOneOf values: some Sequence<Property>
  ) -> RecordCondition { combined(values.map { property == $0 }) { .any($0) } }

  /// The set has this element.
  public static func property<Element: FieldValue & Hashable>(
    _ property: KeyPath<Model, Set<Element>>, contains element: Element
  ) -> RecordCondition { .compare(property, .contains, element.fieldValue) }

  /// The text begins with these UTF-8 bytes.
  public static func property(
    _ property: KeyPath<Model, String>, hasPrefix text: String
  ) -> RecordCondition { .compare(property, .prefix, .string(text)) }
}

extension RecordSchema {
  func syncedField(of property: PartialKeyPath<Root>) -> SyncedField<Root>? {
    syncedFields.first { $0.property as PartialKeyPath<Root> == property }
  }
}

extension SyncError {
  static func noField<Model: SyncedRecord>(_ type: Model.Type) -> SyncError {
    SyncError(
      .inputInvalid,
      "A property of \(Model.collection) in this query is no field of its schema.",
      hint: "Name the property in the schema.")
  }
}
