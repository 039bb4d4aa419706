import SyncKitModel

/// A snapshot that is all here: the state of a zone at a vector, with an outline of how it came about.
package struct Snapshot {
  package let zone: ZoneID
  package let series: ReplicaID
  package let header: SnapshotHeader
  /// Its segments, in order.
  package let parts: [Segment]
  private let coding: any SegmentCoding

  /// Puts a snapshot together, and checks all but the records themselves.
  ///
  /// Nil when something is not here yet. `segments` are parts of one snapshot, in any order; some may hold
  /// the same blocks.
  /// - Throws: ``SyncError`` `format.damaged` for a snapshot that does not match its description,
  ///   `format.newer` for one that only newer versions can read.
  package init?(_ segments: [Segment], coding: any SegmentCoding) throws {
    guard let first = segments.first?.info, first.series.isSnapshot else { return nil }
    var parts: [Segment] = []
    var next: UInt64 = 1
    var hash = coding.root(zone: first.zone, replica: first.series)
    for part in segments.sorted(by: {
      ($0.info.first, $0.info.last) < ($1.info.first, $1.info.last)
    })
    where part.info.first == next && part.info.series == first.series {
      guard part.info.previous == hash, SegmentChain(part, coding) != nil else {
        throw ByteReader.damaged("the parts of a snapshot do not follow each other")
      }
      parts.append(part)
      next = part.info.last + 1
      hash = part.info.head
    }
    guard let part = parts.first, let block = try coding.changes(of: part).first else { return nil }
    header = try SnapshotHeader(decoding: block)
    guard next > UInt64(header.blocks) + 1 else { return nil }
    zone = first.zone
    series = first.series
    self.parts = parts
    self.coding = coding
    guard header.series(zone, first.domain, coding) == series else {
      throw ByteReader.damaged("a snapshot has another one's name")
    }
  }

  /// The snapshots among some segments that are all here, those of most changes first.
  ///
  /// - Throws: ``SyncError`` `format.newer`.
  package static func whole(
    in segments: [Segment], coding: any SegmentCoding, _ report: inout SyncReport
  ) throws -> [Snapshot] {
    let parts = Dictionary(grouping: segments.filter(\.info.series.isSnapshot), by: \.info.series)
    var found: [Snapshot] = []
    for (series, parts) in parts.sorted(by: { $0.key < $1.key }) {
      do {
        if let snapshot = try Snapshot(parts, coding: coding) { found.append(snapshot) }
      } catch let error as SyncError where error.code == .formatDamaged {
        report.notes.append("The snapshot \(series) is damaged; it is ignored.")
      }
    }
    return found.sorted { $0.header.vector.changes > $1.header.vector.changes }
  }

  /// Its size in bytes.
  package var size: Int { parts.reduce(0) { $0 + $1.bytes.count } }

  /// The number of its last block.
  package var last: UInt64 { UInt64(header.blocks) + 1 }

  private func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
    var left = header.blocks + 1
    for part in parts {
      for block in try coding.changes(of: part) where left > 0 {
        left -= 1
        if left < header.blocks { try body(block) }
      }
    }
  }

  /// How each series leads to the vector, or parts of that; the oldest runs first, the last one ends there.
  package func hashIndexes() throws -> [HashIndex] {
    var hashIndexes: [HashIndex] = []
    var digest = ContentHash(high: 0, low: 0)
    try forEachBlock { block in
      guard let hashIndex = try HashIndex(block: block) else { return }
      digest = coding.chain(digest, block)
      hashIndexes.append(hashIndex)
    }
    var heads: [ReplicaID: Head] = [:]
    for hashIndex in hashIndexes {
      if let head = heads[hashIndex.series] {
        let isNext = hashIndex.first == head.seq + 1
        guard hashIndex.first > head.seq, !isNext || hashIndex.previous == head.hash else {
          throw ByteReader.damaged("the outlines of a snapshot do not follow each other")
        }
      }
      heads[hashIndex.series] = Head(seq: hashIndex.last, hash: hashIndex.head)
    }
    guard digest == header.hashIndexes, heads == header.vector.heads else {
      throw ByteReader.damaged("the outlines of a snapshot do not lead to its vector")
    }
    return hashIndexes
  }

  /// Visits its records in the order of their keys.
  package func forEachRecord(_ body: (RecordKey, RecordState) throws -> Void) throws {
    var reader = SnapshotBlockReader()
    var digest = ContentHash(high: 0, low: 0)
    var count = 0
    try forEachBlock { block in
      guard block.first != SnapshotBlockKind.hashIndex.rawValue else { return }
      digest = coding.chain(digest, block)
      for (key, state) in try reader.records(of: block, in: zone) {
        count += 1
        try body(key, state)
      }
    }
    guard digest == header.digest, count == header.records else {
      throw ByteReader.damaged("a snapshot does not hold what it states")
    }
  }
}
