import SyncKitModel

/// How an index answers a query: which of its rows lead to all records that can be meant.
struct QueryPlan {
  /// The rows whose keys begin with `prefix`, and go on with bytes from `lower` on and below `upper`.
  struct Range {
    var prefix: [UInt8]
    var lower: [UInt8]?
    var upper: [UInt8]?
  }

  let ranges: [Range]
  /// Whether the rows are in the order of the query.
  let isOrdered: Bool
  /// How much of the query the index does by itself.
  private let merit: Int

  /// More values of fields than this are looked up one by one; a query with more combinations looks at a range.
  private static let mostRanges = 64

  /// The best index for a query; nil when none is better than a look at every record.
  init?(_ query: StoredQuery, _ indexes: RecordIndexes.OfCollection) {
    let bounds = FieldBounds.all(in: query.condition)
    let plans = indexes.indexes.compactMap { QueryPlan(query, bounds, $0) }
    guard
      let best = plans.max(by: {
        ($0.merit, $0.isOrdered ? 1 : 0) < ($1.merit, $1.isOrdered ? 1 : 0)
      })
    else { return nil }
    self = best
  }

  private init?(
    _ query: StoredQuery, _ bounds: [FieldName: FieldBounds], _ numbered: RecordIndexes.Numbered
  ) {
    var ranges = [Range(prefix: IndexRow.prefix(numbered.number))]
    var merit = 0
    if numbered.index.isByParent {
      guard let parent = query.parent else { return nil }
      IndexRow.append(parent: parent, to: &ranges[0].prefix)
      merit += 1
    }
    var parts = numbered.index.parts[...]
    var fixed: Set<FieldName> = []
    while let part = parts.first, let values = bounds[part.name]?.values,
      ranges.count * values.count <= Self.mostRanges
    {
      ranges = ranges.flatMap { range in values.map { Range(prefix: range.prefix + $0) } }
      fixed.insert(part.name)
      merit += 1
      parts.removeFirst()
    }
    // A field of which one value is wanted is no order.
    let order = query.order.filter { !fixed.contains($0.field.name) }
    isOrdered =
      ranges.count <= 1 && order.map(\.field.name) == parts.map(\.name)
      && order.allSatisfy { $0.isDescending == query.isDescending }
    if let part = parts.first, let range = bounds[part.name], range.values == nil {
      for index in ranges.indices { (ranges[index].lower, ranges[index].upper) = range.limits }
      merit += 1
    }
    if isOrdered, query.limit != nil { merit += 1 }
    guard merit > 0 else { return nil }
    self.ranges = ranges
    self.merit = merit
  }
}

/// What the conditions that must all hold say of one field.
private struct FieldBounds {
  /// The values that it may have; nil for a range.
  var values: [[UInt8]]?
  var lower: [UInt8]?
  var upper: [UInt8]?

  var limits: (lower: [UInt8]?, upper: [UInt8]?) { (lower, upper) }

  static func all(in condition: FieldCondition?) -> [FieldName: FieldBounds] {
    var bounds: [FieldName: FieldBounds] = [:]
    func add(_ condition: FieldCondition) {
      switch condition {
      case .all(let conditions): conditions.forEach(add)
      case .comparison(let field, let comparison, let value):
        bounds[field.name, default: FieldBounds()].add(comparison, value)
      case .any(let conditions):
        guard let (name, values) = alternatives(conditions) else { return }
        bounds[name, default: FieldBounds()].add(oneOf: values)
      case .not: break
      }
    }
    if let condition { add(condition) }
    return bounds.filter {
      $0.value.values != nil || $0.value.lower != nil || $0.value.upper != nil
    }
  }

  /// The values of one field of which each condition names one.
  private static func alternatives(
    _ conditions: [FieldCondition]
  ) -> (name: FieldName, values: Set<[UInt8]>)? {
    var name: FieldName?
    var values: Set<[UInt8]> = []
    for condition in conditions {
      guard case .comparison(let field, .equal, let value) = condition,
        name ?? field.name == field.name
      else { return nil }
      name = field.name
      values.insert(SortKey.encode(value))
    }
    return name.map { ($0, values) }
  }

  private mutating func add(_ comparison: FieldCondition.Comparison, _ value: Value) {
    let key = SortKey.encode(value)
    switch comparison {
    case .equal: add(oneOf: [key])
    case .less: narrow([SortKey.anySet], key)
    case .atMost: narrow([SortKey.anySet], key.successor)
    case .greater: narrow(max(key.successor, [SortKey.anySet]), nil)
    case .atLeast: narrow(max(key, [SortKey.anySet]), nil)
    case .prefix:
      guard case .string(let text) = value else { return }
      let beginning = SortKey.beginning(text)
      narrow(beginning, beginning.successor)
    case .contains: break
    }
  }

  /// All that is looked up is compared once more, so any one of several sets of values is right.
  private mutating func add(oneOf values: Set<[UInt8]>) {
    if let known = self.values, known.count <= values.count { return }
    self.values = values.sorted { $0.precedes($1) }
  }

  private mutating func narrow(_ lower: [UInt8]?, _ upper: [UInt8]?) {
    self.lower = max(self.lower, lower)
    if let upper { self.upper = self.upper.map { upper.precedes($0) ? upper : $0 } ?? upper }
  }

  private func max(_ left: [UInt8]?, _ right: [UInt8]?) -> [UInt8]? {
    guard let left, let right else { return left ?? right }
    return left.precedes(right) ? right : left
  }
}
