import SyncKitModel

extension StoreTransaction {
  /// The most bytes of encoded changes that one segment holds.
  package static let segmentBytes = 3 << 20

  /// Seals the own changes of a zone: from now on they are published and never altered.
  ///
  /// - Returns: How many operations on the domain's own records were sealed.
  @discardableResult
  package func seal(_ id: ZoneID, domain: String) throws -> Int {
    var total = 0
    // One segment after the other: after a large import all of them together are too much for the memory.
    var last: UInt64?
    while case let rows = try nextUnsealed(id, after: last), let first = rows.first {
      last = rows.last?.seq
      var zone = try zone(id)
      let previous = zone.sealed?.hash ?? coding.root(zone: id, replica: zone.own)
      var info = SegmentInfo(
        domain: domain, zone: id, series: zone.own, first: first.seq, last: 0,
        previous: previous, head: previous, base: zone.sealedContext, operations: 0, deletions: 0,
        newest: 0)
      for (index, row) in rows.enumerated() {
        let change = try row.bytes.reading(allowingRest: true) {
          try Change(&$0, series: zone.own, after: zone.sealedContext)
        }
        guard row.seq == info.first + UInt64(index) else { throw Keys.damaged("the own series") }
        info.count(change)
        info.last = row.seq
        info.head = coding.chain(info.head, row.bytes)
        zone.sealedContext = change.context
      }
      setZone(id, zone)
      try append(coding.segment(info, changes: rows.map(\.bytes)), as: zone.own)
      for row in rows { try storage.delete(.change, Keys.change(id, row.seq)) }
      total += info.operations
    }
    return total
  }

  /// The own changes after a number that are not sealed, as many as make a segment.
  private func nextUnsealed(_ id: ZoneID, after last: UInt64?) throws -> [UnsealedChange] {
    var rows: [UnsealedChange] = []
    var size = 0
    let start = last.map { Keys.change(id, $0) }
    try storage.scan(.change, prefix: Keys.prefix(id), after: start) { key, row in
      let change = try UnsealedChange(key: key, row: row)
      size += change.bytes.count
      guard rows.isEmpty || size <= Self.segmentBytes else { return false }
      rows.append(change)
      return true
    }
    return rows
  }
}

extension SegmentInfo {
  /// Takes a change into the counts of the head.
  package mutating func count(_ change: Change) {
    for operation in change.operations where operation.isOfDomain {
      operations += 1
      if operation.kind == .delete || operation.kind == .erase { deletions += 1 }
    }
    newest = max(newest, change.stamp.time)
  }
}
