public import SyncKit
public import SyncWire

/// What the operator of a server does to its data folder or its database, without HTTP and while it runs.
///
/// It works on the data beside processes that serve them: what it writes is durable when a method
/// returns, and the processes hear of ended tokens within a second.
///
/// All methods throw ``SyncError``: `input.invalid` for a name or number that cannot be,
/// `record.not-found` for what is not there, `store.*` when the folder cannot be used.
public struct ServerAdministration: Sendable {
  let storage: ServerDatabase
  /// Where the host is, for the host's audit: `local` for commands, else the address of a browser.
  var address = "local"
  /// Whether the data are in a folder, and not in a database of several servers.
  var isInFolder: Bool { if case .sqlite = storage.engine { true } else { false } }
  /// What the server grants.
  var policy: ServerPolicy { storage.policy }

  /// Opens a data folder, and makes it when there is none.
  public init(
    _ folder: String, environment: SyncEnvironment, policy: ServerPolicy = ServerPolicy()
  ) throws {
    storage = try ServerDatabase(folder, environment, policy, for: .administration)
  }

  /// Opens a database of PostgreSQL, and makes its tables when there are none.
  public init(
    _ address: PostgreSQLAddress, environment: SyncEnvironment,
    policy: ServerPolicy = ServerPolicy()
  ) throws {
    storage = try ServerDatabase(address, environment, policy, for: .administration)
  }

  /// Works with the storage of the process that serves it, which closes it.
  init(beside storage: ServerDatabase) { self.storage = storage }

  /// Closes the storage; nothing may be asked afterwards.
  public func close() async throws { try await storage.close() }

  // MARK: Accounts

  /// The state of an account, as the operator of the server sees it.
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
    /// How many devices it may have; nil for as many as the server lets any account have.
    public var maximumDevices: Int64?
    /// Milliseconds since 1970 when it was locked; nil when it is not.
    public var locked: Int64?
    /// Milliseconds since 1970 when one of its devices was last heard of; nil when never.
    public var lastSeen: Int64?

    /// Describes an account.
    public init(
      account: WireName, created: Int64, usedBytes: Int64, usedRecords: Int64,
      maximumBytes: Int64?, maximumRecords: Int64?, devices: Int64, maximumDevices: Int64? = nil,
      locked: Int64? = nil
    ) {
      self.maximumDevices = maximumDevices
      self.locked = locked
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

  /// A page of them: those behind an account, or the first.
  func accounts(after account: String?, limit: Int) async throws -> [Account] {
    try await told {
      try await storage.read { tables in
        try tables.all(
          """
          \(Self.listing) WHERE created>?1 OR created=?1 AND id>?2 ORDER BY created, id LIMIT ?3
          """,
          .int(
            account.map {
              try tables.count("SELECT created FROM accounts WHERE id=?", .text($0))
            } ?? -1), .text(account ?? ""), .int(Int64(limit)), read: Self.listed)
      }
    }
  }

  /// How many accounts there are, and how many bytes all have.
  func totals() async throws -> (accounts: Int, bytes: Int64) {
    try await storage.read { tables in
      let totals = try tables.first(
        "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS bigint) FROM accounts"
      ) {
        (accounts: Int(try $0.int(0)), bytes: try $0.int(1))
      }
      return totals ?? (0, 0)
    }
  }

  /// Which of these accounts there are.
  func known(_ accounts: Set<String>) async throws -> Set<String> {
    try await storage.read { tables in
      try accounts.filter { try tables.exists("SELECT 1 FROM accounts WHERE id=?", .text($0)) }
    }
  }

  /// How an account stands.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func standing(of account: String) async throws -> Account {
    try await told { try await storage.read { try Self.standing(of: account, $0) } }
  }

  static func standing(of account: String, _ tables: ServerTables) throws -> Account {
    let found = try tables.first("\(listing) WHERE id=?", .text(account), read: listed)
    guard let found else { throw SyncError(.notFound, "There is no account '\(account)'.") }
    return found
  }

  static func accounts(_ tables: ServerTables) throws -> [Account] {
    try tables.all("\(listing) ORDER BY created, id", read: listed)
  }

  private static let listing = """
    SELECT id, name, created, bytes, records, maximum_bytes, maximum_records,
      (SELECT count(*) FROM devices d WHERE d.account=accounts.id), maximum_devices, locked,
      (SELECT max(seen) FROM devices d WHERE d.account=accounts.id)
    FROM accounts
    """

  private static func listed(_ row: SQLRow) throws -> Account {
    var account = Account(
      account: WireName(id: try row.text(0), name: try row.text(1)), created: try row.int(2),
      usedBytes: try row.int(3), usedRecords: try row.int(4), maximumBytes: row.optionalInt(5),
      maximumRecords: row.optionalInt(6), devices: try row.int(7),
      maximumDevices: row.optionalInt(8), locked: row.optionalInt(9))
    account.lastSeen = row.optionalInt(10)
    return account
  }

  /// Makes a code with which the first device of an account joins, or one that lost all others.
  ///
  /// It has 16 digits, lasts as long as ``ServerPolicy/invitationLifetime``, and is spent by its use.
  public func invite(to account: String) async throws -> PairingCode {
    try await told {
      try await storage.write { tables in
        let named = try Self.require(account, tables)
        let code = try storage.makeCode(
          "account", digits: 16, lifetime: storage.policy.invitationLifetime, for: account, tables)
        try note("account.invite", named, tables)
        return code
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
          "token.make", token.id, called: token.name, account: account, device: nil,
          address: "local", tables)
        return token
      }
    }
  }

  /// Ends any token, named by its public part, with all that was made with it.
  @discardableResult
  public func revoke(token: String) async throws -> Ended {
    try await told {
      try await storage.write { tables in
        let found = try tables.first("SELECT account, name FROM tokens WHERE id=?", .text(token)) {
          (account: try $0.text(0), name: try $0.text(1))
        }
        guard let found else { throw SyncError(.notFound, "There is no token '\(token)'.") }
        func note(_ action: String, _ subject: String, _ name: String?) throws {
          try storage.audit(
            action, subject, called: name, account: found.account, device: nil, address: "local",
            tables)
        }
        try note("token.revoke", token, found.name)
        return try storage.end(.token(token), in: found.account, tables, note: note)
      }
    }
  }

  /// Ends all tokens of a name, whoever has them.
  func revokeTokens(named name: String) async throws {
    let tokens = try await storage.read { tables in
      try tables.all("SELECT id FROM tokens WHERE name=?", .text(name)) { try $0.text(0) }
    }
    for token in tokens { try await revoke(token: token) }
  }

  // MARK: What all have in common

  @discardableResult
  static func require(_ account: String, _ tables: ServerTables) throws -> WireName {
    let name = try tables.first("SELECT name FROM accounts WHERE id=?", .text(account)) {
      try $0.text(0)
    }
    guard let name else { throw SyncError(.notFound, "There is no account '\(account)'.") }
    return WireName(id: account, name: name)
  }

  /// Writes down what the host has done to an account: for the account, and for the host, whose notes
  /// outlive the account; without an account for the host alone.
  func note(
    _ action: String, _ account: WireName?, _ tables: ServerTables, detail: String = ""
  ) throws {
    try tables.run(
      """
      INSERT INTO hosting(at, action, account, name, detail, address) VALUES(?, ?, ?, ?, ?, ?)
      """, .int(storage.environment.now()), .text(action), .text(account?.id ?? ""),
      .text(account?.name ?? ""), .text(detail), .text(address))
    try tables.run(
      "DELETE FROM hosting WHERE id <= (SELECT max(id) FROM hosting) - ?",
      .int(storage.policy.auditLines))
    guard let account else { return }
    // Where the host was is not the account's affair.
    try storage.audit(
      action, account.id, called: detail.isEmpty ? account.name : detail, account: account.id,
      device: nil, address: "local", tables)
  }

  /// Turns what the server would answer into what a command says.
  func told<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let error as WireError {
      guard error.code == .tooMany else { throw SyncError(.inputInvalid, error.message) }
      throw SyncError(
        .remoteQuota, error.message,
        hint:
          "'cloudsync-server server invitations' and 'cloudsync-server token list' show what can be ended."
      )
    }
  }
}
