public import SyncKit

/// Which records of a type, in which order, and how many.
///
/// ```swift
/// let open = RecordQuery(Item.self, in: list).where(\.isDone == false).order(by: \.name).limit(50)
/// let items = try store.fetch(open)
/// for try await items in store.observe(open) { … }  // again after each change
/// ```
///
/// A condition compares what the app sees: a field that is unset has the value of the type's `init()`.
public struct RecordQuery<Model: SyncedRecord>: Sendable {
  var condition: RecordCondition<Model>?
  var parent: (collection: CollectionName, id: RecordID)?
  var order: [(syncedField: SyncedField<Model>, isDescending: Bool)] = []
  var count: Int?
  /// The first property that was named and is no field.
  var problem: SyncError?

  /// All records of a type, in the order of their ids.
  public init(_ type: Model.Type) {}

  /// The records of a type that belong to another record.
  public init<Parent: SyncedRecord>(_ type: Model.Type, in parent: Parent) {
    self.parent = (Parent.collection, parent.recordID)
  }

  /// Only records that meet a condition as well.
  public func `where`(_ condition: RecordCondition<Model>) -> RecordQuery {
    var query = self
    query.condition = self.condition.map { $0 && condition } ?? condition
    return query
  }

  /// Orders by a property; records that are equal in it by the next one that is named, and in the end by their ids.
  ///
  /// Unset comes first, texts are in the order of their UTF-8 bytes.
  public func order<Property: FieldValue>(
    by property: KeyPath<Model, Property>, descending isDescending: Bool = false
  ) -> RecordQuery {
    var query = self
    if let syncedField = Model.schema.syncedField(of: property) {
      query.order.append((syncedField, isDescending))
    } else {
      query.problem = problem ?? .noField(Model.self)
    }
    return query
  }

  /// At most this many records, the first ones in the order.
  public func limit(_ count: Int) -> RecordQuery {
    var query = self
    query.count = max(0, count)
    return query
  }

  /// Whether a record is one of them, whatever their number.
  func includes(_ record: Record, _ model: Model) -> Bool {
    if let parent {
      guard record.parent?.collection == parent.collection, record.parent?.id == parent.id else {
        return false
      }
    }
    return condition?.holds(model) ?? true
  }

  /// Whether one record comes before another.
  func precedes(_ left: Model, _ right: Model) -> Bool {
    for (syncedField, isDescending) in order {
      let (one, other) = (syncedField.write(left), syncedField.write(right))
      if one == other { continue }
      return Value.precedes(one, other) != isDescending
    }
    return left.recordID < right.recordID
  }
}

/// What has to hold of a record, made by comparing properties: `\.isDone == false && \.amount > 2`.
public indirect enum RecordCondition<Model: SyncedRecord>: Sendable {
  case comparison(FieldName, Comparison, Value)
  case all([RecordCondition])
  case any([RecordCondition])
  case not(RecordCondition)
  /// A property that is no field was named; a query with it fails.
  case invalid

  /// How a property is compared.
  public enum Comparison: Sendable {
    case equal, less, greater, contains, prefix
  }

  public static func && (left: RecordCondition, right: RecordCondition) -> RecordCondition {
    .all([left, right])
  }
  public static func || (left: RecordCondition, right: RecordCondition) -> RecordCondition {
    .any([left, right])
  }
  public static prefix func ! (condition: RecordCondition) -> RecordCondition { .not(condition) }

  func holds(_ model: Model) -> Bool {
    switch self {
    case .comparison(let name, let comparison, let operand):
      guard let syncedField = Model.schema.syncedField(named: name) else { return false }
      return comparison.holds(syncedField.write(model), operand)
    case .all(let conditions): return conditions.allSatisfy { $0.holds(model) }
    case .any(let conditions): return conditions.contains { $0.holds(model) }
    case .not(let condition): return !condition.holds(model)
    case .invalid: return false
    }
  }

  var isValid: Bool {
    switch self {
    case .comparison: true
    case .all(let conditions), .any(let conditions): conditions.allSatisfy(\.isValid)
    case .not(let condition): condition.isValid
    case .invalid: false
    }
  }

  static func compare<Property: FieldValue>(
    _ property: KeyPath<Model, Property>, _ comparison: Comparison, _ value: Value
  ) -> RecordCondition {
    Model.schema.syncedField(of: property).map { .comparison($0.name, comparison, value) }
      ?? .invalid
  }
}

extension RecordCondition.Comparison {
  func holds(_ value: Value, _ operand: Value) -> Bool {
    switch self {
    case .equal: return value == operand
    // Unset is neither less nor greater than anything.
    case .less: return !value.isNull && Value.precedes(value, operand)
    case .greater: return !value.isNull && Value.precedes(operand, value)
    case .contains:
      guard case .list(let elements) = value else { return false }
      return elements.contains(operand)
    case .prefix:
      guard let text = value.string, let start = operand.string else { return false }
      return text.utf8.starts(with: start.utf8)
    }
  }
}

public func == <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .equal, value.fieldValue) }

public func != <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { !(property == value) }

public func < <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .less, value.fieldValue) }

public func > <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { .compare(property, .greater, value.fieldValue) }

public func <= <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { property < value || property == value }

public func >= <Model: SyncedRecord, Property: FieldValue>(
  property: KeyPath<Model, Property>, value: Property
) -> RecordCondition<Model> { property > value || property == value }

extension RecordCondition {
  /// The property is one of these values.
  public static func property<Property: FieldValue>(
    _ property: KeyPath<Model, Property>, isOneOf values: some Sequence<Property>
  ) -> RecordCondition { .any(values.map { property == $0 }) }

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
  func syncedField(named name: FieldName) -> SyncedField<Root>? {
    syncedFields.first { $0.name == name }
  }

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
