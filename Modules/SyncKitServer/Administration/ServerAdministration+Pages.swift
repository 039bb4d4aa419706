import SyncKit
public import SyncWire

/// The host's way to the pages of administration: a code that works once, and the session that it begins.
///
/// Both are in the storage, as digests, so that a command beside the running server makes and ends them.
extension ServerAdministration {
  /// A session of a browser at the pages.
  struct AdminSession: Sendable, Equatable {
    /// The scheme, host and port at which it was begun, and for which alone it is valid.
    var origin: String
    /// Milliseconds since 1970 when it began.
    var created: Int64
    /// Milliseconds since 1970 of its last use, to the minute.
    var seen: Int64
  }

  /// Makes the code of a link to the pages, and ends the code before it if that was not used.
  ///
  /// It has 16 digits, lasts as long as ``ServerPolicy/adminLinkLifetime``, and is spent by its use. The page
  /// `/admin/open` of the server takes it, after `#` in its address or typed.
  public func makeAdminCode() async throws -> PairingCode {
    try await told {
      let code = JoinCode(digits: 16, from: storage.environment)
      let now = storage.environment.now()
      let expires = now + storage.policy.adminLinkLifetime
      try await storage.write { tables in
        try tables.run("DELETE FROM admin_links")
        try tables.run(
          "INSERT INTO admin_links(digest, created, expires) VALUES(?, ?, ?)", .blob(code.digest),
          .int(now), .int(expires))
        try note("admin.link", nil, tables)
      }
      return PairingCode(code: code.text, expires: expires)
    }
  }

  /// Ends the code that was not used, and every session.
  ///
  /// - Returns: How many sessions there were.
  @discardableResult
  public func endAdminSessions() async throws -> Int {
    try await told {
      try await storage.write { tables in
        let now = storage.environment.now()
        let count = try tables.count(
          "SELECT count(*) FROM admin_sessions WHERE created>? AND seen>?",
          .int(now - storage.policy.adminLifetime), .int(now - storage.policy.adminIdle))
        try shutPages(tables)
        try note("admin.revoke", nil, tables)
        return Int(count)
      }
    }
  }

  func shutPages(_ tables: ServerTables) throws {
    try tables.run("DELETE FROM admin_links")
    try tables.run("DELETE FROM admin_sessions")
  }

  /// Begins a session with a code, which is spent by it.
  ///
  /// - Returns: The secret of the session; nil when the code is used, over or unknown.
  func openPages(_ code: String, from origin: String) async throws -> AdminSecret? {
    guard let code = JoinCode(code) else { return nil }
    let secret = AdminSecret(from: storage.environment)
    return try await storage.write { tables in
      let now = storage.environment.now()
      let isOpen = try tables.exists(
        "SELECT 1 FROM admin_links WHERE digest=? AND expires>?", .blob(code.digest), .int(now))
      guard isOpen else { return nil }
      try tables.run("DELETE FROM admin_links WHERE digest=?", .blob(code.digest))
      try tables.run(
        "DELETE FROM admin_sessions WHERE created<=? OR seen<=?",
        .int(now - storage.policy.adminLifetime), .int(now - storage.policy.adminIdle))
      try tables.run(
        "INSERT INTO admin_sessions(digest, origin, created, seen) VALUES(?, ?, ?, ?)",
        .blob(secret.digest), .text(origin), .int(now), .int(now))
      try note("admin.open", nil, tables)
      return secret
    }
  }

  /// The session of a secret, which is used by that; nil when there is none or it has ended.
  func adminSession(_ secret: AdminSecret) async throws -> AdminSession? {
    let now = storage.environment.now()
    let digest = secret.digest
    let found = try await storage.read { tables in
      try tables.first(
        "SELECT origin, created, seen FROM admin_sessions WHERE digest=?", .blob(digest)
      ) { AdminSession(origin: try $0.text(0), created: try $0.int(1), seen: try $0.int(2)) }
    }
    guard let found, now - found.created < storage.policy.adminLifetime,
      now - found.seen < storage.policy.adminIdle
    else { return nil }
    // Reading costs a write once a minute at most.
    if now - found.seen >= 60_000 {
      try await storage.write { tables in
        try tables.run(
          "UPDATE admin_sessions SET seen=?1 WHERE digest=?2 AND seen<?1", .int(now), .blob(digest))
      }
    }
    return found
  }

  /// Ends a session.
  func closePages(_ secret: AdminSecret) async throws {
    let digest = secret.digest
    try await storage.write { tables in
      try tables.run("DELETE FROM admin_sessions WHERE digest=?", .blob(digest))
      try note("admin.sign-out", nil, tables)
    }
  }
}
