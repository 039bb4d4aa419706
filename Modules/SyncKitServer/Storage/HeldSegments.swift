import SegmentFormat
import SyncKit

/// Removes segments that others hold as well, or a snapshot stands for, of which the server makes sure by
/// itself.
///
/// A device merges what it has written itself; what goes then is byte for byte in another segment that
/// stays. What a whole snapshot stands for goes when a device of the zone's only account says that it has
/// proved the snapshot. The server cannot look into a sealed segment; whoever may have it removed has the keys, and is
/// believed.
struct HeldSegments {
  /// The bytes of segments looked into for one request; the rest can be asked for again.
  private static let mostBytes: Int64 = 16 << 20
  /// Of the segments that could hold another one, this many of the longest are looked into.
  private static let mostHolders = 4

  struct Row {
    let cursor: Int64
    let zone: Int64
    let reference: SegmentReference
    let size: Int64
    let records: Int64
    let isErased: Bool
    let owner: String
  }

  let storage: ServerDatabase
  let account: String
  let domain: String
  let tables: ServerTables
  private let coding = DeflateSegmentCoding()
  private var chains: [Int64: SegmentChain?] = [:]
  private var covers: [Int64: SnapshotCovers] = [:]
  private var bytesLeft = Self.mostBytes
  private let gathered: GatheredBodies
  /// The bodies in the bucket that it could not look into; a segment that needs them stays.
  private(set) var missing: [Int64: BodyObject] = [:]

  init(
    storage: ServerDatabase, account: String, domain: String, tables: ServerTables,
    gathered: GatheredBodies
  ) {
    self.storage = storage
    self.account = account
    self.domain = domain
    self.tables = tables
    self.gathered = gathered
  }

  /// Removes a segment if another one holds all of it, or a snapshot stands for it; whether it is gone
  /// now.
  mutating func remove(_ cursor: UInt64) throws -> Bool {
    guard let row = try removable(cursor) else { return false }
    try tables.run("DELETE FROM segments WHERE cursor=?", .int(row.cursor))
    try tables.run(
      "UPDATE accounts SET bytes=bytes-?2, records=records-?3 WHERE id=?1", .text(row.owner),
      .int(row.size), .int(row.records))
    return true
  }

  /// The segment, if it may be removed.
  mutating func removable(_ cursor: UInt64) throws -> Row? {
    guard let cursor = Int64(exactly: cursor), let row = try row(cursor),
      try mayCompact(row) && (isSealed(row) || isHeld(row))
        || mayPrune(row) && (isSealed(row) || isCovered(row))
    else { return nil }
    return row
  }

  private func row(_ cursor: Int64) throws -> Row? {
    try tables.first(
      """
      SELECT s.zone, z.zone, s.series, s.first, s.last, s.head, s.size, s.records, z.erased, f.account
      FROM segments s JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=s.feed
      WHERE s.cursor=? AND f.domain=?
      """, .int(cursor), .text(domain)
    ) { row in
      Row(
        cursor: cursor, zone: try row.int(0),
        reference: SegmentReference(
          zone: ZoneID(try row.text(1)), series: try row.replica(2), first: try row.natural(3),
          last: try row.natural(4), head: try row.hash(5), size: nil, location: ""),
        size: try row.int(6), records: try row.int(7), isErased: try row.int(8) == 1,
        owner: try row.text(9))
    }
  }

  private func part(in row: Row) throws -> ZonePart {
    try row.owner == account ? .owner : storage.part(of: account, in: row.zone, tables)
  }

  private func mayPrune(_ row: Row) throws -> Bool {
    let isShared = try tables.exists(
      "SELECT 1 FROM shares WHERE zone=? AND ended=0", .int(row.zone))
    return try ZoneDecision.mayPrune(part(in: row), isErased: row.isErased, isShared: isShared)
  }

  private mutating func isSealed(_ row: Row) throws -> Bool {
    var left = bytesLeft
    defer { bytesLeft = left }
    return try segment(row.cursor, &left)?.info.seal != nil
  }

  private mutating func isCovered(_ row: Row) throws -> Bool {
    if covers[row.zone] == nil {
      let snapshots = try tables.all(
        "SELECT cursor, series, first, last, head FROM segments WHERE zone=?", .int(row.zone)
      ) { found in
        SegmentReference(
          zone: row.reference.zone, series: try found.replica(1), first: try found.natural(2),
          last: try found.natural(3), head: try found.hash(4), size: nil,
          location: "\(try found.int(0))")
      }.filter(\.series.isSnapshot)
      var left = bytesLeft
      covers[row.zone] = try SnapshotCovers(snapshots, of: domain, coding) { reference in
        guard let cursor = Int64(reference.location) else { return nil }
        return try segment(cursor, &left)
      }
      bytesLeft = left
    }
    return covers[row.zone]?.isCovered(row.reference) == true
  }

  private func mayCompact(_ row: Row) throws -> Bool {
    let author = try tables.first(
      "SELECT account FROM series WHERE zone=? AND series=?", .int(row.zone),
      .blob(row.reference.series.bytes)
    ) { try $0.text(0) }
    return ZoneDecision.mayCompact(
      try part(in: row), isErased: row.isErased,
      author: author.map { $0 == account ? .caller : .other } ?? .nobody)
  }

  private mutating func isHeld(_ row: Row) throws -> Bool {
    let reference = row.reference
    let holders = try tables.all(
      """
      SELECT cursor, size FROM segments
      WHERE zone=?1 AND series=?2 AND first<=?3 AND last>=?4 AND last-first>?4-?3
      ORDER BY last-first DESC LIMIT ?5
      """, .int(row.zone), .blob(reference.series.bytes), .int(Int64(clamping: reference.first)),
      .int(Int64(clamping: reference.last)), .int(Int64(Self.mostHolders))
    ) { (cursor: try $0.int(0), size: try $0.int(1)) }
    for holder in holders {
      if chains[holder.cursor] == nil {
        guard holder.size <= bytesLeft else { continue }
        var left = bytesLeft
        chains[holder.cursor] = .some(
          try segment(holder.cursor, &left).flatMap { SegmentChain($0, coding) })
        bytesLeft = left
      }
      if chains[holder.cursor]??.outgrows(reference) == true { return true }
    }
    return false
  }

  private mutating func segment(_ cursor: Int64, _ bytesLeft: inout Int64) throws -> Segment? {
    let size = try tables.first("SELECT size FROM segments WHERE cursor=?", .int(cursor)) {
      try $0.int(0)
    }
    guard let size, size <= bytesLeft else { return nil }
    bytesLeft -= size
    do {
      return try tables.bytes(cursor, gathered).flatMap { try? coding.read($0) }
    } catch let unknown as MissingBodies {
      missing.merge(unknown.objects) { $1 }
      return nil
    }
  }
}
