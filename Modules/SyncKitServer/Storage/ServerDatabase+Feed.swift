import SegmentFormat
import SyncKit
public import SyncWire

/// What has come, in order.
extension ServerDatabase {
  public func feed(
    _ domain: String, _ question: FeedQuestion, _ caller: Caller
  ) async throws -> FeedPage {
    guard SegmentLayout.isFolderName(domain) else { throw Refusal.notFound }
    let asked = ResponseCache.Question.feed(ResponseCache.Asker(caller), domain, question)
    let (known, version) = cache.answer(asked)
    if let known, isAlive(known.identity), let page = known.page { return page }
    let (identity, page) = try await read { tables in
      let identity = try self.identify(caller, tables)
      let quiet = try self.quietPage(domain, question, identity, tables)
      return (identity, try quiet ?? self.page(domain, question, identity, tables))
    }
    // What is new to one is asked for once; what is not, again and again.
    if page.segments.isEmpty, page.erased.count + page.access.count <= Self.few {
      cache.learn(asked, ResponseCache.Answer(identity: identity, page: page), since: version)
    }
    return page
  }

  /// A page with more zones than that is not kept.
  private static let few = 100

  /// The page for a device that has seen everything; nil when there may be something to tell.
  ///
  /// Most polls are of this kind. Two statements answer them, where a whole page takes ten, each a
  /// journey to the database of several servers.
  private func quietPage(
    _ domain: String, _ question: FeedQuestion, _ identity: Identity, _ tables: ServerTables
  ) throws -> FeedPage? {
    guard let epoch = question.epoch, let after = Int64(exactly: question.after),
      question.inside == nil
    else { return nil }
    let isQuiet = try tables.exists(
      """
      SELECT 1 FROM epochs e, counters c
      WHERE e.id=(SELECT max(id) FROM epochs) AND e.epoch=?1 AND c.name='cursor' AND c.value>=?2
        AND NOT EXISTS (SELECT 1 FROM segments
          WHERE feed=(SELECT id FROM feeds WHERE account=?3 AND domain=?4) AND cursor>?2)
        AND NOT EXISTS (SELECT 1 FROM zones
          WHERE feed=(SELECT id FROM feeds WHERE account=?3 AND domain=?4) AND erased=1)
        AND NOT EXISTS (SELECT 1 FROM zones z JOIN shares s ON s.zone=z.id AND s.ended=0
          WHERE z.feed=(SELECT id FROM feeds WHERE account=?3 AND domain=?4))
        AND NOT EXISTS (SELECT 1 FROM participants WHERE account=?3)
      """, .text(epoch), .int(after), .text(identity.account), .text(domain))
    guard isQuiet else { return nil }
    return FeedPage(
      epoch: epoch, cursor: question.after, isContinuation: true, hasMore: false, segments: [],
      erased: [:], access: [:], inside: nil, roots: Set(try roots(of: identity.account, tables)))
  }

  private func page(
    _ domain: String, _ question: FeedQuestion, _ identity: Identity, _ tables: ServerTables
  ) throws -> FeedPage {
    let continues = try self.knows(question, tables)
    let after = continues ? question.after : 0
    let limit = min(max(question.limit, 1), WireProtocol.pageCount)
    let feed = try self.feed(identity.account, domain, tables)
    let parts = try self.parts(identity.account, domain, tables)

    let inside = continues ? question.inside : nil

    var line = FeedLine(after: after, inside: inside, limit: limit)
    if let feed { line.add(try self.own(feed, after: after, limit: limit + 1, tables)) }
    for part in parts where ZoneDecision.mayRead(part.part, isErased: part.isErased) {
      line.add(try self.shared(part, line, tables))
    }
    let page = line.page()
    return FeedPage(
      epoch: try self.currentEpoch(tables), cursor: page.cursor, isContinuation: continues,
      hasMore: page.hasMore,
      segments: page.entries, erased: try self.erased(feed, parts, tables),
      access: try self.access(identity.account, domain, parts, tables),
      inside: page.inside?.text,
      roots: Set(try roots(of: identity.account, tables)))
  }

  /// Whether a position is one that this server has given and still stands for.
  ///
  /// Each start of the storage is an epoch that ends where the next one begins. A device that has seen more
  /// of an epoch than there is of it has seen a server that was not yet put back to an older state.
  private func knows(_ question: FeedQuestion, _ tables: ServerTables) throws -> Bool {
    guard let name = question.epoch, let after = Int64(exactly: question.after) else {
      return false
    }
    let id = try tables.first("SELECT id FROM epochs WHERE epoch=?", .text(name)) { try $0.int(0) }
    guard let id else { return false }
    let next = try tables.first(
      "SELECT start FROM epochs WHERE id>? ORDER BY id LIMIT 1", .int(id)
    ) { try $0.int(0) }
    let end = try next ?? tables.count("SELECT value FROM counters WHERE name='cursor'")
    return after <= end
  }

  private static let columns = "s.cursor, z.zone, s.series, s.first, s.last, s.head, s.size"

  private func own(
    _ feed: Int64, after: UInt64, limit: Int, _ tables: ServerTables
  ) throws -> [FeedLine.Entry] {
    try tables.all(
      """
      SELECT \(Self.columns) FROM segments s JOIN zones z ON z.id=s.zone
      WHERE s.feed=? AND s.cursor>? ORDER BY s.cursor LIMIT ?
      """, .int(feed), .int(Int64(clamping: after)), .int(Int64(limit))
    ) { try Self.entry($0, granted: 0) }
  }

  /// The segments of another account's zone: all of them for a guest let in after the position.
  private func shared(
    _ part: GuestPart, _ line: FeedLine, _ tables: ServerTables
  ) throws -> [FeedLine.Entry] {
    let sql = """
      SELECT \(Self.columns) FROM segments s JOIN zones z ON z.id=s.zone
      WHERE s.zone=? AND s.cursor>? AND s.cursor<=? ORDER BY s.cursor LIMIT ?
      """
    var entries: [FeedLine.Entry] = []
    // What was there at the grant stands where the grant was made.
    if line.after < part.granted {
      entries = try tables.all(
        sql, .int(part.zone), .int(Int64(clamping: line.given(at: part.granted))),
        .int(Int64(clamping: part.granted)), .int(Int64(line.limit + 1))
      ) { try Self.entry($0, granted: part.granted) }
    }
    if entries.count <= line.limit {
      entries += try tables.all(
        sql, .int(part.zone), .int(Int64(clamping: max(line.after, part.granted))), .int(.max),
        .int(Int64(line.limit + 1))
      ) { try Self.entry($0, granted: part.granted) }
    }
    return entries
  }

  private static func entry(_ row: SQLRow, granted: UInt64) throws -> FeedLine.Entry {
    let cursor = try row.natural(0)
    return FeedLine.Entry(
      place: max(cursor, granted),
      entry: FeedEntry(
        cursor: cursor, zone: ZoneID(try row.text(1)), series: try row.replica(2),
        first: try row.natural(3), last: try row.natural(4), head: try row.hash(5),
        size: Int(try row.int(6))))
  }

  /// Another account's zone in which an account has or had a part.
  private struct GuestPart {
    var zone: Int64
    var id: ZoneID
    var part: ZonePart
    var granted: UInt64
    var isErased: Bool
    var owner: String
  }

  /// The account's parts in other people's zones; of several in zones of one id the greatest.
  private func parts(
    _ account: String, _ domain: String, _ tables: ServerTables
  ) throws -> [GuestPart] {
    let all = try tables.all(
      """
      SELECT z.id, z.zone, p.role, p.state, p.granted, z.erased, a.name
      FROM participants p JOIN shares s ON s.id=p.share JOIN zones z ON z.id=s.zone
        JOIN feeds f ON f.id=z.feed JOIN accounts a ON a.id=f.account
      WHERE p.account=? AND f.domain=?
      """, .text(account), .text(domain)
    ) { row in
      GuestPart(
        zone: try row.int(0), id: ZoneID(try row.text(1)),
        part: try Self.part(row, role: 2, state: 3), granted: try row.natural(4),
        isErased: try row.int(5) == 1, owner: try row.text(6))
    }
    guard all.count > 1 else { return all }
    var best: [ZoneID: GuestPart] = [:]
    for part in all {
      if let other = best[part.id], other.part.rank >= part.part.rank { continue }
      best[part.id] = part
    }
    return Array(best.values)
  }

  private func erased(
    _ feed: Int64?, _ parts: [GuestPart], _ tables: ServerTables
  ) throws -> [ZoneID: Confirmations] {
    var zones: [(row: Int64, id: ZoneID)] = []
    if let feed {
      zones = try tables.all("SELECT id, zone FROM zones WHERE feed=? AND erased=1", .int(feed)) {
        (try $0.int(0), ZoneID(try $0.text(1)))
      }
    }
    for part in parts where part.isErased && ZoneDecision.mayHearOfErasure(part.part) {
      zones.append((part.zone, part.id))
    }
    var erased: [ZoneID: Confirmations] = [:]
    for zone in zones {
      erased[zone.id] = try confirmations(of: zone.row, tables)
    }
    return erased
  }

  /// The replicas that removed a withdrawn zone.
  func confirmations(of zone: Int64, _ tables: ServerTables) throws -> Confirmations {
    var confirmations = Confirmations()
    let rows = try tables.all(
      "SELECT replica, kept FROM confirmations WHERE zone=?", .int(zone)
    ) { row in
      (try row.replica(0), try row.blob(1).reading { try $0.vector() })
    }
    for (replica, kept) in rows { confirmations[replica] = kept }
    return confirmations
  }

  private func access(
    _ account: String, _ domain: String, _ parts: [GuestPart], _ tables: ServerTables
  ) throws -> [ZoneID: ZoneAccess] {
    var access: [ZoneID: ZoneAccess] = [:]
    for part in parts where part.part != .nobody {
      access[part.id] = ZoneAccess(role: part.part.role, owner: part.owner)
    }
    let own = try tables.all(
      """
      SELECT z.zone, (SELECT count(*) FROM participants p
        WHERE p.share=s.id AND p.state IN ('pending', 'accepted'))
      FROM feeds f JOIN zones z ON z.feed=f.id JOIN shares s ON s.zone=z.id AND s.ended=0
      WHERE f.account=? AND f.domain=?
      """, .text(account), .text(domain)
    ) { (ZoneID(try $0.text(0)), Int(try $0.int(1))) }
    for (zone, participants) in own {
      access[zone] = ZoneAccess(role: .owner, participants: participants)
    }
    return access
  }
}

/// The entries of several zones in one line, cut into pages.
///
/// An entry stands at its own cursor, or where the reader was let into its zone if that came later.
/// Very many may stand at one place; a page that ends among them says so beside its position.
struct FeedLine {
  struct Entry {
    var place: UInt64
    var entry: FeedEntry
  }

  struct Page {
    var entries: [FeedEntry]
    /// The last place of which all was given.
    var cursor: UInt64
    /// How far the page goes into the place behind it.
    var inside: FeedOffset?
    var hasMore: Bool
  }

  let after: UInt64
  let inside: FeedOffset?
  let limit: Int
  private var entries: [Entry] = []

  init(after: UInt64, inside: FeedOffset? = nil, limit: Int) {
    self.after = after
    self.inside = inside
    self.limit = limit
  }

  /// The last entry of a place that the reader has; 0 for none.
  func given(at place: UInt64) -> UInt64 {
    if let inside, inside.place == place { inside.cursor } else { 0 }
  }

  mutating func add(_ more: [Entry]) {
    entries += more.filter { $0.entry.cursor > given(at: $0.place) }
  }

  /// The next page; each source has given at least one entry more than a page holds, if it has them.
  func page() -> Page {
    let line = entries.sorted {
      $0.place != $1.place ? $0.place < $1.place : $0.entry.cursor < $1.entry.cursor
    }
    let (page, rest) = (line.prefix(limit), line.dropFirst(limit))
    guard let last = page.last else {
      return Page(entries: [], cursor: after, inside: nil, hasMore: false)
    }
    guard last.place == rest.first?.place else {
      return Page(
        entries: page.map(\.entry), cursor: last.place, inside: nil, hasMore: !rest.isEmpty)
    }
    return Page(
      entries: page.map(\.entry), cursor: page.last { $0.place < last.place }?.place ?? after,
      inside: FeedOffset(place: last.place, cursor: last.entry.cursor), hasMore: true)
  }
}
