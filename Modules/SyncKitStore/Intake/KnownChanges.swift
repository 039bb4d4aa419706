import SyncKitModel

// What of a segment is here already: a merged one holds much that came before it was merged.
extension LogLookup {
  /// How many changes at the beginning of a segment are known here.
  func knownChanges(of segment: Segment) throws -> Int {
    let info = segment.info
    let known = min(try zone(info.zone).vector[info.series]?.seq ?? 0, info.last)
    guard info.first <= known, let hash = SegmentChain(segment, coding)?.hash(at: known),
      try locate(info.zone, info.series, at: known, hash) != nil
    else { return 0 }
    return Int(known - info.first) + 1
  }
}

extension StoreReader {
  /// The changes of a segment that are not known here, up to the first that only a newer version reads.
  func unknownChanges(in segment: Segment) throws -> [(dot: Dot, change: Change)] {
    let known = try knownChanges(of: segment)
    var context = segment.info.base
    var unknown: [(dot: Dot, change: Change)] = []
    for (index, bytes) in try coding.changes(of: segment).enumerated() {
      guard
        let change = try? bytes.reading(
          allowingRest: true, { try Change(&$0, series: segment.info.series, after: context) })
      else { break }
      context = change.context
      guard index >= known else { continue }
      unknown.append((Dot(segment.info.series, segment.info.first + UInt64(index)), change))
    }
    return unknown
  }

  /// How many operations on the domain's own records a segment holds that are not known here.
  package func unknownOperations(in segment: Segment) throws -> Int {
    guard try knownChanges(of: segment) > 0 else { return segment.info.operations }
    return try unknownChanges(in: segment).reduce(0) { count, item in
      count + item.change.operations.filter(\.isOfDomain).count
    }
  }
}
