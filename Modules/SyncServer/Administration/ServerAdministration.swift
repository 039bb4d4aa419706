public import SyncKit
public import SyncWire

/// What the one who runs a server does to its data folder, without HTTP and while it runs.
///
/// It works on the folder beside a process that serves it: what it writes is durable when a method
/// returns, and the process hears of ended tokens within a second.
///
/// All methods throw ``SyncError``: `input.invalid` for a name or number that cannot be,
/// `record.not-found` for what is not there, `store.*` when the folder cannot be used.
public struct ServerAdministration: Sendable {
  let storage: SQLiteServerStorage
  /// Where the data are.
  public let folder: String

  /// Opens a data folder, and makes it when there is none.
  public init(
    _ folder: String, environment: SyncEnvironment, policy: ServerPolicy = ServerPolicy()
  ) throws {
    self.folder = folder
    storage = try SQLiteServerStorage(folder, environment, policy, for: .administration)
  }

  /// Closes the folder; nothing may be asked afterwards.
  public func close() async throws { try await storage.close() }

  // MARK: Accounts

  /// How an account stands, as the one who runs the server sees it.
  public struct Account: Sendable, Equatable {
    /// Its id and name.
    public var account: WireName
    /// Milliseconds since 1970.
    public var created: Int64
    /// What its segments take, in bytes.
    public var usedBytes: Int64
    /// How many changes of records it has.
    public var usedRecords: Int64
    /// How many bytes it may have; nil for no limit.
    public var maximumBytes: Int64?
    /// How many changes of records it may have; nil for no limit.
    public var maximumRecords: Int64?
    /// How many devices it has.
    public var devices: Int64

    /// Describes an account.
    public init(
      account: WireName, created: Int64, usedBytes: Int64, usedRecords: Int64,
      maximumBytes: Int64?, maximumRecords: Int64?, devices: Int64
    ) {
      self.account = account
      self.created = created
      self.usedBytes = usedBytes
      self.usedRecords = usedRecords
      self.maximumBytes = maximumBytes
      self.maximumRecords = maximumRecords
      self.devices = devices
    }
  }

  /// All accounts, by the time they were made.
  public func accounts() async throws -> [Account] {
    try await told { try await storage.read { try Self.accounts($0) } }
  }

  private static func accounts(_ tables: ServerTables) throws -> [Account] {
    try tables.all(
      """
      SELECT id, name, created, bytes, records, maximum_bytes, maximum_records,
        (SELECT count(*) FROM devices d WHERE d.account=accounts.id)
      FROM accounts ORDER BY created, id
      """
    ) { row in
      Account(
        account: WireName(id: try row.text(0), name: try row.text(1)), created: try row.int(2),
        usedBytes: try row.int(3), usedRecords: try row.int(4), maximumBytes: row.optionalInt(5),
        maximumRecords: row.optionalInt(6), devices: try row.int(7))
    }
  }

  /// Makes an account; its first device joins by an invitation.
  ///
  /// - Parameters:
  ///   - name: What people call it; two accounts may not bear the same.
  ///   - maximumBytes: How many bytes of segments it may have; nil for no limit.
  ///   - maximumRecords: How many changes of records it may have; nil for no limit.
  public func makeAccount(
    _ name: String, maximumBytes: Int64? = nil, maximumRecords: Int64? = nil
  ) async throws -> WireName {
    try await told {
      let name = try NameRule.person(name, "name")
      let account = WireName(id: storage.newID(), name: name)
      try Self.check(maximumBytes, maximumRecords)
      let now = storage.environment.now()
      try await storage.write { tables in
        guard try !tables.exists("SELECT 1 FROM accounts WHERE name=?", .text(name)) else {
          throw SyncError(.inputInvalid, "There is an account '\(name)' already.")
        }
        try tables.run(
          """
          INSERT INTO accounts(id, name, created, maximum_bytes, maximum_records)
          VALUES(?, ?, ?, ?, ?)
          """, .text(account.id), .text(name), .int(now), .optional(maximumBytes),
          .optional(maximumRecords))
      }
      return account
    }
  }

  /// Sets how much an account may have; nil for no limit.
  public func setQuota(
    of account: String, maximumBytes: Int64?, maximumRecords: Int64?
  ) async throws {
    try await told {
      try Self.check(maximumBytes, maximumRecords)
      try await storage.write { tables in
        try Self.require(account, tables)
        try tables.run(
          "UPDATE accounts SET maximum_bytes=?, maximum_records=? WHERE id=?",
          .optional(maximumBytes), .optional(maximumRecords), .text(account))
      }
    }
  }

  /// Removes an account with everything that it has; other people's parts in its zones go too.
  public func removeAccount(_ account: String) async throws {
    try await told {
      try await storage.write { tables in
        try Self.require(account, tables)
        let tokens = try tables.all("SELECT id FROM tokens WHERE account=?", .text(account)) {
          try $0.text(0)
        }
        try storage.end(tokens: tokens, tables)
        try tables.run("DELETE FROM accounts WHERE id=?", .text(account))
      }
    }
  }

  /// Makes a code with which the first device of an account joins, or one that lost all others.
  ///
  /// It has 16 digits, lasts as long as ``ServerPolicy/invitationLifetime``, and is spent by its use.
  public func invite(to account: String) async throws -> PairingCode {
    try await told {
      try await storage.write { tables in
        try Self.require(account, tables)
        return try storage.makeCode(
          "account", digits: 16, lifetime: storage.policy.invitationLifetime, for: account, tables)
      }
    }
  }

  // MARK: Tokens

  /// The tokens of an account.
  public func tokens(of account: String) async throws -> [WireToken] {
    try await told {
      try await storage.read { tables in
        try Self.require(account, tables)
        return try storage.tokens(of: account, tables)
      }
    }
  }

  /// Makes a token for a program; the answer is the only one that bears its secret.
  public func makeToken(
    for account: String, name: String, scope: TokenScope, expires: Int64? = nil
  ) async throws -> WireToken {
    try await told {
      try await storage.write { tables in
        try Self.require(account, tables)
        let token = try storage.makeToken(
          name, scope, expires: expires, for: account, tables)
        try storage.audit(
          "token.make", token.id, account: account, device: nil, address: "local", tables)
        return token
      }
    }
  }

  /// Ends a token, named by its public part, whoever's it is.
  public func revoke(token: String) async throws {
    try await told {
      try await storage.write { tables in
        let account = try tables.first("SELECT account FROM tokens WHERE id=?", .text(token)) {
          try $0.text(0)
        }
        guard let account else { throw SyncError(.notFound, "There is no token '\(token)'.") }
        try storage.end(tokens: [token], tables)
        try storage.audit(
          "token.revoke", token, account: account, device: nil, address: "local", tables)
      }
    }
  }

  // MARK: What all have in common

  static func require(_ account: String, _ tables: ServerTables) throws {
    guard try tables.exists("SELECT 1 FROM accounts WHERE id=?", .text(account)) else {
      throw SyncError(.notFound, "There is no account '\(account)'.")
    }
  }

  private static func check(_ limits: Int64?...) throws {
    for case let limit? in limits where limit < 0 {
      throw SyncError(.inputInvalid, "A quota must not be negative.")
    }
  }

  /// Turns what the server would answer into what a command says.
  func told<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let error as WireError {
      throw SyncError(.inputInvalid, error.message)
    }
  }
}
