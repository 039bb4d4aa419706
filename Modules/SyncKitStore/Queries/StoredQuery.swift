import SyncKitModel

/// Which records of a collection, in which order, and how many.
///
/// It compares what is stored, not what a version of an app makes of it, so that an index serves every version.
package struct StoredQuery: Sendable {
  /// A field by which records are ordered.
  package struct Order: Sendable {
    package let field: RecordIndex.Part
    package let isDescending: Bool

    package init(_ field: RecordIndex.Part, isDescending: Bool) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  package let collection: CollectionName
  /// Of which record they are children; nil for all.
  package var parent: (collection: CollectionName, id: RecordID)?
  /// Which ids its records may have; nil for any.
  package var accepts: (@Sendable (RecordID) -> Bool)?
  package var condition: FieldCondition?
  /// Records that are equal in all of it are in the order of their ids, in the direction of the last one.
  package var order: [Order] = []
  package var limit: Int?

  package init(_ collection: CollectionName) { self.collection = collection }

  /// Whether the last order is from the greatest to the least.
  var isDescending: Bool { order.last?.isDescending ?? false }
}

/// A record as a query compares it, without what it takes to show where it is and who wrote it.
package struct FoundRecord: Sendable {
  package let key: RecordKey
  /// The fields that are set; see ``Record/fields``.
  package let fields: [FieldName: Value]
}

/// What has to hold of the fields of a record.
package indirect enum FieldCondition: Sendable {
  case comparison(RecordIndex.Part, Comparison, Value)
  case all([FieldCondition])
  case any([FieldCondition])
  case not(FieldCondition)

  /// How a field is compared.
  package enum Comparison: Sendable {
    case equal, less, atMost, greater, atLeast
    /// The list or set has the element.
    case contains
    /// The text begins with the UTF-8 bytes of the other one.
    case prefix
  }

  func holds(_ value: (RecordIndex.Part) -> Value) -> Bool {
    switch self {
    case .comparison(let field, let comparison, let operand):
      comparison.holds(value(field), operand)
    case .all(let conditions): conditions.allSatisfy { $0.holds(value) }
    case .any(let conditions): conditions.contains { $0.holds(value) }
    case .not(let condition): !condition.holds(value)
    }
  }
}

extension FieldCondition.Comparison {
  fileprivate func holds(_ value: Value, _ operand: Value) -> Bool {
    switch self {
    case .equal: return Value.sortsEqual(value, operand)
    // Unset is neither less nor greater than anything.
    case .less: return !value.isNull && Value.sorts(value, before: operand)
    case .atMost: return !value.isNull && !Value.sorts(operand, before: value)
    case .greater: return !value.isNull && Value.sorts(operand, before: value)
    case .atLeast: return !value.isNull && !Value.sorts(value, before: operand)
    case .contains:
      guard case .list(let elements) = value else { return false }
      return elements.contains { Value.sortsEqual($0, operand) }
    case .prefix:
      guard let text = value.string, let start = operand.string else { return false }
      return text.utf8.starts(with: start.utf8)
    }
  }
}

extension Rules {
  /// The value of a field by which a record is found.
  ///
  /// Of concurrent texts that all show there is one, as for a person who edits them.
  func found(
    _ part: RecordIndex.Part, in fields: [FieldName: Value], of collection: CollectionName
  ) -> Value {
    let value = part.value(in: fields)
    return value.isNull ? part.unset : single(value, of: part.name, in: collection)
  }
}
