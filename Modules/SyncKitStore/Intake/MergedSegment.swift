import SyncKitModel

extension LogLookup {
  /// One segment of the changes in a range of a series, from the segments that are here.
  ///
  /// The same changes give the same segment, as long as they are packed in the same way.
  ///
  /// - Parameters:
  ///   - id: The zone.
  ///   - series: Whose changes.
  ///   - range: Which of them.
  ///   - limit: The most bytes of changes.
  /// - Returns: nil when not all of the range is here, when it is more than `limit`, or when the
  ///   series is a branch: its changes bear one name here and another one on the remotes.
  /// - Throws: ``SyncError`` `store.damaged`, and `format.newer` for changes of a newer version.
  package func merged(
    _ id: ZoneID, _ series: ReplicaID, _ range: ClosedRange<UInt64>, upTo limit: Int
  ) throws -> Segment? {
    guard branch(series, in: try zone(id)) == nil else { return nil }
    var info: SegmentInfo?
    var changes: [[UInt8]] = []
    var size = 0
    var rows: [LogRow] = []
    try logRows(id, series, after: range.lowerBound - 1) { row in
      if row.first <= range.upperBound { rows.append(row) }
      return row.last < range.upperBound
    }
    guard rows.first?.first ?? .max <= range.lowerBound else { return nil }
    for row in rows {
      guard row.wire == series, !row.isHashIndex else { return nil }
      let segment = try segment(row)
      var context = segment.info.base
      var hash = row.previous
      for (offset, bytes) in try coding.changes(of: segment).enumerated() {
        let seq = row.first + UInt64(offset)
        let change = try bytes.reading(allowingRest: true) {
          try Change(&$0, series: series, after: context)
        }
        let next = coding.chain(hash, bytes)
        if range.contains(seq) {
          var whole =
            info
            ?? SegmentInfo(
              domain: segment.info.domain, zone: id, series: series, first: seq, last: seq,
              previous: hash, head: next, base: context, operations: 0, deletions: 0, newest: 0)
          guard seq == whole.first + UInt64(changes.count) else { return nil }
          whole.last = seq
          whole.head = next
          whole.count(change)
          info = whole
          changes.append(bytes)
          size += bytes.count
          guard size <= limit else { return nil }
        }
        context = change.context
        hash = next
      }
    }
    guard let info, info.first == range.lowerBound, info.last == range.upperBound else {
      return nil
    }
    return try coding.segment(info, changes: changes)
  }
}
