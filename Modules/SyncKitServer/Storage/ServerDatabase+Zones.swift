import SyncKit

/// How an account stands to a zone, as the tables say.
struct ZoneSummary {
  /// The row of the zone; nil when there is none.
  var row: Int64?
  /// The feed that the zone is in; nil when there is no zone.
  var feed: Int64?
  /// Whose it is; the account that asks when there is none.
  var owner: String
  /// Whether it was withdrawn.
  var isErased: Bool
  /// The account's part.
  var part: ZonePart
}

extension ServerDatabase {
  /// How an account stands to the zone that it calls so.
  func summary(
    _ account: String, _ domain: String, _ zone: ZoneID, _ tables: ServerTables
  ) throws -> ZoneSummary {
    let own = try tables.first(
      """
      SELECT z.id, z.feed, z.erased FROM feeds f JOIN zones z ON z.feed=f.id AND z.zone=?
      WHERE f.account=? AND f.domain=?
      """, .text(zone.text), .text(account), .text(domain)
    ) { row in
      ZoneSummary(
        row: try row.int(0), feed: try row.int(1), owner: account, isErased: try row.int(2) == 1,
        part: .owner)
    }
    if let own { return own }
    let parts = try tables.all(
      """
      SELECT z.id, z.feed, f.account, z.erased, p.role, p.state
      FROM participants p JOIN shares s ON s.id=p.share JOIN zones z ON z.id=s.zone
        JOIN feeds f ON f.id=z.feed
      WHERE p.account=? AND f.domain=? AND z.zone=?
      """, .text(account), .text(domain), .text(zone.text)
    ) { row in
      ZoneSummary(
        row: try row.int(0), feed: try row.int(1), owner: try row.text(2),
        isErased: try row.int(3) == 1, part: try Self.part(row, role: 4, state: 5))
    }
    return parts.max { $0.part.rank < $1.part.rank }
      ?? ZoneSummary(row: nil, feed: nil, owner: account, isErased: false, part: .nobody)
  }

  static func part(_ row: SQLRow, role: Int32, state: Int32) throws -> ZonePart {
    guard let role = ZoneAccess.Role(rawValue: try row.text(role)),
      let state = ParticipantState(rawValue: try row.text(state))
    else { throw SyncError(.storeDamaged, "The server's store has an unknown role or state.") }
    return ZonePart(role: role, state: state)
  }

  /// The account's feed of a domain, made when there is none.
  func makeFeed(_ account: String, _ domain: String, _ tables: ServerTables) throws -> Int64 {
    if let feed = try self.feed(account, domain, tables) { return feed }
    let count = try tables.count("SELECT count(*) FROM feeds WHERE account=?", .text(account))
    guard count < policy.maximumDomains else {
      throw Refusal.full("domains", policy.maximumDomains)
    }
    try tables.run(
      "INSERT INTO feeds(account, domain) VALUES(?, ?)", .text(account), .text(domain))
    return try self.feed(account, domain, tables) ?? 0
  }

  func feed(_ account: String, _ domain: String, _ tables: ServerTables) throws -> Int64? {
    try tables.first(
      "SELECT id FROM feeds WHERE account=? AND domain=?", .text(account), .text(domain)
    ) { try $0.int(0) }
  }

  /// Makes a zone of the account's own.
  func makeZone(
    _ account: String, _ domain: String, _ zone: ZoneID, _ tables: ServerTables
  ) throws -> ZoneSummary {
    let feed = try makeFeed(account, domain, tables)
    let count = try tables.count("SELECT count(*) FROM zones WHERE feed=?", .int(feed))
    guard count < policy.maximumZones else {
      throw Refusal.full("zones in a domain", policy.maximumZones)
    }
    let row = try tables.first(
      "INSERT INTO zones(feed, zone) VALUES(?, ?) RETURNING id", .int(feed), .text(zone.text)
    ) { try $0.int(0) }
    return ZoneSummary(row: row, feed: feed, owner: account, isErased: false, part: .owner)
  }

  /// Tells the owner and the participants of a zone that something has arrived.
  func wake(
    _ owner: String, _ domain: String, zone: Int64, _ tables: ServerTables
  ) throws {
    tables.news.places.insert(.init(account: owner, domain: domain))
    let guests = try tables.all(
      """
      SELECT p.account FROM shares s JOIN participants p ON p.share=s.id
      WHERE s.zone=? AND p.state='accepted'
      """, .int(zone)
    ) { $0.optionalText(0) }
    for guest in guests {
      if let guest { tables.news.places.insert(.init(account: guest, domain: domain)) }
    }
  }
}
