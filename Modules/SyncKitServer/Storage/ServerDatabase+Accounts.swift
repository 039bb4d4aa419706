import SyncKitText
import SyncKit
public import SyncWire

/// Joining, the account and its devices.
extension ServerDatabase {
  public func join(_ request: JoinRequest, address: String) async throws -> Joined {
    guard NameRule.isDevice(request.device.id) else {
      throw WireError(.invalid, "A device's id must have 1 to 64 letters, digits, '-' and '_'.")
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
      SELECT c.account, a.name, c.expires, c.until, c.maker, c.origin,
        a.locked, a.maximum_devices
      FROM codes c JOIN accounts a ON a.id=c.account
      WHERE c.digest=?
      """, .blob(code.digest)
    ) { row in
      (
        account: WireName(id: try row.text(0), name: try row.text(1)), expires: try row.int(2),
        until: row.optionalInt(3), maker: row.optionalText(4), origin: row.optionalText(5),
        isLocked: row.optionalInt(6) != nil, maximum: row.optionalInt(7)
      )
    }
    guard let found, found.expires > now else { throw Refusal.gone }
    guard !found.isLocked else { throw Refusal.locked }
    let account = found.account
    let isKnown = try tables.exists(
      "SELECT 1 FROM devices WHERE account=? AND id=?", .text(account.id), .text(device.id))
    let count = try tables.count("SELECT count(*) FROM devices WHERE account=?", .text(account.id))
    guard isKnown || count < policy.maximumDevices else {
      throw Refusal.full("devices", policy.maximumDevices)
    }
    if let maximum = found.maximum, !isKnown, count >= maximum {
      let devices = Plural(Int(clamping: count), "device")
      throw WireError(
        .quota, "The account has \(devices), and may have \(maximum); no device was added.")
    }
    try tables.run("DELETE FROM codes WHERE digest=?", .blob(code.digest))
    // A device that joins again has lost its token, so the old one ends, with all that it made.
    _ = try end(.device(device.id), in: account.id, tables) { action, subject, name in
      try audit(
        action, subject, called: name, account: account.id, device: device.id, address: address,
        tables)
    }
    try tables.run(
      """
      INSERT INTO devices(account, id, name, joined, maker, origin) VALUES(?, ?, ?, ?, ?, ?)
      ON CONFLICT(account, id) DO UPDATE SET name=excluded.name, joined=excluded.joined,
        maker=excluded.maker, origin=excluded.origin
      """, .text(account.id), .text(device.id), .text(device.name), .int(now),
      .optional(found.maker), .optional(found.origin))
    let token = TokenText(.token, from: environment)
    let idle = policy.deviceTokenIdle.map { now + $0 }
    let expires = found.until.map { min($0, idle ?? $0) } ?? idle
    try insert(
      token, account: account.id, device: device.id, name: device.name, scope: .manage,
      expires: expires, idle: policy.deviceTokenIdle, until: found.until, tables)
    try audit(
      "device.join", device.id, called: device.name, account: account.id, device: device.id,
      address: address, tables)
    return Joined(account: account, token: token.text, expires: expires)
  }

  public func account(_ caller: Caller) async throws -> AccountState {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      let state = try tables.first(
        """
        SELECT bytes, records, maximum_bytes, maximum_records, maximum_devices,
          (SELECT count(*) FROM devices d WHERE d.account=accounts.id)
        FROM accounts WHERE id=?
        """, .text(identity.account)
      ) { row in
        AccountState(
          account: WireName(id: identity.account, name: identity.accountName),
          scopes: TokenScope.allCases.filter { identity.scope.includes($0) },
          usedBytes: try row.int(0), usedRecords: try row.int(1),
          usedDevices: try row.int(5), maximumBytes: row.optionalInt(2),
          maximumRecords: row.optionalInt(3), maximumDevices: row.optionalInt(4))
      }
      guard let state else { throw Refusal.unauthenticated }
      return state
    }
  }

  public func devices(_ caller: Caller) async throws -> [WireDevice] {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      return try self.devices(of: identity.account, asking: identity.device, tables)
    }
  }

  /// The devices of an account, by the time they joined; `asking` is the one of them that asks, if it is one.
  func devices(
    of account: String, asking: String? = nil, _ tables: ServerTables
  ) throws -> [WireDevice] {
    let names = try deviceNames(in: account, tables)
    return try tables.all(
      "\(Self.devices) WHERE account=? ORDER BY joined, id", .text(account)
    ) { try Self.device($0, asking, names) }
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
      let names = try self.deviceNames(in: identity.account, tables)
      let renamed = try tables.first(
        "\(Self.devices) WHERE account=? AND id=?", .text(identity.account), .text(device)
      ) { try Self.device($0, identity.device, names) }
      guard let renamed else { throw Refusal.notFound }
      try self.audit("device.rename", device, called: name, by: identity, caller, tables)
      return renamed
    }
  }

  public func remove(device: String, _ caller: Caller) async throws -> Ended {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let name = try self.deviceName(device, in: identity.account, tables)
      try self.audit("device.remove", device, called: name, by: identity, caller, tables)
      let ended = try self.end(.device(device), in: identity.account, tables) {
        try self.audit($0, $1, called: $2, by: identity, caller, tables)
      }
      try tables.run(
        "DELETE FROM devices WHERE account=? AND id=?", .text(identity.account), .text(device))
      return ended
    }
  }

  public func made(byDevice device: String, _ caller: Caller) async throws -> Ended {
    try await read { tables in
      let identity = try self.identify(caller, tables)
      _ = try self.deviceName(device, in: identity.account, tables)
      return try Descent(of: .device(device), in: identity.account, tables).told(self)
    }
  }

  private func deviceName(
    _ device: String, in account: String, _ tables: ServerTables
  ) throws -> String {
    let name = try tables.first(
      "SELECT name FROM devices WHERE account=? AND id=?", .text(account), .text(device)
    ) { try $0.text(0) }
    guard let name else { throw Refusal.notFound }
    return name
  }

  public func pair(_ caller: Caller) async throws -> PairingCode {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let code = try self.makeCode(
        "pairing", digits: 8, lifetime: self.policy.pairingLifetime, for: identity.account,
        by: identity, tables)
      try self.audit("device.pair", "", by: identity, caller, tables)
      return code
    }
  }

  /// Makes a code, which ends with the token that makes it; an account has a limited number at once.
  func makeCode(
    _ kind: String, digits: Int, lifetime: Int64, for account: String,
    by identity: Identity? = nil, _ tables: ServerTables
  ) throws -> PairingCode {
    let now = environment.now()
    try tables.run("DELETE FROM codes WHERE expires <= ?", .int(now))
    let count = try tables.count("SELECT count(*) FROM codes WHERE account=?", .text(account))
    guard count < policy.maximumCodes else {
      throw Refusal.full("open codes", policy.maximumCodes)
    }
    let code = JoinCode(digits: digits, from: environment)
    let expires = identity?.expires.map { min($0, now + lifetime) } ?? now + lifetime
    try tables.run(
      """
      INSERT INTO codes(digest, id, account, kind, created, expires, until, maker, origin)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .blob(code.digest), .text(newID()), .text(account), .text(kind), .int(now),
      .int(expires),
      .optional(identity?.bound), .optional(identity?.token), .optional(identity?.answerable))
    return PairingCode(code: code.text, expires: expires)
  }

  private static let devices = "SELECT id, name, joined, seen, origin FROM devices"

  private static func device(
    _ row: SQLRow, _ asking: String?, _ names: [String: String]
  ) throws -> WireDevice {
    let id = try row.text(0)
    return WireDevice(
      device: WireName(id: id, name: try row.text(1)), joined: try row.int(2),
      lastSeen: row.optionalInt(3), isSelf: id == asking,
      by: row.optionalText(4).map { WireName(id: $0, name: names[$0] ?? "") })
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
      guard count < self.policy.maximumRoots else {
        throw Refusal.full("vault ids", self.policy.maximumRoots)
      }
      try tables.run("INSERT INTO roots(account, id) VALUES(?, ?)", account, .text(root))
      try self.audit("vault.add", root, by: identity, caller, tables)
    }
  }

  public func remove(root: String, _ caller: Caller) async throws {
    try await write { tables in
      let identity = try self.identify(caller, tables)
      let account = SQLValue.text(identity.account)
      guard try tables.exists("SELECT 1 FROM roots WHERE account=? AND id=?", account, .text(root))
      else { throw Refusal.notFound }
      try tables.run("DELETE FROM roots WHERE account=? AND id=?", account, .text(root))
      try self.audit("vault.remove", root, by: identity, caller, tables)
    }
  }
}
