import SyncKit
import SyncWire

/// The segments of one request on their way into the tables.
struct SegmentIntake {
  let storage: ServerDatabase
  let identity: Identity
  let domain: String
  private let gathered: GatheredBodies
  private var account: String { identity.account }
  private var summaries: [ZoneID: ZoneSummary] = [:]
  /// What is added, by the account that pays for it.
  private var added: [String: (bytes: Int64, records: Int64)] = [:]
  private var touched: [Int64: String] = [:]
  /// What was asked about and is not stored yet.
  private var asked: Set<Key> = []
  /// What is being stored of it, by the account that pays for it.
  private var claimed: [String: (bytes: Int64, records: Int64)] = [:]
  private var claims: Set<BodyObject> = []

  private struct Key: Hashable {
    var zone: ZoneID
    var series: ReplicaID
    var first: UInt64
    var head: ContentHash
  }

  init(
    storage: ServerDatabase, identity: Identity, domain: String, gathered: GatheredBodies
  ) {
    self.storage = storage
    self.identity = identity
    self.domain = domain
    self.gathered = gathered
  }

  /// Stores a segment, or says why not.
  ///
  /// A body that has no object, or whose claim is over, is kept in the database.
  mutating func take(
    _ incoming: IncomingSegment, keptAs object: BodyObject?, _ tables: ServerTables
  ) throws -> StoreResult {
    let segment: Segment
    switch incoming {
    case .refused(let error): return StoreResult(.refused, error: error)
    case .checked(let checked): segment = checked
    }
    let info = segment.info
    guard info.domain == domain else {
      return StoreResult(
        .refused, error: WireError(.invalid, "The segment belongs to another domain."))
    }
    guard Self.hasNumbers(info) else {
      return StoreResult(
        .refused, error: WireError(.invalid, "The segment's changes have impossible numbers."))
    }
    let (summary, cursor, author, verdict) = try judge(info, tables)
    switch verdict {
    case .known: return StoreResult(.known, cursor: cursor)
    case .erased: return StoreResult(.erased)
    case .refused: return StoreResult(.refused, error: Refusal.forbidden)
    case .store:
      return StoreResult(.stored, cursor: try put(segment, summary, author, object, tables))
    }
  }

  /// The account that would pay for a segment, and the records by which it would count; nil for one that would not be
  /// stored.
  mutating func payer(
    of segment: Segment, _ tables: ServerTables
  ) throws -> (account: String, records: Int64)? {
    let info = segment.info
    guard info.domain == domain, Self.hasNumbers(info) else { return nil }
    let (summary, _, _, verdict) = try judge(info, tables)
    guard verdict == .store else { return nil }
    // The second of the same in one request will be known.
    let key = Key(zone: info.zone, series: info.series, first: info.first, head: info.head)
    if asked.insert(key).inserted { count(segment, for: summary.owner) }
    return (summary.owner, Self.records(info))
  }

  /// Notes what is being stored of what was asked about, so that it counts once.
  mutating func note(_ claim: BodyObject, _ records: Int64, of payer: String) {
    guard claims.insert(claim).inserted else { return }
    let so = claimed[payer] ?? (0, 0)
    claimed[payer] = (so.bytes + Int64(claim.size), so.records + records)
  }

  /// Finds out whether all that was asked about would have room.
  ///
  /// - Throws: ``WireError`` `quota` as ``finish(_:)``.
  func checkRoom(_ tables: ServerTables) throws {
    for (payer, sum) in added { try checkRoom(payer, sum, tables) }
  }

  private static func hasNumbers(_ info: SegmentInfo) -> Bool {
    info.first > 0 && info.first <= info.last && info.last <= Dot.maximumNumber
  }

  private mutating func judge(
    _ info: SegmentInfo, _ tables: ServerTables
  ) throws -> (
    summary: ZoneSummary, cursor: UInt64?, author: ZoneDecision.Author,
    verdict: ZoneDecision.Storing
  ) {
    let summary = try summaries[info.zone] ?? storage.summary(account, domain, info.zone, tables)
    summaries[info.zone] = summary
    let cursor = try known(info, summary, tables)
    let author = try author(of: info, summary, tables)
    let verdict = ZoneDecision.storing(
      summary.part, isErased: summary.isErased, isKnown: cursor != nil, author: author)
    return (summary, cursor, author, verdict)
  }

  /// Adds a segment to what its payer pays; returns its records, by which it counts.
  @discardableResult
  private mutating func count(_ segment: Segment, for payer: String) -> Int64 {
    let records = Self.records(segment.info)
    let so = added[payer] ?? (0, 0)
    added[payer] = (so.bytes + Int64(segment.bytes.count), so.records + records)
    return records
  }

  /// What the head claims is not believed beyond what a change may hold.
  private static func records(_ info: SegmentInfo) -> Int64 {
    let changes = Int64(clamping: info.last - info.first) + 1
    return min(max(Int64(info.operations), changes), changes * 1_000)
  }

  private func known(
    _ info: SegmentInfo, _ summary: ZoneSummary, _ tables: ServerTables
  ) throws -> UInt64? {
    guard let row = summary.row else { return nil }
    return try tables.first(
      "SELECT cursor FROM segments WHERE zone=? AND series=? AND first=? AND last=? AND head=?",
      .int(row), .blob(info.series.bytes), .int(Int64(info.first)), .int(Int64(info.last)),
      .blob(info.head.bytes)
    ) { try $0.natural(0) }
  }

  private func author(
    of info: SegmentInfo, _ summary: ZoneSummary, _ tables: ServerTables
  ) throws -> ZoneDecision.Author {
    guard let row = summary.row else { return .nobody }
    let author = try tables.first(
      "SELECT account FROM series WHERE zone=? AND series=?", .int(row), .blob(info.series.bytes)
    ) { try $0.text(0) }
    guard let author else { return .nobody }
    if author == account { return .caller }
    // Another account sent it when the server had lost it; the series itself tells whose it is.
    guard summary.part == .writer,
      try LogAuthor(zone: row, owner: summary.owner, tables: tables, gathered: gathered)
        .proves(info.series, isOf: account)
    else { return .other }
    try tables.run(
      "UPDATE series SET account=? WHERE zone=? AND series=?", .text(account), .int(row),
      .blob(info.series.bytes))
    return .caller
  }

  private mutating func put(
    _ segment: Segment, _ summary: ZoneSummary, _ author: ZoneDecision.Author,
    _ object: BodyObject?, _ tables: ServerTables
  ) throws -> UInt64 {
    let info = segment.info
    var summary = summary
    if summary.row == nil {
      summary = try storage.makeZone(account, domain, info.zone, tables)
      summaries[info.zone] = summary
    }
    guard let zone = summary.row, let feed = summary.feed else {
      throw SyncError(.bug, "A zone has no row.")
    }
    if author == .nobody {
      let isShared = try tables.exists("SELECT 1 FROM shares WHERE zone=? AND ended=0", .int(zone))
      let introduced =
        isShared
        ? try LogAuthor(zone: zone, owner: summary.owner, tables: tables, gathered: gathered)
          .introduced(by: segment) : nil
      try tables.run(
        "INSERT INTO series(zone, series, account) VALUES(?, ?, ?)", .int(zone),
        .blob(info.series.bytes), .text(introduced ?? account))
    }
    let size = Int64(segment.bytes.count)
    let records = count(segment, for: summary.owner)
    let cursor = try tables.nextCursor()
    try tables.run(
      """
      INSERT INTO segments(cursor, feed, zone, series, first, last, head, size, records, device,
        token)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .int(Int64(clamping: cursor)), .int(feed), .int(zone), .blob(info.series.bytes),
      .int(Int64(info.first)), .int(Int64(info.last)), .blob(info.head.bytes), .int(size),
      .int(records), .optional(identity.answerable),
      .optional(identity.device == nil ? identity.token : nil))
    if try object.map({ try storage.take($0, for: cursor, tables) }) != true {
      try tables.run(
        "INSERT INTO contents(cursor, bytes) VALUES(?, ?)", .int(Int64(clamping: cursor)),
        large: segment.bytes)
    }
    touched[zone] = summary.owner
    return cursor
  }

  /// Charges the accounts that pay, and wakes the listeners.
  ///
  /// - Throws: ``WireError`` `quota` when one has no room; then nothing of the request stays.
  func finish(_ tables: ServerTables) throws {
    for (payer, sum) in added {
      try tables.run(
        "UPDATE accounts SET bytes=bytes+?2, records=records+?3 WHERE id=?1", .text(payer),
        .int(sum.bytes), .int(sum.records))
      try checkRoom(payer, (0, 0), tables)
    }
    for (zone, owner) in touched { try storage.wake(owner, domain, zone: zone, tables) }
  }

  /// Finds out whether an account has no more than it may have, with what is still to come and what others are storing.
  private func checkRoom(
    _ payer: String, _ more: (bytes: Int64, records: Int64), _ tables: ServerTables
  ) throws {
    let own = claimed[payer] ?? (0, 0)
    let state = try tables.first(
      """
      SELECT bytes, maximum_bytes, records, maximum_records,
        (SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM objects
          WHERE account=accounts.id AND cursor IS NULL AND used=0),
        (SELECT CAST(coalesce(sum(records), 0) AS bigint) FROM objects
          WHERE account=accounts.id AND cursor IS NULL AND used=0)
      FROM accounts WHERE id=?
      """, .text(payer)
    ) { row in
      let bytes = max(0, try row.int(4) - own.bytes)
      let records = max(0, try row.int(5) - own.records)
      return [
        ("bytes", try row.int(0) + more.bytes, bytes, row.optionalInt(1)),
        ("changes", try row.int(2) + more.records, records, row.optionalInt(3)),
      ]
    }
    for case (let what, let used, let open, let limit?) in state ?? [] where used + open > limit {
      guard payer == account else {
        throw WireError(.quota, "The owner's account has no room for this; nothing was stored.")
      }
      let others = open > 0 ? " with what is being stored now" : ""
      throw WireError(
        .quota,
        "The account would have \(used + open) \(what)\(others), and may have \(limit); nothing was stored."
      )
    }
  }
}
