import SegmentFormat
import SyncKit
public import SyncWire

/// Shares and their participants.
extension ServerDatabase {
  /// A share as the tables have it.
  struct ShareRow {
    var id: String
    var zone: Int64
    var zoneID: ZoneID
    var domain: String
    var title: String
    var isEnded: Bool
    var owner: WireName

    /// The name of a participant in the audit.
    func called(_ person: String) -> String { "\(person), '\(title)'" }
  }

  public func shares(_ caller: Caller) async throws -> [WireShare] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      let ids = try tables.all(
        """
        SELECT s.id FROM feeds f JOIN zones z ON z.feed=f.id JOIN shares s ON s.zone=z.id
        WHERE f.account=?1 AND s.ended=0
        UNION SELECT p.share FROM participants p JOIN shares s ON s.id=p.share
          JOIN zones z ON z.id=s.zone
        WHERE p.account=?1 AND p.state IN ('accepted', 'removed') AND z.erased=0
        """, .text(identity.account)
      ) { try $0.text(0) }
      return try ids.sorted().compactMap { id in
        guard let row = try self.shareRow(id, tables) else { return nil }
        return try self.wire(row, for: identity.account, tables)
      }
    }
  }

  public func share(
    _ request: ShareRequest, _ caller: Caller
  ) async throws -> (share: WireShare, isNew: Bool) {
    guard SegmentLayout.isFolderName(request.domain), SegmentLayout.isFolderName(request.zone.text)
    else {
      throw Refusal.notFound
    }
    let title = try NameRule.person(request.title, "title")
    return try await write { tables in
      let identity = try self.identify(caller, tables)
      guard request.zone != .home else {
        throw WireError(.invalid, "The home zone of a domain cannot be shared.")
      }
      let summary = try self.summary(identity.account, request.domain, request.zone, tables)
      guard let zone = summary.row, ZoneDecision.mayShare(summary.part), !summary.isErased else {
        throw Refusal.notFound
      }
      let known = try tables.first("SELECT id FROM shares WHERE zone=? AND ended=0", .int(zone)) {
        try $0.text(0)
      }
      if let known {
        guard let row = try self.shareRow(known, tables) else { throw Refusal.notFound }
        return (try self.wire(row, for: identity.account, tables), false)
      }
      let count = try tables.count(
        """
        SELECT count(*) FROM feeds f JOIN zones z ON z.feed=f.id
          JOIN shares s ON s.zone=z.id AND s.ended=0 WHERE f.account=?
        """, .text(identity.account))
      guard count < self.policy.maximumShares else {
        throw Refusal.full("shares", self.policy.maximumShares)
      }
      let id = self.newID()
      try tables.run(
        "INSERT INTO shares(id, zone, title, created) VALUES(?, ?, ?, ?)", .text(id), .int(zone),
        .text(title), .int(self.environment.now()))
      try self.audit("share.make", id, called: title, by: identity, caller, tables)
      try self.wake(identity.account, request.domain, zone: zone, tables)
      guard let row = try self.shareRow(id, tables) else { throw Refusal.notFound }
      return (try self.wire(row, for: identity.account, tables), true)
    }
  }

  public func end(share: String, _ caller: Caller) async throws {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let row = try self.ownShare(share, identity, tables, evenEnded: true)
      guard !row.isEnded else { return }
      try self.wake(identity.account, row.domain, zone: row.zone, tables)
      try tables.run("UPDATE shares SET ended=1 WHERE id=?", .text(share))
      try tables.run(
        "DELETE FROM participants WHERE share=? AND state='pending'", .text(share))
      try tables.run(
        "UPDATE participants SET state='removed' WHERE share=? AND state='accepted'", .text(share))
      try self.audit("share.end", share, called: row.title, by: identity, caller, tables)
    }
  }

  // MARK: Looking up

  func shareRow(_ id: String, _ tables: ServerTables) throws -> ShareRow? {
    try tables.first(
      """
      SELECT s.id, s.zone, z.zone, f.domain, s.title, s.ended, a.id, a.name
      FROM shares s JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=z.feed
        JOIN accounts a ON a.id=f.account
      WHERE s.id=?
      """, .text(id)
    ) { row in
      ShareRow(
        id: try row.text(0), zone: try row.int(1), zoneID: ZoneID(try row.text(2)),
        domain: try row.text(3), title: try row.text(4), isEnded: try row.int(5) == 1,
        owner: WireName(id: try row.text(6), name: try row.text(7)))
    }
  }

  /// A share that the account owns.
  ///
  /// - Throws: ``WireError`` `not-found` for any other, `forbidden` to its participants.
  func ownShare(
    _ id: String, _ identity: Identity, _ tables: ServerTables, evenEnded: Bool = false
  ) throws -> ShareRow {
    let row = try shareRow(id, tables)
    if let row, row.owner.id == identity.account {
      guard !row.isEnded || evenEnded else { throw Refusal.notFound }
      return row
    }
    // Also for one that is not there, which is to cost no less.
    let part = try part(of: identity.account, in: row?.zone ?? 0, tables)
    // A guest knows the share, so it may know that it is not its own.
    guard let row, ZoneDecision.mayRead(part, isErased: false), !row.isEnded else {
      throw Refusal.notFound
    }
    throw Refusal.forbidden
  }

  func wire(_ row: ShareRow, for account: String, _ tables: ServerTables) throws -> WireShare {
    let isOwner = row.owner.id == account
    let participants = try tables.all(
      """
      SELECT p.id, p.name, a.name, p.role, p.state, p.account, p.card FROM participants p
        LEFT JOIN accounts a ON a.id=p.account
      WHERE p.share=? ORDER BY p.created, p.id
      """, .text(row.id)
    ) { try Self.participant($0) }
    let mine = participants.filter { $0.account == account }
    let part: ZonePart =
      isOwner
      ? .owner : mine.map(\.part).max { $0.rank < $1.rank } ?? .removed
    return WireShare(
      id: row.id, domain: row.domain, zone: row.zoneID, title: row.title, role: part.role,
      owner: row.owner, participants: (isOwner ? participants : mine).map(\.wire))
  }

  struct ParticipantRow {
    var wire: WireParticipant
    var part: ZonePart
    var state: ParticipantState
    var account: String?
  }

  /// Reads id, name, name of the account, role, state, account and card.
  static func participant(_ row: SQLRow) throws -> ParticipantRow {
    guard let role = ZoneAccess.Role(rawValue: try row.text(3)),
      let state = ParticipantState(rawValue: try row.text(4))
    else { throw SyncError(.storeDamaged, "The server's store has an unknown role or state.") }
    return ParticipantRow(
      wire: WireParticipant(
        id: try row.text(0), name: try row.optionalText(2) ?? row.text(1), role: role,
        state: state.wire, card: row.optionalText(6)),
      part: ZonePart(role: role, state: state), state: state, account: row.optionalText(5))
  }
}
