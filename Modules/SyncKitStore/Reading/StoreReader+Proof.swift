import SyncKitModel

extension StoreReader {
  /// Whether a snapshot is right: applying what has come since must give the state that is here.
  ///
  /// No other device is ever at exactly the vector of a snapshot, so the proof goes forward from it.
  /// - Returns: nil when it cannot be decided now: own changes are not sealed, a fork is known, or later
  ///   changes are known as state only.
  package func proves(_ snapshot: Snapshot) throws -> Bool? {
    let id = snapshot.zone
    let zone = try zone(id)
    let vector = snapshot.header.vector
    guard zone.ownLast == zone.sealedLast, zone.branches.isEmpty, !zone.isClosed,
      try isKnown(id, vector)
    else { return nil }
    var later: [RecordKey: [(operation: RecordOperation, stamp: Stamp, context: WriteContext)]] =
      [:]
    let rows = try logRows(id).filter { $0.last > vector[$0.series]?.seq ?? 0 }
    guard !rows.contains(where: \.isHashIndex) else { return nil }
    for row in rows.sorted(by: { ($0.order, $0.first) < ($1.order, $1.first) }) {
      let segment = try segment(row)
      var context = segment.info.base
      for (offset, bytes) in try coding.changes(of: segment).enumerated() {
        let change = try bytes.reading(allowingRest: true) {
          try Change(&$0, series: row.series, after: context)
        }
        context = change.context
        let dot = Dot(row.series, row.first + UInt64(offset))
        guard !vector.covers(dot) else { continue }
        for operation in change.operations {
          let key = RecordKey(zone: id, collection: operation.collection, id: operation.id)
          later[key, default: []].append(
            (operation, change.stamp, WriteContext(dot: dot, seen: change.context)))
        }
      }
    }
    func isSame(_ key: RecordKey, _ state: RecordState) throws -> Bool {
      var state = state
      for item in later.removeValue(forKey: key) ?? [] {
        state.apply(item.operation, stamp: item.stamp, in: item.context)
      }
      return try self.state(key) == state
    }
    var isRight = true
    var seen: Set<RecordKey> = []
    try snapshot.forEachRecord { key, state in
      seen.insert(key)
      if isRight { isRight = try isSame(key, state) }
    }
    guard isRight else { return false }
    try storage.scan(.record, prefix: Keys.prefix(id), after: nil) { row, _ in
      let key = try Keys.record(parsing: row)
      if !seen.contains(key) { isRight = try isSame(key, RecordState()) }
      return isRight
    }
    // Records that were written and have expired since are nowhere.
    for key in later.keys.sorted() where isRight { isRight = try isSame(key, RecordState()) }
    return isRight
  }

  /// Whether another device was heard of in a zone since a time.
  package func hasCompany(_ id: ZoneID, since start: Int64) throws -> Bool {
    try storage.acknowledgements(in: id, zone(id), besides: device, symbols)
      .contains { $0.last >= start }
  }
}
