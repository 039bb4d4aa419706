import SyncKitText
import SyncKit
public import SyncWire

/// Making, naming, limiting, locking and removing accounts. Each is written down, for the account and for
/// the host.
extension ServerAdministration {
  /// The account of a name, however it is written, or of an id; nil when there is none.
  public func account(_ name: String) async throws -> WireName? {
    try await told {
      try await storage.read { tables in
        try Self.accounts(reading: name, tables).first
          ?? tables.first("SELECT name FROM accounts WHERE id=?", .text(name)) {
            WireName(id: name, name: try $0.text(0))
          }
      }
    }
  }

  /// Makes an account; its first device joins by an invitation.
  ///
  /// - Parameters:
  ///   - name: What people call it; no two accounts bear one that reads the same.
  ///   - maximumBytes: How many bytes of segments it may have; nil for no limit.
  ///   - maximumRecords: How many changes of records it may have; nil for no limit.
  ///   - maximumDevices: How many devices it may have; nil for as many as the server lets any have.
  /// - Returns: Its id and name.
  /// - Throws: ``SyncError`` `input.invalid` when the name is taken or invalid.
  public func makeAccount(
    _ name: String, maximumBytes: Int64? = nil, maximumRecords: Int64? = nil,
    maximumDevices: Int64? = nil
  ) async throws -> WireName {
    try await told {
      let name = try NameRule.person(name, "name")
      let account = WireName(id: storage.newID(), name: name)
      try Self.check(maximumBytes, maximumRecords, maximumDevices)
      let now = storage.environment.now()
      try await storage.write { tables in
        try Self.checkFree(name, but: nil, tables)
        try tables.run(
          """
          INSERT INTO accounts(
            id, name, outline, created, maximum_bytes, maximum_records, maximum_devices)
          VALUES(?, ?, ?, ?, ?, ?, ?)
          """, .text(account.id), .text(name), .text(AccountName.outline(name)), .int(now),
          .optional(maximumBytes), .optional(maximumRecords), .optional(maximumDevices))
        try note("account.add", account, tables)
      }
      return account
    }
  }

  /// Gives an account another name.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the name is another account's or invalid.
  public func rename(_ account: String, to name: String) async throws {
    try await told {
      let name = try NameRule.person(name, "name")
      try await storage.write { tables in
        let old = try Self.require(account, tables)
        try Self.checkFree(name, but: account, tables)
        try tables.run(
          "UPDATE accounts SET name=?, outline=? WHERE id=?", .text(name),
          .text(AccountName.outline(name)), .text(account))
        try note("account.rename", old, tables, detail: "'\(old.name)' to '\(name)'")
      }
    }
  }

  /// Shuts an account, or opens it again.
  ///
  /// While it is locked no device and no token of it is let in, and no device joins it. What it has stays, also for those whom it shares something with.
  ///
  /// - Returns: Whether that was new.
  @discardableResult
  public func setLocked(_ isLocked: Bool, _ account: String) async throws -> Bool {
    try await told {
      let now = storage.environment.now()
      return try await storage.write { tables in
        let named = try Self.require(account, tables)
        let was = try tables.exists(
          "SELECT 1 FROM accounts WHERE id=? AND locked IS NOT NULL", .text(account))
        guard was != isLocked else { return false }
        try tables.run(
          "UPDATE accounts SET locked=? WHERE id=?", isLocked ? .int(now) : .null, .text(account))
        // Streams of news end as they do when tokens are ended.
        if isLocked { try tables.run("UPDATE counters SET value=value+1 WHERE name='ended'") }
        try note(isLocked ? "account.lock" : "account.unlock", named, tables)
        return true
      }
    }
  }

  /// Sets how much an account may have; nil for no limit.
  ///
  /// What it has beyond that stays, and nothing is added until there is room.
  public func setQuota(
    of account: String, maximumBytes: Int64?, maximumRecords: Int64?, maximumDevices: Int64? = nil
  ) async throws {
    try await told {
      try Self.check(maximumBytes, maximumRecords, maximumDevices)
      try await storage.write { tables in
        let named = try Self.require(account, tables)
        try tables.run(
          "UPDATE accounts SET maximum_bytes=?, maximum_records=?, maximum_devices=? WHERE id=?",
          .optional(maximumBytes), .optional(maximumRecords), .optional(maximumDevices),
          .text(account))
        func told(_ limit: Int64?, _ what: String) -> String {
          limit.map { "\(Plural(Int(clamping: $0), what))" } ?? "any number of \(what)s"
        }
        let limits = [
          told(maximumBytes, "byte"), told(maximumRecords, "change"),
          told(maximumDevices, "device"),
        ]
        try note("account.quota", named, tables, detail: limits.joined(separator: ", "))
      }
    }
  }

  /// Removes an account with everything that it has; other people's parts in its zones go too.
  public func removeAccount(_ account: String) async throws {
    try await told {
      try await storage.write { tables in
        let named = try Self.require(account, tables)
        let tokens = try tables.all("SELECT id FROM tokens WHERE account=?", .text(account)) {
          try $0.text(0)
        }
        try note("account.remove", named, tables)
        try wakeOthers(beside: account, tables)
        try storage.end(tokens: tokens, tables)
        try tables.run("DELETE FROM accounts WHERE id=?", .text(account))
      }
      storage.compactLogs()
    }
  }

  /// What the host has done to accounts, also to those that are gone.
  public struct Note: Sendable, Equatable {
    /// Its place among all notes; a later one has a greater.
    public var id: Int64
    /// Milliseconds since 1970.
    public var at: Int64
    /// What was done, such as `account.lock`.
    public var action: String
    /// To which account, by the name that it had; nil when it is about none.
    public var account: WireName?
    /// What there is to say besides; empty for nothing.
    public var detail: String
    /// Where the host was: `local` for commands, the address of a browser for pages.
    public var address: String
  }

  /// The newest notes, the newest first.
  ///
  /// - Parameters:
  ///   - limit: How many at most.
  ///   - before: Only those before the one of this id; nil for all.
  /// - Returns: The notes.
  /// - Throws: ``SyncError`` of a storage that cannot be read.
  public func notes(limit: Int, before: Int64? = nil) async throws -> [Note] {
    try await told {
      try await storage.read { tables in
        try tables.all(
          """
          SELECT id, at, action, account, name, detail, address FROM hosting WHERE id<?
          ORDER BY id DESC LIMIT ?
          """, .int(before ?? .max), .int(Int64(limit))
        ) { row in
          let account = WireName(id: try row.text(3), name: try row.text(4))
          return Note(
            id: try row.int(0), at: try row.int(1), action: try row.text(2),
            account: account.id.isEmpty ? nil : account, detail: try row.text(5),
            address: try row.text(6))
        }
      }
    }
  }

  // MARK: Conditions

  /// The accounts whose names read the same, first the one that is written the same.
  ///
  /// An account from before there were outlines may have none; then its name is compared.
  private static func accounts(reading name: String, _ tables: ServerTables) throws -> [WireName] {
    let folded = AccountName.folded(name)
    return try tables.all(
      "SELECT id, name FROM accounts WHERE outline=? OR outline IS NULL ORDER BY created, id",
      .text(AccountName.outline(name))
    ) { WireName(id: try $0.text(0), name: try $0.text(1)) }
    .filter { AccountName.folded($0.name) == folded }
    .sorted { $0.name == name && $1.name != name }
  }

  private static func checkFree(
    _ name: String, but own: String?, _ tables: ServerTables
  ) throws {
    guard let other = try accounts(reading: name, tables).first(where: { $0.id != own }) else {
      return
    }
    throw SyncError(
      .inputInvalid,
      other.name == name
        ? "The account '\(name)' already exists."
        : "The account '\(other.name)' already exists, and its name looks like '\(name)'.")
  }

  private static func check(_ limits: Int64?...) throws {
    for case let limit? in limits where limit < 0 {
      throw SyncError(.inputInvalid, "A quota must not be negative.")
    }
  }

  /// Tells accounts that share something with another one that it is going.
  private func wakeOthers(beside account: String, _ tables: ServerTables) throws {
    let zones = try tables.all(
      """
      SELECT DISTINCT z.id, f.account, f.domain FROM zones z JOIN feeds f ON f.id=z.feed
        JOIN shares s ON s.zone=z.id LEFT JOIN participants p ON p.share=s.id
      WHERE f.account=?1 OR p.account=?1
      """, .text(account)
    ) { (zone: try $0.int(0), owner: try $0.text(1), domain: try $0.text(2)) }
    for zone in zones { try storage.wake(zone.owner, zone.domain, zone: zone.zone, tables) }
  }
}
