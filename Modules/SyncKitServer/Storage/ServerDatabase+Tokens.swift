import SyncCrypto
import SyncKit
public import SyncWire

/// Tokens and the audit log.
extension ServerDatabase {
  public func tokens(_ caller: Caller) async throws -> [WireToken] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try self.tokens(of: identity.account, tables)
    }
  }

  func tokens(of account: String, _ tables: ServerTables) throws -> [WireToken] {
    try tables.all(
      """
      SELECT t.id, t.name, t.scope, t.created, t.expires, t.used, t.device, t.maker, t.origin,
        d.name
      FROM tokens t LEFT JOIN devices d ON d.account=t.account AND d.id=t.origin
      WHERE t.account=? ORDER BY t.created, t.id
      """, .text(account)
    ) { row in
      WireToken(
        id: try row.text(0), name: try row.text(1),
        scope: TokenScope(rawValue: try row.text(2)) ?? .read, created: try row.int(3),
        expires: row.optionalInt(4), lastUsed: row.optionalInt(5), device: row.optionalText(6),
        by: row.optionalText(8).map { WireName(id: $0, name: row.optionalText(9) ?? "") },
        maker: row.optionalText(7))
    }
  }

  public func makeToken(
    _ name: String, _ scope: TokenScope, expires: Int64?, _ caller: Caller
  ) async throws -> WireToken {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let made = try self.makeToken(name, scope, expires: expires, by: identity, tables)
      try self.audit("token.make", made.id, called: made.name, by: identity, caller, tables)
      return made
    }
  }

  /// Makes a token that does no more and lasts no longer than the one it is made with.
  private func makeToken(
    _ name: String, _ scope: TokenScope, expires: Int64?, by identity: Identity,
    _ tables: ServerTables
  ) throws -> WireToken {
    guard identity.scope.includes(scope) else { throw Refusal.scope(scope) }
    let usual = environment.now() + policy.tokenLifetime
    let end = expires ?? usual
    return try makeToken(
      name, scope, expires: identity.expires.map { min($0, end) } ?? end, for: identity.account,
      by: identity, tables)
  }

  func makeToken(
    _ name: String, _ scope: TokenScope, expires: Int64?, for account: String,
    by identity: Identity? = nil, _ tables: ServerTables
  ) throws -> WireToken {
    let now = environment.now()
    let name = try NameRule.person(name, "name")
    if let expires, expires <= now {
      throw WireError(.invalid, "'expires' must be in the future.")
    }
    let count = try tables.count(
      "SELECT count(*) FROM tokens WHERE account=? AND (expires IS NULL OR expires>?)",
      .text(account), .int(now))
    guard count < policy.maximumTokens else {
      throw Refusal.full("tokens", policy.maximumTokens)
    }
    let token = TokenText(.token, from: environment)
    try insert(
      token, account: account, device: nil, name: name, scope: scope, expires: expires, idle: nil,
      until: expires, by: identity, tables)
    return WireToken(
      id: token.id, name: name, scope: scope, created: now, expires: expires, secret: token.text,
      maker: identity?.token)
  }

  func insert(
    _ token: TokenText, account: String, device: String?, name: String, scope: TokenScope,
    expires: Int64?, idle: Int64?, until: Int64?, by identity: Identity? = nil,
    _ tables: ServerTables
  ) throws {
    try tables.run(
      """
      INSERT INTO tokens(id, account, device, digest, name, scope, created, expires, idle, until,
        maker, origin)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(token.id), .text(account), .optional(device),
      .blob(SHA256.hash(token.secret)), .text(name), .text(scope.rawValue),
      .int(environment.now()), .optional(expires), .optional(idle), .optional(until),
      .optional(identity?.token), .optional(identity?.answerable))
  }

  public func revoke(token: String, _ caller: Caller) async throws -> Ended {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let name = try self.tokenName(token, in: identity.account, tables)
      try self.audit("token.revoke", token, called: name, by: identity, caller, tables)
      return try self.end(.token(token), in: identity.account, tables) {
        try self.audit($0, $1, called: $2, by: identity, caller, tables)
      }
    }
  }

  public func made(byToken token: String, _ caller: Caller) async throws -> Ended {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      _ = try self.tokenName(token, in: identity.account, tables)
      return try Descent(of: .token(token), in: identity.account, tables).told(self)
    }
  }

  private func tokenName(
    _ token: String, in account: String, _ tables: ServerTables
  ) throws -> String {
    let name = try tables.first(
      "SELECT name FROM tokens WHERE account=? AND id=?", .text(account), .text(token)
    ) { try $0.text(0) }
    guard let name else { throw Refusal.notFound }
    return name
  }

  public func audit(_ caller: Caller, limit: Int) async throws -> [AuditEntry] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try self.audit(of: identity.account, limit: limit, tables).map(\.entry)
    }
  }

  /// The newest lines of an account's audit log before a place, the newest first, each with its place.
  func audit(
    of account: String, limit: Int, before: Int64? = nil, _ tables: ServerTables
  ) throws -> [(id: Int64, entry: AuditEntry)] {
    let devices = try deviceNames(in: account, tables)
    let tokens = try tokenNames(in: account, tables)
    return try tables.all(
      """
      SELECT at, device, action, subject, address, token, name, id FROM audit
      WHERE account=? AND id<? ORDER BY id DESC LIMIT ?
      """, .text(account), .int(before ?? .max), .int(Int64(limit))
    ) { row in
      let (device, token) = (row.optionalText(1), row.optionalText(5))
      let entry = AuditEntry(
        at: try row.int(0), device: device, deviceName: device.flatMap { devices[$0] },
        token: token, tokenName: token.flatMap { tokens[$0] }, action: try row.text(2),
        subject: try row.text(3), name: row.optionalText(6), address: try row.text(4))
      return (try row.int(7), entry)
    }
  }

  /// What the devices of an account are called: those that are gone as they were called last.
  func deviceNames(in account: String, _ tables: ServerTables) throws -> [String: String] {
    try names(in: account, "device", "SELECT id, name FROM devices WHERE account=?", tables)
  }

  /// What the tokens of an account are called, also those that have ended.
  private func tokenNames(in account: String, _ tables: ServerTables) throws -> [String: String] {
    try names(in: account, "token", "SELECT id, name FROM tokens WHERE account=?", tables)
  }

  private func names(
    in account: String, _ kind: String, _ living: String, _ tables: ServerTables
  ) throws -> [String: String] {
    let past = try tables.all(
      """
      SELECT subject, name FROM audit WHERE account=? AND name IS NOT NULL AND action LIKE ?
      ORDER BY id
      """, .text(account), .text("\(kind).%")
    ) { (try $0.text(0), try $0.text(1)) }
    let present = try tables.all(living, .text(account)) { (try $0.text(0), try $0.text(1)) }
    return Dictionary(past + present, uniquingKeysWith: { _, later in later })
  }
}
