import Crypto
import SyncKit
public import SyncWire

/// Tokens and the audit log.
extension SQLiteServerStorage {
  public func tokens(_ caller: Caller) async throws -> [WireToken] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try self.tokens(of: identity.account, tables)
    }
  }

  func tokens(of account: String, _ tables: ServerTables) throws -> [WireToken] {
    try tables.all(
      """
      SELECT id, name, scope, created, expires, used FROM tokens WHERE account=?
      ORDER BY created, id
      """, .text(account)
    ) { row in
      WireToken(
        id: try row.text(0), name: try row.text(1),
        scope: TokenScope(rawValue: try row.text(2)) ?? .read, created: try row.int(3),
        expires: row.optionalInt(4), lastUsed: row.optionalInt(5))
    }
  }

  public func makeToken(
    _ name: String, _ scope: TokenScope, expires: Int64?, _ caller: Caller
  ) async throws -> WireToken {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let made = try self.makeToken(
        name, scope, expires: expires, for: identity.account, tables)
      try self.audit("token.make", made.id, by: identity, caller, tables)
      return made
    }
  }

  func makeToken(
    _ name: String, _ scope: TokenScope, expires: Int64?, for account: String,
    _ tables: ServerTables
  ) throws -> WireToken {
    let now = environment.now()
    let name = try NameRule.person(name, "name")
    if let expires, expires <= now {
      throw WireError(.invalid, "'expires' must be in the future.")
    }
    let count = try tables.count("SELECT count(*) FROM tokens WHERE account=?", .text(account))
    guard count < policy.maximumTokens else { throw Refusal.full("tokens") }
    let token = TokenText(.token, from: environment)
    try insert(
      token, account: account, device: nil, name: name, scope: scope, expires: expires, idle: nil,
      tables)
    return WireToken(
      id: token.id, name: name, scope: scope, created: now, expires: expires, secret: token.text)
  }

  func insert(
    _ token: TokenText, account: String, device: String?, name: String, scope: TokenScope,
    expires: Int64?, idle: Int64?, _ tables: ServerTables
  ) throws {
    try tables.run(
      """
      INSERT INTO tokens(id, account, device, digest, name, scope, created, expires, idle)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(token.id), .text(account), .optional(device),
      .blob(Array(SHA256.hash(data: token.secret))), .text(name), .text(scope.rawValue),
      .int(environment.now()), .optional(expires), .optional(idle))
  }

  public func revoke(token: String, _ caller: Caller) async throws {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      guard
        try tables.exists(
          "SELECT 1 FROM tokens WHERE account=? AND id=?", .text(identity.account), .text(token))
      else { throw Refusal.notFound }
      try self.end(tokens: [token], tables)
      try self.audit("token.revoke", token, by: identity, caller, tables)
    }
  }

  public func audit(_ caller: Caller, limit: Int) async throws -> [AuditEntry] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try tables.all(
        """
        SELECT at, device, action, subject, address FROM audit WHERE account=?
        ORDER BY id DESC LIMIT ?
        """, .text(identity.account), .int(Int64(limit))
      ) { row in
        AuditEntry(
          at: try row.int(0), device: row.optionalText(1), action: try row.text(2),
          subject: try row.text(3), address: try row.text(4))
      }
    }
  }
}
