import SyncKitModel

extension SyncStore {
  /// The records of a query.
  ///
  /// An index is used where it helps; without one every record of the collection is looked at. With a limit no more than
  /// twice as many records are kept in memory.
  package func records(_ query: StoredQuery) throws -> [FoundRecord] {
    // Twice as many as wanted, so that sorting happens seldom.
    let room = query.limit.map { max(64, $0 * 2) }
    return try answer { reader in
      var found: [FoundRecord] = []
      let isOrdered = try reader.forEachRecord(of: query) { record, isOrdered in
        found.append(record)
        guard let limit = query.limit else { return true }
        if isOrdered { return found.count < limit }
        if let room, found.count >= room {
          found.sort { rules.precedes($0, $1, in: query) }
          found.removeLast(found.count - limit)
        }
        return true
      }
      if !isOrdered { found.sort { rules.precedes($0, $1, in: query) } }
      return query.limit.map { Array(found.prefix($0)) } ?? found
    }
  }

  /// How many records a query has; its limit counts.
  package func count(_ query: StoredQuery) throws -> Int {
    try answer { reader in
      var count = 0
      _ = try reader.forEachRecord(of: query) { _, _ in
        count += 1
        return query.limit.map { count < $0 } ?? true
      }
      return count
    }
  }

  /// Answers from the records alone when the index that would serve is damaged, and has it built again.
  private func answer<T>(_ body: (StoreReader) throws -> T) throws -> T {
    do {
      return try read(body)
    } catch let error as SyncError where error.code == .storeDamaged && !rules.indexes.isEmpty {
      try rebuildIndexes()
      return try read(body)
    }
  }
}

extension StoreReader {
  /// Visits the records of a query until `body` returns false.
  ///
  /// `body` is told whether they come in the order of the query.
  /// - Returns: Whether they did.
  func forEachRecord(
    of query: StoredQuery, _ body: (FoundRecord, _ isOrdered: Bool) throws -> Bool
  ) throws -> Bool {
    guard query.limit != 0 else { return true }
    let filter = QueryFilter(query, view)
    guard try hasIndexes(), let indexes = rules.indexes[query.collection],
      let plan = QueryPlan(query, indexes)
    else {
      var isWanted = true
      for zone in try zones().keys.sorted() where isWanted {
        try storage.scan(
          .record, prefix: Keys.prefix(zone, query.collection), after: nil
        ) { row, packed in
          let key = try Keys.record(parsing: row)
          let state = try RecordState(packed: packed, symbols)
          if let record = try filter.record(key, state) { isWanted = try body(record, false) }
          return isWanted
        }
      }
      return false
    }
    for range in plan.ranges {
      let goesOn = try forEachRecord(in: range, of: query, filter) {
        try body($0, plan.isOrdered)
      }
      guard goesOn else { break }
    }
    return plan.isOrdered
  }

  /// Visits the records to which the rows of a range lead.
  ///
  /// - Returns: Whether `body` wants more.
  private func forEachRecord(
    in range: QueryPlan.Range, of query: StoredQuery, _ filter: QueryFilter,
    _ body: (FoundRecord) throws -> Bool
  ) throws -> Bool {
    var isWanted = true
    // A key of a row is longer than a bound and never equal to it.
    let (lower, upper) = (
      range.lower.map { range.prefix + $0 }, range.upper.map { range.prefix + $0 }
    )
    let collection = query.collection
    func visit(_ row: [UInt8], _ value: [UInt8]) throws -> Bool {
      let key = try IndexRow.record(row, value, in: collection)
      guard let packed = try storage.get(.record, Keys.record(key)) else {
        throw Keys.damaged("an index leads to no record; its row")
      }
      let state = try RecordState(packed: packed, symbols)
      if let record = try filter.record(key, state) { isWanted = try body(record) }
      return isWanted
    }
    if query.isDescending {
      try storage.scanBackward(.index, prefix: range.prefix, before: upper) { row, value in
        if let lower, row.precedes(lower) { return false }
        return try visit(row, value)
      }
    } else {
      try storage.scan(.index, prefix: range.prefix, after: lower) { row, value in
        if let upper, !row.precedes(upper) { return false }
        return try visit(row, value)
      }
    }
    return isWanted
  }
}

/// Which records a query has, whatever their number: what is the same for all of them is looked up once.
private final class QueryFilter {
  private let view: RecordView
  private let rules: Rules
  private let type: RecordType?
  private let collection: CollectionName
  private let parent: (collection: CollectionName, id: RecordID)?
  private let accepts: (@Sendable (RecordID) -> Bool)?
  private let condition: FieldCondition?

  init(_ query: StoredQuery, _ view: RecordView) {
    self.view = view
    rules = view.rules
    type = view.rules[query.collection]
    collection = query.collection
    (parent, accepts, condition) = (query.parent, query.accepts, query.condition)
  }

  /// The record if it is one of the query.
  func record(_ key: RecordKey, _ state: RecordState) throws -> FoundRecord? {
    if let accepts, !accepts(key.id) { return nil }
    if let parent {
      guard let found = rules.parent(of: state, key), found.collection == parent.collection,
        found.id == parent.id
      else { return nil }
    }
    guard let fields = try view.fields(key, state, of: type) else { return nil }
    if let condition {
      guard condition.holds({ rules.found($0, in: fields, of: collection) }) else { return nil }
    }
    return FoundRecord(key: key, fields: fields)
  }
}

extension Rules {
  /// Whether one record comes before another.
  fileprivate func precedes(
    _ left: FoundRecord, _ right: FoundRecord, in query: StoredQuery
  ) -> Bool {
    for order in query.order {
      let one = found(order.field, in: left.fields, of: query.collection)
      let other = found(order.field, in: right.fields, of: query.collection)
      if Value.sorts(one, before: other) { return !order.isDescending }
      if Value.sorts(other, before: one) { return order.isDescending }
    }
    let (one, other) = query.isDescending ? (right.key, left.key) : (left.key, right.key)
    return one.id != other.id ? one.id < other.id : one.zone < other.zone
  }
}
