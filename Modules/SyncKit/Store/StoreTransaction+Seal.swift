extension StoreTransaction {
  /// The most bytes of encoded changes that one segment holds.
  static let segmentBytes = 4 << 20

  /// Seals the own changes of a zone: from now on they are published and never altered.
  ///
  /// - Returns: How many operations on the domain's own records were sealed.
  @discardableResult
  func seal(_ id: ZoneID, domain: String) throws -> Int {
    let rows = try unsealed(id)
    guard var context = rows.isEmpty ? nil : try zone(id).sealedContext else { return 0 }
    var total = 0
    var start = 0
    while start < rows.count {
      let zone = try zone(id)
      let previous = zone.sealed?.hash ?? coding.root(zone: id, replica: zone.own)
      var info = SegmentInfo(
        domain: domain, zone: id, series: zone.own, first: rows[start].seq, last: 0,
        previous: previous, head: previous, base: context, operations: 0, deletions: 0, newest: 0)
      var changes: [[UInt8]] = []
      var size = 0
      for row in rows[start...] {
        if !changes.isEmpty, size + row.bytes.count > Self.segmentBytes { break }
        let change = try row.bytes.reading(allowingRest: true) {
          try Change(&$0, series: zone.own, after: context)
        }
        guard row.seq == info.first + UInt64(changes.count) else {
          throw Keys.damaged("the own series")
        }
        info.count(change)
        info.last = row.seq
        info.head = coding.chain(info.head, row.bytes)
        context = change.context
        changes.append(row.bytes)
        size += row.bytes.count
      }
      try append(coding.segment(info, changes: changes), as: zone.own)
      for row in rows[start..<start + changes.count] {
        try storage.delete(.change, Keys.change(id, row.seq))
      }
      total += info.operations
      start += changes.count
    }
    var zone = try zone(id)
    zone.sealedContext = context
    setZone(id, zone)
    return total
  }
}

extension SegmentInfo {
  /// Takes a change into the counts of the head.
  mutating func count(_ change: Change) {
    for operation in change.operations where operation.isOfDomain {
      operations += 1
      if operation.kind == .delete || operation.kind == .erase { deletions += 1 }
    }
    newest = max(newest, change.stamp.time)
  }
}
