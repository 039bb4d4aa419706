import SyncKitModel

/// The chained hashes of segments that were looked into during one transaction.
package struct ChainCache {
  /// By arrival; the n-th is the hash of the segment's n-th change.
  package var hashes: [UInt64: [ContentHash]] = [:]
  /// Where segments ended that are not kept, by the keys of their rows.
  package var ends: [[UInt8]: [UInt64: ContentHash]] = [:]
}

// How a log is found by the name that another device gives it. Replicas number densely, but a copied store
// can give one dot to two changes; then the log is a tree, and each branch has its own id here.
package protocol LogLookup: AnyObject {
  var source: any StorageReader { get }
  var coding: any SegmentCoding { get }
  var chains: ChainCache { get set }

  /// The state of a zone; an empty one when nothing is known of it.
  func zone(_ id: ZoneID) throws -> ZoneState
}

extension LogLookup {
  /// The rows of a zone, or of one series in it, by number; a year of syncs makes them many.
  package func logRows(_ zone: ZoneID, _ series: ReplicaID? = nil) throws -> [LogRow] {
    let prefix = series.map { Keys.logPrefix(zone, $0) } ?? Keys.prefix(zone)
    return try source.entries(.series, prefix: prefix).map { try LogRow(key: $0, row: $1) }
  }

  /// Visits the rows of a series behind a number, in order, until the visitor returns false.
  package func logRows(
    _ zone: ZoneID, _ series: ReplicaID, after seq: UInt64, _ visit: (LogRow) throws -> Bool
  ) throws {
    try source.scan(
      .series, prefix: Keys.logPrefix(zone, series), after: Keys.series(zone, series, seq)
    ) { try visit(LogRow(key: $0, row: $1)) }
  }

  /// The series that have rows in a zone, by their names here.
  package func seriesNames(_ zone: ZoneID) throws -> [ReplicaID] {
    var names: [ReplicaID] = []
    while true {
      var next: ReplicaID?
      let last = names.last.map { Keys.series(zone, $0, .max) }
      try source.scan(.series, prefix: Keys.prefix(zone), after: last) { key, row in
        next = try LogRow(key: key, row: row).series
        return false
      }
      guard let next else { return names }
      names.append(next)
    }
  }

  /// The row with a change of a log, whether it belongs to the branch itself or to a parent.
  package func row(_ zone: ZoneID, _ series: ReplicaID, holding seq: UInt64) throws -> LogRow? {
    guard seq > 0 else { return nil }
    if let branch = branch(series, in: try self.zone(zone)), seq < branch.start {
      return try row(zone, branch.parent, holding: seq)
    }
    var found: LogRow?
    try logRows(zone, series, after: seq - 1) { row in
      found = row
      return false
    }
    return found.flatMap { $0.first <= seq ? $0 : nil }
  }

  /// The hashes of a row that has no segment.
  package func hashIndex(_ row: LogRow) throws -> HashIndex {
    guard let bytes = try source.get(.meta, Keys.hashIndex(row.arrival)) else {
      throw Keys.damaged("outline \(row.arrival)")
    }
    return HashIndex(
      series: row.wire, first: row.first, previous: row.previous,
      hashes: try bytes.reading { try $0.hashes() })
  }

  /// The row that is the same segment; `series` is where the reference's last change was found.
  package func row(of reference: SegmentReference, in series: ReplicaID) throws -> LogRow? {
    try row(reference.zone, series, holding: reference.last).flatMap { row in
      row.wire == reference.series && row.first == reference.first && row.last == reference.last
        ? row : nil
    }
  }

  /// The last row of a series that ends at a number or before it.
  package func lastRow(_ zone: ZoneID, _ series: ReplicaID, upTo seq: UInt64) throws -> LogRow? {
    guard let head = try self.zone(zone).vector[series],
      let row = try row(zone, series, holding: min(seq, head.seq))
    else { return nil }
    return row.last <= seq ? row : try self.row(zone, series, holding: row.first - 1)
  }

  package func segment(_ row: LogRow) throws -> Segment {
    guard let bytes = try source.get(.segment, Keys.segment(row.arrival)) else {
      throw Keys.damaged("segment \(row.arrival)")
    }
    return try coding.read(bytes)
  }

  package func branch(_ id: ReplicaID, in zone: ZoneState) -> Branch? {
    zone.branches.first { $0.id == id }
  }

  /// The chained hash at `seq` of a branch, its parents included; nil when it is not known so far.
  package func hash(_ id: ZoneID, _ series: ReplicaID, at seq: UInt64) throws -> ContentHash? {
    let zone = try zone(id)
    let branch = branch(series, in: zone)
    if seq == 0 { return coding.root(zone: id, replica: branch?.wire ?? series) }
    if let branch, seq < branch.start { return try hash(id, branch.parent, at: seq) }
    guard let head = zone.vector[series], seq <= head.seq else { return nil }
    if seq == head.seq { return head.hash }
    guard let row = try row(id, series, holding: seq) else {
      // The change before the first one that is here.
      let next = try row(id, series, holding: seq + 1)
      if let next, next.first == seq + 1 { return next.previous }
      return try formerEnd(id, series, at: seq)
    }
    if row.last == seq { return row.head }
    return try chain(row)[Int(seq - row.first)]
  }

  /// The chained hashes of a segment's changes.
  package func chain(_ row: LogRow) throws -> [ContentHash] {
    if let known = chains.hashes[row.arrival] { return known }
    var last = row.previous
    let hashes: [ContentHash]
    if row.isHashIndex {
      hashes = try hashIndex(row).hashes
      last = hashes.last ?? last
    } else {
      hashes = try coding.changes(of: try segment(row)).map { change in
        last = coding.chain(last, change)
        return last
      }
    }
    guard hashes.count == Int(row.last - row.first) + 1, last == row.head else {
      throw Keys.damaged("segment \(row.arrival)")
    }
    chains.hashes[row.arrival] = hashes
    return hashes
  }

  /// The branch whose change `seq` has this hash, among all that share the name `series`.
  ///
  /// Names differ between devices that know different forks; the hash never does.
  package func locate(
    _ id: ZoneID, _ series: ReplicaID, at seq: UInt64, _ wanted: ContentHash
  ) throws -> ReplicaID? {
    let zone = try zone(id)
    if try hash(id, series, at: seq) == wanted { return series }
    let wire = branch(series, in: zone)?.wire ?? series
    if wire != series, try hash(id, wire, at: seq) == wanted { return wire }
    for branch in zone.branches where branch.wire == wire && branch.id != series {
      if try hash(id, branch.id, at: seq) == wanted { return branch.id }
    }
    return nil
  }

  /// A context in the names of this store, parents of branches included; nil when something in it
  /// is not known here yet.
  func localContext(
    _ id: ZoneID, _ context: VersionVector,
    after previous: (wire: VersionVector, local: VersionVector)
  ) throws -> VersionVector? {
    var local = previous.local
    for (replica, head) in context.heads where previous.wire[replica] != head {
      guard let series = try locate(id, replica, at: head.seq, head.hash) else { return nil }
      try add(series, head.seq, to: &local, in: id)
    }
    return local
  }

  /// Adds a branch up to `seq`, and its parents up to where it left them.
  package func add(
    _ series: ReplicaID, _ seq: UInt64, to vector: inout VersionVector, in id: ZoneID
  ) throws {
    var next: (series: ReplicaID, seq: UInt64)? = (series, seq)
    while let (series, seq) = next {
      next = nil
      if let branch = branch(series, in: try zone(id)) {
        next = (branch.parent, branch.start - 1)
        if seq < branch.start {
          next = (branch.parent, seq)
          continue
        }
      }
      guard seq > 0, seq > vector[series]?.seq ?? 0 else { continue }
      guard let hash = try hash(id, series, at: seq) else { throw Keys.damaged("a series") }
      vector[series] = Head(seq: seq, hash: hash)
    }
  }
}

extension StoreTransaction {
  /// The next number in the order of arrival.
  func nextArrival() throws -> UInt64 {
    let arrival =
      try storage.get(.meta, Keys.arrival).map { try $0.reading { try $0.fixed() } } ?? 1
    try storage.put(.meta, Keys.arrival, (arrival + 1).bigEndianBytes)
    return arrival
  }

  /// Extends a log by changes that are known only by their hashes.
  package func append(
    _ hashIndex: HashIndex, as series: ReplicaID, order: UInt64? = nil, in id: ZoneID
  )
    throws
  {
    try put(hashIndex, as: series, order: order, in: id)
    var zone = try zone(id)
    zone.vector[series] = Head(seq: hashIndex.last, hash: hashIndex.head)
    setZone(id, zone)
  }

  /// Stores a part of a log that is known only by its hashes.
  package func put(
    _ hashIndex: HashIndex, as series: ReplicaID, order: UInt64? = nil, in id: ZoneID
  ) throws {
    let arrival = try nextArrival()
    var writer = ByteWriter(reserving: 16 * hashIndex.hashes.count + 8)
    writer.write(hashIndex.hashes)
    try storage.put(.meta, Keys.hashIndex(arrival), writer.bytes)
    let row = LogRow(hashIndex, series: series, arrival: arrival, order: order)
    try storage.put(.series, Keys.series(id, series, row.last), row.encoded)
    var zone = try zone(id)
    guard !zone.hasHashIndexes else { return }
    zone.hasHashIndexes = true
    setZone(id, zone)
  }

  /// Stores a sealed segment and extends its series.
  ///
  /// `order` is the place of the segment that this one was cut out of; nil for a new one.
  package func append(_ segment: Segment, as series: ReplicaID, order: UInt64? = nil) throws {
    let arrival = try nextArrival()
    try storage.put(.segment, Keys.segment(arrival), segment.bytes)
    let row = LogRow(segment, series: series, arrival: arrival, order: order)
    try storage.put(.series, Keys.series(segment.info.zone, series, row.last), row.encoded)
    var zone = try zone(segment.info.zone)
    zone.vector[series] = Head(seq: row.last, hash: row.head)
    setZone(segment.info.zone, zone)
  }
}
