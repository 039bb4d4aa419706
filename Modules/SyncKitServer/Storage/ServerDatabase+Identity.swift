import FoundationEssentials
import SyncCrypto
import SyncKit
import SyncWire

/// Identifying the caller.
extension ServerDatabase {
  public func identity(_ caller: Caller) async throws -> Identity {
    let question = ResponseCache.Question.identity(ResponseCache.Asker(caller))
    let (known, version) = cache.answer(question)
    if let known, isAlive(known.identity) { return known.identity }
    let identity = try await read { try self.identify(caller, $0) }
    cache.learn(question, ResponseCache.Answer(identity: identity), since: version)
    return identity
  }

  /// Whether a token that is there has not ended by itself.
  func isAlive(_ identity: Identity) -> Bool {
    identity.expires.map { $0 > environment.now() } ?? true
  }

  /// Whom a token belongs to, if it is good and allows what is asked.
  ///
  /// - Throws: ``WireError`` `unauthenticated`, `forbidden`.
  func identify(_ caller: Caller, _ tables: ServerTables) throws -> Identity {
    let row = try tables.first(
      """
      SELECT t.account, a.name, t.device, t.digest, t.scope, t.expires, t.origin, t.until,
        a.locked
      FROM tokens t JOIN accounts a ON a.id=t.account WHERE t.id=?
      """, .text(caller.token)
    ) { row in
      (
        identity: Identity(
          account: try row.text(0), accountName: try row.text(1), device: row.optionalText(2),
          token: caller.token, scope: TokenScope(rawValue: try row.text(4)) ?? .read,
          expires: row.optionalInt(5), origin: row.optionalText(6), until: row.optionalInt(7)),
        digest: try row.blob(3), isLocked: row.optionalInt(8) != nil
      )
    }
    // An unknown token costs the same comparison as a known one.
    let isSame = isSame(caller.digest, row?.digest, tables)
    guard let row, isSame, isAlive(row.identity) else {
      throw Refusal.unauthenticated
    }
    guard !row.isLocked else { throw Refusal.locked }
    guard row.identity.scope.includes(caller.needs) else { throw Refusal.scope(caller.needs) }
    return row.identity
  }

  private static let nobody = [UInt8](repeating: 0, count: 32)

  /// Compares a secret with the one that is there, in the same time when there is none.
  func isSame(_ digest: [UInt8], _ found: [UInt8]?, _ tables: ServerTables) -> Bool {
    tables.work.addComparison()
    return Secret.isEqual(digest, found ?? Self.nobody)
  }

  /// Writes a line into an account's audit log.
  ///
  /// `name` is what people call the subject at this moment: what has ended has no name afterwards.
  func audit(
    _ action: String, _ subject: String, called name: String? = nil, account: String,
    device: String?, token: String? = nil, address: String, _ tables: ServerTables
  ) throws {
    try tables.run(
      """
      INSERT INTO audit(account, at, device, action, subject, address, token, name)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(account), .int(environment.now()), .optional(device), .text(action),
      .text(subject), .text(address), .optional(token), .optional(name))
    try tables.run(
      """
      DELETE FROM audit WHERE account=?1 AND id <=
        (SELECT id FROM audit WHERE account=?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """, .text(account), .int(policy.auditLines))
  }

  func audit(
    _ action: String, _ subject: String, called name: String? = nil, by identity: Identity,
    _ caller: Caller, _ tables: ServerTables
  ) throws {
    try audit(
      action, subject, called: name, account: identity.account, device: identity.answerable,
      token: identity.device == nil ? identity.token : nil, address: caller.address, tables)
  }

  /// A new random id: 16 digits of base32.
  func newID() -> String {
    let word = environment.random()
    let more = environment.random()
    let bytes =
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } + [
        UInt8(truncatingIfNeeded: more), UInt8(truncatingIfNeeded: more >> 8),
      ]
    return Base32.encode(bytes)
  }

  /// Ends tokens, here and, by the counter, for every other process.
  func end(tokens: [String], _ tables: ServerTables) throws {
    guard !tokens.isEmpty else { return }
    for token in tokens { try tables.run("DELETE FROM tokens WHERE id=?", .text(token)) }
    try tables.run("UPDATE counters SET value=value+1 WHERE name='ended'")
    tables.news.endedTokens.formUnion(tokens)
  }

  public func endings() async throws -> Int64 {
    try await read { try $0.count("SELECT value FROM counters WHERE name='ended'") }
  }

  public func places(of accounts: Set<String>) async throws -> Set<StorageNews.Place> {
    try await read { tables in
      var places: Set<StorageNews.Place> = []
      for account in accounts {
        let domains = try tables.all(
          """
          SELECT domain FROM feeds WHERE account=?1
          UNION SELECT f.domain FROM participants p JOIN shares s ON s.id=p.share
            JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=z.feed WHERE p.account=?1
          """, .text(account)
        ) { try $0.text(0) }
        for domain in domains { places.insert(.init(account: account, domain: domain)) }
      }
      return places
    }
  }

  public func living(_ tokens: Set<String>) async throws -> Set<String> {
    let now = environment.now()
    return try await read { tables in
      try tokens.filter { token in
        try tables.exists(
          """
          SELECT 1 FROM tokens t JOIN accounts a ON a.id=t.account AND a.locked IS NULL
          WHERE t.id=? AND (t.expires IS NULL OR t.expires > ?)
          """, .text(token), .int(now))
      }
    }
  }

  public func note(uses: [String: Int64]) async throws {
    try await write { tables in
      for (token, at) in uses {
        try tables.run(
          """
          UPDATE tokens SET used=CASE WHEN used > ?2 THEN used ELSE ?2 END,
            expires=CASE
              WHEN idle IS NULL OR expires >= ?2 + idle AND (until IS NULL OR expires <= until)
                THEN expires
              WHEN until <= ?2 + idle OR until <= expires THEN until
              ELSE ?2 + idle END
          WHERE id=?1
          """, .text(token), .int(at))
        try tables.run(
          """
          UPDATE devices SET seen=CASE WHEN seen > ?2 THEN seen ELSE ?2 END
          WHERE (account, id) IN (SELECT account, device FROM tokens WHERE id=?1)
          """, .text(token), .int(at))
      }
    }
  }
}
