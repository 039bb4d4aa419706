import Crypto
import SyncKit
public import SyncWire

/// Joining, the account and its devices.
extension SQLiteServerStorage {
  public func join(_ request: JoinRequest, address: String) async throws -> Joined {
    guard NameRule.isDevice(request.device.id) else {
      throw WireError(.invalid, "A device's id must be 1 to 64 letters, digits, '-' and '_'.")
    }
    let name = try NameRule.person(request.device.name, "name")
    let device = WireName(id: request.device.id, name: name)
    guard let code = JoinCode(request.code) else { throw Refusal.gone }
    return try await write { try self.join(code, device, address, $0) }
  }

  private func join(
    _ code: JoinCode, _ device: WireName, _ address: String, _ tables: ServerTables
  ) throws -> Joined {
    let now = environment.now()
    let found = try tables.first(
      """
      SELECT c.account, a.name, c.expires FROM codes c JOIN accounts a ON a.id=c.account
      WHERE c.digest=?
      """, .blob(code.digest)
    ) { row in
      (account: WireName(id: try row.text(0), name: try row.text(1)), expires: try row.int(2))
    }
    guard let found, found.expires > now else { throw Refusal.gone }
    let account = found.account
    let isKnown = try tables.exists(
      "SELECT 1 FROM devices WHERE account=? AND id=?", .text(account.id), .text(device.id))
    let count = try tables.count("SELECT count(*) FROM devices WHERE account=?", .text(account.id))
    guard isKnown || count < policy.maximumDevices else { throw Refusal.full("devices") }
    try tables.run("DELETE FROM codes WHERE digest=?", .blob(code.digest))
    // A device that joins again has lost its token, so the old one ends.
    try endTokens(ofDevice: device.id, account.id, tables)
    try tables.run(
      """
      INSERT INTO devices(account, id, name, joined) VALUES(?, ?, ?, ?)
      ON CONFLICT(account, id) DO UPDATE SET name=excluded.name, joined=excluded.joined
      """, .text(account.id), .text(device.id), .text(device.name), .int(now))
    let token = TokenText(.token, from: environment)
    let expires = policy.deviceTokenIdle.map { now + $0 }
    try insert(
      token, account: account.id, device: device.id, name: device.name, scope: .manage,
      expires: expires, idle: policy.deviceTokenIdle, tables)
    try audit(
      "device.join", device.id, account: account.id, device: device.id, address: address, tables)
    return Joined(account: account, token: token.text, expires: expires)
  }

  public func account(_ caller: Caller) async throws -> AccountState {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      let state = try tables.first(
        "SELECT bytes, records, maximum_bytes, maximum_records FROM accounts WHERE id=?",
        .text(identity.account)
      ) { row in
        AccountState(
          account: WireName(id: identity.account, name: identity.accountName),
          scopes: TokenScope.allCases.filter { identity.scope.includes($0) },
          usedBytes: try row.int(0), usedRecords: try row.int(1),
          maximumBytes: row.optionalInt(2), maximumRecords: row.optionalInt(3))
      }
      guard let state else { throw Refusal.unauthenticated }
      return state
    }
  }

  public func devices(_ caller: Caller) async throws -> [WireDevice] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try tables.all(
        "SELECT id, name, joined, seen FROM devices WHERE account=? ORDER BY joined, id",
        .text(identity.account)
      ) { try Self.device($0, identity) }
    }
  }

  public func rename(
    device: String, _ name: String, _ caller: Caller
  ) async throws -> WireDevice {
    let name = try NameRule.person(name, "name")
    return try await write { tables in
      let identity = try self.identify(caller, tables)
      try tables.run(
        "UPDATE devices SET name=? WHERE account=? AND id=?", .text(name), .text(identity.account),
        .text(device))
      let renamed = try tables.first(
        "SELECT id, name, joined, seen FROM devices WHERE account=? AND id=?",
        .text(identity.account), .text(device)
      ) { try Self.device($0, identity) }
      guard let renamed else { throw Refusal.notFound }
      try self.audit("device.rename", device, by: identity, caller, tables)
      return renamed
    }
  }

  public func remove(device: String, _ caller: Caller) async throws {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      guard
        try tables.exists(
          "SELECT 1 FROM devices WHERE account=? AND id=?", .text(identity.account), .text(device))
      else { throw Refusal.notFound }
      try self.endTokens(ofDevice: device, identity.account, tables)
      try tables.run(
        "DELETE FROM devices WHERE account=? AND id=?", .text(identity.account), .text(device))
      try self.audit("device.remove", device, by: identity, caller, tables)
    }
  }

  public func pair(_ caller: Caller) async throws -> PairingCode {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let code = try self.makeCode(
        "pairing", digits: 8, lifetime: self.policy.pairingLifetime, for: identity.account, tables)
      try self.audit("device.pair", "", by: identity, caller, tables)
      return code
    }
  }

  /// Makes a code; an account has only so many at once.
  func makeCode(
    _ kind: String, digits: Int, lifetime: Int64, for account: String, _ tables: ServerTables
  ) throws -> PairingCode {
    let now = environment.now()
    try tables.run("DELETE FROM codes WHERE expires <= ?", .int(now))
    let count = try tables.count("SELECT count(*) FROM codes WHERE account=?", .text(account))
    guard count < policy.maximumCodes else { throw Refusal.full("codes at once") }
    let code = JoinCode(digits: digits, from: environment)
    try tables.run(
      "INSERT INTO codes(digest, account, kind, created, expires) VALUES(?, ?, ?, ?, ?)",
      .blob(code.digest), .text(account), .text(kind), .int(now), .int(now + lifetime))
    return PairingCode(code: code.text, expires: now + lifetime)
  }

  private func endTokens(
    ofDevice device: String, _ account: String, _ tables: ServerTables
  ) throws {
    let tokens = try tables.all(
      "SELECT id FROM tokens WHERE account=? AND device=?", .text(account), .text(device)
    ) { try $0.text(0) }
    try end(tokens: tokens, tables)
  }

  private static func device(_ row: SQLRow, _ identity: Identity) throws -> WireDevice {
    let id = try row.text(0)
    return WireDevice(
      device: WireName(id: id, name: try row.text(1)), joined: try row.int(2),
      lastSeen: row.optionalInt(3), isSelf: id == identity.device)
  }

  // MARK: The vault

  public func roots(_ caller: Caller) async throws -> [String] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try self.roots(of: identity.account, tables)
    }
  }

  func roots(of account: String, _ tables: ServerTables) throws -> [String] {
    try tables.all("SELECT id FROM roots WHERE account=? ORDER BY id", .text(account)) {
      try $0.text(0)
    }
  }

  public func add(root: String, _ caller: Caller) async throws {
    guard UUIDText.isUUID(root) else { throw Refusal.notFound }
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let account = SQLValue.text(identity.account)
      if try tables.exists("SELECT 1 FROM roots WHERE account=? AND id=?", account, .text(root)) {
        return
      }
      let count = try tables.count("SELECT count(*) FROM roots WHERE account=?", account)
      guard count < self.policy.maximumRoots else { throw Refusal.full("vault ids") }
      try tables.run("INSERT INTO roots(account, id) VALUES(?, ?)", account, .text(root))
      try self.audit("vault.add", root, by: identity, caller, tables)
    }
  }
}
