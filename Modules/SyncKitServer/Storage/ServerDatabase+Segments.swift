import SegmentFormat
public import SyncKit
public import SyncWire

/// Storing and fetching segments.
extension ServerDatabase {
  public func store(
    _ segments: [IncomingSegment], in domain: String, _ caller: Caller
  ) async throws -> [StoreResult] {
    guard SegmentLayout.isFolderName(domain) else { throw Refusal.notFound }
    let objects = try await deposit(segments, in: domain, caller)
    do {
      return try await gathering { gathered in
        try await write { tables in
          let identity = try self.identify(caller, tables)
          var intake = SegmentIntake(
            storage: self, identity: identity, domain: domain, gathered: gathered)
          let results = try segments.enumerated().map { place, segment in
            try intake.take(segment, keptAs: objects[place], tables)
          }
          // From here on they count as what they have become, if anything.
          try self.free(objects.values, tables)
          try intake.finish(tables)
          return results
        }
      }
    } catch let refusal as WireError where !objects.isEmpty {
      // Nothing of the request is there, so its objects need not wait for a day.
      try? await write { try self.free(objects.values, $0) }
      throw refusal
    }
  }

  public func fetch(
    _ cursors: [UInt64], of domain: String, upTo bytes: Int, _ caller: Caller
  ) async throws -> [[UInt8]?] {
    guard SegmentLayout.isFolderName(domain) else { throw Refusal.notFound }
    let found = try await bodies(cursors, of: domain, upTo: bytes, caller)
    return try await withThrowingTaskGroup(of: (Int, [UInt8]?).self) { group in
      var result = [[UInt8]?](repeating: nil, count: found.count)
      var running = 0
      for (place, entry) in found.enumerated() {
        switch entry?.body {
        case .row(let bytes): result[place] = bytes
        case .object(let object):
          guard let entry else { continue }
          if running == 8, let (place, bytes) = try await group.next() {
            result[place] = bytes
            running -= 1
          }
          running += 1
          group.addTask {
            (place, try await self.bytes(of: object, under: entry.cursor))
          }
        case nil: break
        }
      }
      for try await (place, bytes) in group { result[place] = bytes }
      return result
    }
  }

  /// The bytes of the object of a segment; nil when the segment has gone meanwhile.
  ///
  /// - Throws: ``SyncError`` `store.damaged` when the segment is there and its object is not.
  private func bytes(of object: BodyObject, under cursor: Int64) async throws -> [UInt8]? {
    if let bytes = try await bytes(of: object) { return bytes }
    let isThere = try await read { tables in
      try tables.exists("SELECT 1 FROM objects WHERE cursor=?", .int(cursor))
    }
    guard isThere else { return nil }
    throw SyncError(
      .storeDamaged, "The body of segment \(cursor) is not in the bucket as it was stored.",
      hint: "'cloudsync-server server check' lists all that are missing.")
  }

  /// Where the bodies are that a caller may read, as far as they fit into so many bytes.
  private func bodies(
    _ cursors: [UInt64], of domain: String, upTo bytes: Int, _ caller: Caller
  ) async throws -> [(cursor: Int64, body: StoredBody?)?] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      var mayRead: [Int64: Bool] = [:]
      var found: [(cursor: Int64, body: StoredBody?)?] = []
      var total = 0
      for cursor in cursors {
        guard let cursor = Int64(exactly: cursor) else {
          found.append(nil)
          continue
        }
        let row = try tables.first(
          """
          SELECT s.zone, s.size, z.zone, z.erased, f.account FROM segments s
            JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=s.feed
          WHERE s.cursor=? AND f.domain=?
          """, .int(cursor), .text(domain)
        ) { row in
          (
            zone: try row.int(0), size: Int(try row.int(1)), isErased: try row.int(3) == 1,
            isOwn: try row.text(4) == identity.account
          )
        }
        // What does not exist is in a zone without participants, so it costs no less.
        let zone = row?.zone ?? 0
        let isAllowed =
          try mayRead[zone]
          ?? {
            let isOwn = row?.isOwn == true
            let part = isOwn ? .owner : try self.part(of: identity.account, in: zone, tables)
            return ZoneDecision.mayRead(part, isErased: row?.isErased ?? true)
          }()
        mayRead[zone] = isAllowed
        guard let row, isAllowed else {
          found.append(nil)
          continue
        }
        guard total == 0 || total + row.size <= bytes else { break }
        total += row.size
        found.append((cursor, try tables.body(cursor)))
      }
      return found
    }
  }

  public func remove(
    _ cursors: [UInt64], of domain: String, _ caller: Caller
  ) async throws -> [UInt64] {
    guard SegmentLayout.isFolderName(domain) else { throw Refusal.notFound }
    let gathered = try await bodiesToRemove(cursors, of: domain, caller)
    let removed = try await write { tables in
      let identity = try self.identify(caller, tables)
      var held = HeldSegments(
        storage: self, account: identity.account, domain: domain, tables: tables,
        gathered: gathered)
      return try cursors.filter { try held.remove($0) }
    }
    if !removed.isEmpty { compactLogs() }
    return removed
  }

  /// The bodies in the bucket that are looked into before these segments are removed.
  private func bodiesToRemove(
    _ cursors: [UInt64], of domain: String, _ caller: Caller
  ) async throws -> GatheredBodies {
    var gathered = GatheredBodies()
    guard bucket != nil else { return gathered }
    while true {
      let missing = try await read { [gathered] tables in
        let identity = try self.identify(caller, tables)
        var held = HeldSegments(
          storage: self, account: identity.account, domain: domain, tables: tables,
          gathered: gathered)
        for cursor in cursors { _ = try held.removable(cursor) }
        return held.missing
      }
      guard !missing.isEmpty else { return gathered }
      try await gathered.add(missing, from: self)
    }
  }

  /// A guest's part in another account's zone.
  func part(of account: String, in zone: Int64, _ tables: ServerTables) throws -> ZonePart {
    let parts = try tables.all(
      """
      SELECT p.role, p.state FROM shares s JOIN participants p ON p.share=s.id
      WHERE s.zone=? AND p.account=?
      """, .int(zone), .text(account)
    ) { try Self.part($0, role: 0, state: 1) }
    return parts.max { $0.rank < $1.rank } ?? .nobody
  }

  public func erase(
    _ zone: ZoneID, of domain: String, _ confirmations: Confirmations, _ caller: Caller
  ) async throws {
    guard SegmentLayout.isFolderName(domain), SegmentLayout.isFolderName(zone.text) else {
      throw Refusal.notFound
    }
    try await write { tables in
      let identity = try self.identify(caller, tables)
      guard zone != .home else {
        throw WireError(.invalid, "The home zone of a domain is never erased.")
      }
      var summary = try self.summary(identity.account, domain, zone, tables)
      switch ZoneDecision.erasing(
        summary.part, isErased: summary.isErased, scope: identity.scope)
      {
      case .erase: break
      case .refused: throw Refusal.forbidden
      case .beyondScope:
        throw WireError(.forbidden, "Erasing a zone needs a token with the scope 'manage'.")
      }
      if !summary.isErased { try self.checkMarks(identity.account, domain, tables) }
      if summary.row == nil {
        summary = try self.makeZone(identity.account, domain, zone, tables)
      }
      guard let row = summary.row else { throw Refusal.notFound }
      let isNew = !summary.isErased
      let isChanged = try self.confirm(confirmations, row, tables)
      if isNew {
        try self.empty(row, owner: summary.owner, tables)
        try self.audit("zone.erase", "\(domain)/\(zone)", by: identity, caller, tables)
      }
      if isNew || isChanged { try self.wake(summary.owner, domain, zone: row, tables) }
    }
    compactLogs()
  }

  /// Refuses one more erased zone where there are as many as there may be: they are told for good.
  private func checkMarks(_ account: String, _ domain: String, _ tables: ServerTables) throws {
    let count = try tables.count(
      """
      SELECT count(*) FROM feeds f JOIN zones z ON z.feed=f.id AND z.erased=1
      WHERE f.account=? AND f.domain=?
      """, .text(account), .text(domain))
    guard count < policy.maximumErasures else {
      throw Refusal.full("erased zones in this domain", policy.maximumErasures)
    }
  }

  /// Adds replicas that removed a zone; returns whether any was new.
  private func confirm(
    _ confirmations: Confirmations, _ zone: Int64, _ tables: ServerTables
  ) throws -> Bool {
    var isChanged = false
    for (replica, kept) in confirmations.vectors {
      let known = try tables.first(
        "SELECT kept FROM confirmations WHERE zone=? AND replica=?", .int(zone),
        .blob(replica.bytes)
      ) { try $0.blob(0) }
      var vector = kept
      if let known { vector.formUnion(try known.reading { try $0.vector() }) }
      var writer = ByteWriter()
      writer.write(vector)
      guard writer.bytes != known else { continue }
      isChanged = true
      try tables.run(
        """
        INSERT INTO confirmations(zone, replica, kept) VALUES(?, ?, ?)
        ON CONFLICT(zone, replica) DO UPDATE SET kept=excluded.kept
        """, .int(zone), .blob(replica.bytes), .blob(writer.bytes))
    }
    let count = try tables.count("SELECT count(*) FROM confirmations WHERE zone=?", .int(zone))
    guard count <= policy.maximumConfirmations else {
      throw Refusal.full("confirmations of this erasure", policy.maximumConfirmations)
    }
    return isChanged
  }

  /// Marks a zone, then takes its content and ends its share.
  private func empty(_ zone: Int64, owner: String, _ tables: ServerTables) throws {
    try tables.run("UPDATE zones SET erased=1 WHERE id=?", .int(zone))
    try tables.run(
      """
      UPDATE accounts SET
        bytes=bytes - coalesce((SELECT sum(size) FROM segments WHERE zone=?1), 0),
        records=records - coalesce((SELECT sum(records) FROM segments WHERE zone=?1), 0)
      WHERE id=?2
      """, .int(zone), .text(owner))
    try tables.run("DELETE FROM segments WHERE zone=?", .int(zone))
    try tables.run("DELETE FROM series WHERE zone=?", .int(zone))
    try tables.run(
      """
      DELETE FROM participants WHERE state='pending' AND share IN
        (SELECT id FROM shares WHERE zone=?)
      """, .int(zone))
    // Participants may still learn of the erasure and confirm it.
    try tables.run("UPDATE shares SET ended=1 WHERE zone=?", .int(zone))
  }
}
