import SyncCrypto
public import SyncKit
public import SyncWire

/// Inviting, taking part and leaving.
extension ServerDatabase {
  public func invite(
    _ request: InvitationRequest, to share: String, _ caller: Caller
  ) async throws -> Invitation {
    let name = try NameRule.person(request.name, "name")
    return try await write { tables in
      let identity = try self.identify(caller, tables)
      let row = try self.ownShare(share, identity, tables)
      let now = self.environment.now()
      try tables.run(
        "DELETE FROM participants WHERE share=? AND state='pending' AND expires<=?", .text(share),
        .int(now))
      let count = try tables.count(
        """
        SELECT count(*) FROM participants WHERE share=? AND state IN ('pending', 'accepted')
        """, .text(share))
      guard count < self.policy.maximumParticipants else {
        throw WireError(
          .tooManyParticipants,
          "A share has at most \(self.policy.maximumParticipants) participants.")
      }
      let secret = TokenText(.invitation, from: self.environment)
      let id = self.newID()
      let end = now + self.policy.invitationLifetime
      let expires = identity.expires.map { min($0, end) } ?? end
      try tables.run(
        """
        INSERT INTO participants(id, share, name, role, state, secret, digest, expires, created,
          maker, origin)
        VALUES(?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?)
        """, .text(id), .text(share), .text(name), .text(request.role.rawValue), .text(secret.id),
        .blob(SHA256.hash(secret.secret)), .int(expires), .int(now),
        .text(identity.token), .optional(identity.answerable))
      try self.audit("share.invite", id, called: row.called(name), by: identity, caller, tables)
      try self.wake(identity.account, row.domain, zone: row.zone, tables)
      return Invitation(
        participant: WireParticipant(id: id, name: name, role: request.role, state: .pending),
        secret: secret.text, expires: expires)
    }
  }

  public func accept(
    _ secret: TokenText, showing card: String?, _ caller: Caller
  ) async throws -> WireShare {
    if let card, card.utf8.count > WireParticipant.cardLimit {
      throw WireError(.invalid, "A card has at most \(WireParticipant.cardLimit) bytes.")
    }
    let digest = SHA256.hash(secret.secret)
    return try await write { tables in
      let identity = try self.identify(caller, tables)
      let found = try tables.first(
        "SELECT id, share, account, state, digest, expires FROM participants WHERE secret=?",
        .text(secret.id)
      ) { row in
        (
          id: try row.text(0), share: try row.text(1), account: row.optionalText(2),
          state: try row.text(3), digest: try row.blob(4), expires: try row.int(5)
        )
      }
      let isSame = self.isSame(digest, found?.digest, tables)
      guard secret.kind == .invitation, let found, isSame,
        let share = try self.shareRow(found.share, tables), !share.isEnded
      else { throw Refusal.gone }
      guard share.owner.id != identity.account else {
        throw WireError(.conflict, "The invitation is to a share of your own.")
      }
      if found.account == identity.account, found.state == ParticipantState.accepted.rawValue {
        try self.show(card, of: found.id, share, tables)
        return try self.wire(share, for: identity.account, tables)
      }
      guard found.account == nil, found.state == ParticipantState.pending.rawValue,
        found.expires > self.environment.now()
      else { throw Refusal.gone }
      try self.take(found.id, share, identity, tables)
      try self.show(card, of: found.id, share, tables)
      try self.audit("share.accept", share.id, called: share.title, by: identity, caller, tables)
      try self.tellOwner("share.accept", found.id, share, identity, tables)
      try self.wake(share.owner.id, share.domain, zone: share.zone, tables)
      return try self.wire(share, for: identity.account, tables)
    }
  }

  /// Keeps what a guest shows of its keys, for the owner.
  private func show(
    _ card: String?, of participant: String, _ share: ShareRow, _ tables: ServerTables
  ) throws {
    guard let card else { return }
    let isNew = try tables.exists(
      "SELECT 1 FROM participants WHERE id=? AND (card IS NULL OR card<>?)", .text(participant),
      .text(card))
    guard isNew else { return }
    try tables.run(
      "UPDATE participants SET card=? WHERE id=?", .text(card), .text(participant))
    try wake(share.owner.id, share.domain, zone: share.zone, tables)
  }

  /// Gives a pending part to an account, from a new cursor on.
  private func take(
    _ participant: String, _ share: ShareRow, _ identity: Identity, _ tables: ServerTables
  ) throws {
    let summary = try summary(identity.account, share.domain, share.zoneID, tables)
    switch summary.part {
    case .owner:
      throw WireError(.zoneTaken, "The account has a zone of its own with this id.")
    case .reader, .writer:
      guard summary.row == share.zone else {
        throw WireError(.zoneTaken, "The account takes part in another zone with this id.")
      }
      // It takes part already: the invitation stays for another person.
      return
    case .nobody, .removed, .left: break
    }
    try tables.run(
      "DELETE FROM participants WHERE share=? AND account=?", .text(share.id),
      .text(identity.account))
    try tables.run(
      "UPDATE participants SET account=?, state='accepted', granted=? WHERE id=?",
      .text(identity.account), .int(Int64(clamping: try tables.nextCursor())), .text(participant))
  }

  public func change(
    participant: String, of share: String, to role: ZoneAccess.Role, _ caller: Caller
  ) async throws -> WireParticipant {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let row = try self.ownShare(share, identity, tables)
      guard let found = try self.participant(participant, of: share, tables),
        found.state == .accepted || found.state == .pending
      else { throw Refusal.notFound }
      try tables.run(
        "UPDATE participants SET role=? WHERE id=?", .text(role.rawValue), .text(participant))
      try self.audit(
        "share.role", participant, called: "\(row.called(found.wire.name)): \(role.rawValue)",
        by: identity, caller, tables)
      try self.wake(identity.account, row.domain, zone: row.zone, tables)
      var wire = found.wire
      wire.role = role
      return wire
    }
  }

  public func remove(participant: String, of share: String, _ caller: Caller) async throws {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let row = try self.shareRow(share, tables)
      let found = try self.participant(participant, of: share, tables)
      if let row, let found, found.account == identity.account {
        try self.wake(row.owner.id, row.domain, zone: row.zone, tables)
        try tables.run("UPDATE participants SET state='left' WHERE id=?", .text(participant))
        try self.audit(
          "share.leave", participant, called: row.title, by: identity, caller, tables)
        try self.tellOwner("share.leave", participant, row, identity, tables)
        return
      }
      let own = try self.ownShare(share, identity, tables, evenEnded: true)
      try self.wake(own.owner.id, own.domain, zone: own.zone, tables)
      guard identity.scope.includes(.manage) else { throw Refusal.scope(.manage) }
      guard let found else { throw Refusal.notFound }
      switch found.state {
      case .pending:
        try tables.run("DELETE FROM participants WHERE id=?", .text(participant))
      case .accepted:
        try tables.run("UPDATE participants SET state='removed' WHERE id=?", .text(participant))
      case .removed, .left: return
      }
      try self.audit(
        "share.remove", participant, called: own.called(found.wire.name), by: identity, caller,
        tables)
    }
  }

  /// Writes what a guest did to its part into the owner's audit, without where the guest is.
  private func tellOwner(
    _ action: String, _ participant: String, _ share: ShareRow, _ guest: Identity,
    _ tables: ServerTables
  ) throws {
    try audit(
      action, participant, called: share.called(guest.accountName), account: share.owner.id,
      device: nil, address: "guest", tables)
  }

  private func participant(
    _ id: String, of share: String, _ tables: ServerTables
  ) throws -> ParticipantRow? {
    try tables.first(
      """
      SELECT p.id, p.name, a.name, p.role, p.state, p.account, p.card FROM participants p
        LEFT JOIN accounts a ON a.id=p.account
      WHERE p.id=? AND p.share=?
      """, .text(id), .text(share)
    ) { try Self.participant($0) }
  }
}
