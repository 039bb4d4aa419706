import SyncKitModel

/// What became of the segments that were taken in.
package struct IngestReport {
  /// Operations applied on the domain's own records.
  package var operations = 0
  /// Own edits that remote ones have overridden.
  package var overridden = 0
  /// Forks that were found.
  package var forks = 0
  /// Whether another store has written under an id of this store.
  package var isCopyDetected = false
  /// The domain's own records of which the changes say something; an ancestor is only mentioned.
  package var edited: Set<RecordKey> = []
}

/// A segment on its way in: its changes, and how far they are applied.
package struct IncomingSegment {
  package let info: SegmentInfo
  /// Nil for an outline, which has the hashes of its changes alone.
  private let source: Segment?
  package let changes: [[UInt8]]
  /// The chained hash of each change.
  package let hashes: [ContentHash]
  /// How many changes are done.
  package var position = 0
  /// The context before the next change, as its author wrote it.
  var wireContext: VersionVector
  /// The same in the names of this store.
  var localContext = VersionVector()
  /// The branch the changes belong to, once the first one has been placed.
  package var series: ReplicaID?
  /// Why the next change cannot be read by this version; its series stands still until then.
  var frozen: SyncError?

  package var isDone: Bool { position == hashes.count }
  var nextSeq: UInt64 { info.first + UInt64(position) }
  var previousHash: ContentHash {
    position == 0 ? info.previous : hashes[position - 1]
  }
  /// The segment itself, an outline has none.
  package var segment: Segment {
    get throws {
      guard let source else { throw SyncError(.bug, "An outline was taken for a segment.") }
      return source
    }
  }

  /// Passes over a change that is known.
  package mutating func pass() throws {
    if position < changes.count {
      wireContext = try changes[position].reading(allowingRest: true) {
        try Change(&$0, series: info.series, after: wireContext).context
      }
    }
    position += 1
  }

  /// Takes an outline in, as far as its changes can be placed.
  package init(_ hashIndex: HashIndex, of zone: ZoneID) {
    source = nil
    changes = []
    hashes = hashIndex.hashes
    wireContext = VersionVector()
    info = SegmentInfo(
      domain: "", zone: zone, series: hashIndex.series, first: hashIndex.first,
      last: hashIndex.last,
      previous: hashIndex.previous, head: hashIndex.head, base: VersionVector(), operations: 0,
      deletions: 0, newest: 0)
  }

  /// Reads a segment; its chain must lead to the hash in its head.
  package init(_ segment: Segment, coding: any SegmentCoding) throws {
    source = segment
    info = segment.info
    changes = try coding.changes(of: segment)
    var last = segment.info.previous
    hashes = changes.map { change in
      last = coding.chain(last, change)
      return last
    }
    guard last == segment.info.head, !changes.isEmpty else {
      throw ByteReader.damaged("a segment's changes do not lead to its head")
    }
    wireContext = segment.info.base
  }
}

extension StoreTransaction {
  /// Applies the changes of a segment that are ready, at most about `limit` operations.
  ///
  /// - Returns: Whether anything was applied; skipping known changes is not progress.
  package func advance(
    _ incoming: inout IncomingSegment, limit: Int, rebase: inout Rebase, report: inout IngestReport
  ) throws -> Bool {
    let id = incoming.info.zone
    guard try place(&incoming, rebase: &rebase, report: &report),
      let series = incoming.series
    else { return false }
    guard
      var base = try localContext(
        id, incoming.wireContext, after: (VersionVector(), VersionVector()))
    else { return false }
    if let branch = branch(series, in: try zone(id)) {
      // A context leaves the own series out, and what a branch has left is own too.
      try add(branch.parent, branch.start - 1, to: &base, in: id)
    }
    incoming.localContext = base
    let firstNew = incoming.position
    let firstContext = incoming.wireContext
    var operations = 0
    while !incoming.isDone, operations < limit {
      guard let change = try next(&incoming) else { break }
      guard
        let context = try localContext(
          id, change.context, after: (incoming.wireContext, incoming.localContext)),
        try zone(id).vector.covers(context)
      else { break }
      let dot = Dot(series, incoming.nextSeq)
      operations += try apply(change, dot: dot, seen: context, in: id, &rebase, &report)
      incoming.wireContext = change.context
      incoming.localContext = context
      var zone = try zone(id)
      zone.vector[series] = Head(seq: dot.seq, hash: incoming.hashes[incoming.position])
      setZone(id, zone)
      incoming.position += 1
    }
    guard incoming.position > firstNew else { return false }
    try append(cut(incoming, firstNew..<incoming.position, after: firstContext), as: series)
    return true
  }

  private func next(_ incoming: inout IncomingSegment) throws -> Change? {
    do {
      return try incoming.changes[incoming.position].reading(allowingRest: true) {
        try Change(&$0, series: incoming.info.series, after: incoming.wireContext)
      }
    } catch let error as SyncError where error.code == .formatNewer {
      incoming.frozen = error
      return nil
    }
  }

  /// A part of a segment as a segment of its own; the whole one as it is.
  ///
  /// The context before the part follows from the changes before it, if it is not known.
  package func cut(
    _ incoming: IncomingSegment, _ range: Range<Int>, after known: VersionVector? = nil
  ) throws -> Segment {
    guard range != 0..<incoming.changes.count else { return try incoming.segment }
    var info = incoming.info
    var context = known ?? info.base
    for bytes in incoming.changes[..<range.lowerBound] where known == nil {
      context = try bytes.reading(allowingRest: true) {
        try Change(&$0, series: info.series, after: context).context
      }
    }
    info.base = context
    info.previous =
      range.lowerBound == 0 ? info.previous : incoming.hashes[range.lowerBound - 1]
    info.last = info.first + UInt64(range.upperBound) - 1
    info.first += UInt64(range.lowerBound)
    info.head = incoming.hashes[range.upperBound - 1]
    info.operations = 0
    info.deletions = 0
    info.newest = 0
    for bytes in incoming.changes[range] {
      // A change of a newer version cannot be counted; its bytes are kept all the same.
      guard
        let change = try? bytes.reading(
          allowingRest: true, { try Change(&$0, series: info.series, after: context) })
      else { break }
      context = change.context
      info.count(change)
    }
    return try coding.segment(info, changes: Array(incoming.changes[range]))
  }

  private func apply(
    _ change: Change, dot: Dot, seen: VersionVector, in id: ZoneID, _ rebase: inout Rebase,
    _ report: inout IngestReport
  ) throws -> Int {
    clock.observe(change.stamp.time, now: environment.now())
    let context = WriteContext(dot: dot, seen: seen)
    var count = 0
    for operation in change.operations {
      let key = RecordKey(zone: id, collection: operation.collection, id: operation.id)
      try updateRecord(key) { state in
        switch operation.kind {
        case .forget: rebase.keep(state, forgottenElsewhere: key)
        case .create, .restore: rebase.release(key)
        case .edit, .touch, .delete, .erase: break
        }
        state.apply(operation, stamp: change.stamp, in: context)
        try rebase.meet(key, state, self)
      }
      if operation.isOfDomain { count += 1 }
    }
    report.operations += count
    for record in change.editedRecords {
      report.edited.insert(RecordKey(zone: id, collection: record.collection, id: record.id))
    }
    if count > 0 {
      var zone = try zone(id)
      zone.unacknowledged += UInt64(count)
      setZone(id, zone)
    }
    return count
  }
}
