import SQLiteFile
import SegmentFormat
import SyncKit

/// The segments in a file, each under a number that no other ever gets.
struct SegmentTable {
  /// No larger segment is stored or read: 256 MiB.
  static let maximumSize = 256 << 20

  private static let columns = "cursor, domain, zone, series, first, last, head"

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The number behind the location of a reference; nil for one that is none of ours.
  static func cursor(_ location: String) -> UInt64? {
    guard let cursor = Int64(location), cursor > 0, "\(cursor)" == location else { return nil }
    return UInt64(cursor)
  }

  /// What lies behind a number, in order.
  ///
  /// Rows that are not as they should be are passed over, with a note.
  func list(
    _ domain: String, after start: UInt64
  ) throws -> (segments: [SegmentReference], notes: [String]) {
    var segments: [SegmentReference] = []
    var odd = 0
    try scan(after: start, also: "CASE typeof(bytes) WHEN 'blob' THEN length(bytes) END") { row in
      if let name = row.text(1), name != domain { return }
      guard let identity = Self.identity(row), let size = row.signed(7), size <= Self.maximumSize
      else {
        odd += 1
        return
      }
      segments.append(
        SegmentReference(
          zone: identity.zone, series: identity.series, first: identity.first,
          last: identity.last, head: identity.head, size: Int(size),
          location: "\(row.signed(0) ?? 0)"))
    }
    let notes =
      odd == 0 ? [] : ["\(odd) \(odd == 1 ? "row is not a segment" : "rows are not segments")."]
    return (segments, notes)
  }

  /// The bytes of rows, as far as they are there.
  func bytes(of cursors: [UInt64]) throws -> [UInt64: [UInt8]] {
    // The size is in the row's head; a giant is not brought into memory to learn it.
    let select = """
      SELECT bytes FROM segment WHERE cursor = ?1 AND typeof(bytes) = 'blob' \
      AND length(bytes) <= \(Self.maximumSize)
      """
    return try connection.with(select) { statement in
      var found: [UInt64: [UInt8]] = [:]
      for cursor in cursors {
        try connection.check(statement.bind(1, cursor))
        if try connection.row(statement.step()) {
          found[cursor] = statement.blob(0).map(Array.init)
        }
        statement.reset()
      }
      return found
    }
  }

  /// The rows of a zone.
  func cursors(of zone: ZoneID, in domain: String) throws -> [UInt64] {
    var found: [UInt64] = []
    try scan(after: 0, also: "NULL") { row in
      guard row.text(1) == domain, row.text(2) == zone.text, let cursor = row.number(0) else {
        return
      }
      found.append(cursor)
    }
    return found
  }

  /// Stores a segment behind the last one, unless it is there, whole.
  func store(
    _ segment: Segment, _ cursor: inout UInt64, _ coding: any SegmentCoding
  ) throws {
    if let known = try find(segment.info) {
      guard try isDamaged(known, coding) else { return }
      try remove(known)
    }
    guard cursor < UInt64(Int64.max) else { throw connection.damage("its numbers are used up") }
    cursor += 1
    // A row that no honest writer has put under the number is replaced.
    let insert = """
      INSERT OR REPLACE INTO segment(\(Self.columns), bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """
    try connection.with(insert) { statement in
      try connection.check(statement.bind(1, cursor))
      try bind(segment.info, to: statement, from: 2)
      try segment.bytes.withUnsafeBytes { bytes in
        try connection.check(statement.bind(8, bytes))
        try connection.execute(statement)
      }
    }
  }

  /// Whether a row is there whose bytes are no segment, or another one than the row says.
  func isDamaged(_ cursor: UInt64, _ coding: any SegmentCoding) throws -> Bool {
    let select = "SELECT \(Self.columns), bytes FROM segment WHERE cursor = ?1"
    return try connection.with(select) { row in
      try connection.check(row.bind(1, cursor))
      guard try connection.row(row.step()) else { return false }
      guard let identity = Self.identity(row), let bytes = row.blob(7) else { return true }
      do {
        return SegmentIdentity(try coding.read(Array(bytes)).info) != identity
      } catch let error as SyncError where error.code == .formatNewer {
        return false
      } catch {
        return true
      }
    }
  }

  /// Gives a row the bytes of another segment of the same name; nothing happens when the row is gone.
  func replace(_ cursor: UInt64, with segment: Segment) throws {
    guard try find(segment.info) == cursor else { return }
    try connection.with("UPDATE segment SET bytes = ?2 WHERE cursor = ?1") { statement in
      try connection.check(statement.bind(1, cursor))
      try segment.bytes.withUnsafeBytes { bytes in
        try connection.check(statement.bind(2, bytes))
        try connection.execute(statement)
      }
    }
  }

  func remove(_ cursor: UInt64) throws {
    try connection.with("DELETE FROM segment WHERE cursor = ?1") { statement in
      try connection.check(statement.bind(1, cursor))
      try connection.execute(statement)
    }
  }

  /// The domains of what lies behind a number.
  func domains(after start: UInt64) throws -> Set<String> {
    var found: Set<String> = []
    try scan(after: start, also: "NULL") { row in
      if let name = row.text(1), SegmentLayout.isFolderName(name) { found.insert(name) }
    }
    return found
  }

  private func find(_ info: SegmentInfo) throws -> UInt64? {
    let select = """
      SELECT cursor FROM segment WHERE domain = ?1 AND zone = ?2 AND series = ?3 AND first = ?4 \
      AND last = ?5 AND head = ?6
      """
    return try connection.with(select) { statement in
      try bind(info, to: statement, from: 1)
      return try connection.row(statement.step()) ? statement.number(0) : nil
    }
  }

  private func bind(_ info: SegmentInfo, to statement: Statement, from index: Int32) throws {
    try connection.check(statement.bind(index, info.domain))
    try connection.check(statement.bind(index + 1, info.zone.text))
    try connection.check(statement.bind(index + 2, copying: info.series.bytes))
    try connection.check(statement.bind(index + 3, info.first))
    try connection.check(statement.bind(index + 4, info.last))
    try connection.check(statement.bind(index + 5, copying: info.head.bytes))
  }

  /// Visits the rows behind a number, each once.
  ///
  /// No condition but the number goes to SQLite: in a hostile file a search could go round and round
  /// without ever finding a row, while here every row must be further than the one before.
  private func scan(
    after start: UInt64, also column: String, _ visit: (Statement) throws -> Void
  ) throws {
    let select = "SELECT \(Self.columns), \(column) FROM segment WHERE cursor > ?1 ORDER BY cursor"
    try connection.with(select) { row in
      try connection.check(row.bind(1, signed: Int64(clamping: start)))
      var last = Int64(clamping: start)
      while try connection.row(row.step()) {
        guard let cursor = row.signed(0), cursor > last else {
          throw connection.damage("its rows are not in order")
        }
        last = cursor
        try visit(row)
      }
    }
  }

  private static func identity(_ row: Statement) -> SegmentIdentity? {
    guard let domain = row.text(1), SegmentLayout.isFolderName(domain), let zone = row.text(2),
      SegmentLayout.isFolderName(zone), let series = row.pair(3), let first = row.signed(4),
      let last = row.signed(5), first >= 1, first <= last, let head = row.pair(6)
    else { return nil }
    return SegmentIdentity(
      domain: domain, zone: ZoneID(zone), series: ReplicaID(high: series.high, low: series.low),
      first: UInt64(first), last: UInt64(last), head: ContentHash(high: head.high, low: head.low))
  }
}
