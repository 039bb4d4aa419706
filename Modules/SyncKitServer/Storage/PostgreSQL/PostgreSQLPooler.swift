import SyncKit
import SyncWire

/// What a pooler between a server and PostgreSQL means, such as PgBouncer.
///
/// In transaction mode it lends a connection of its own for one transaction at a time. Settings, locks of a session,
/// `LISTEN` and prepared statements are lost or another client's afterwards. So each transaction of a server brings its
/// settings along and finds out where it is, and what lasts goes to PostgreSQL itself.
///
/// Source: [PgBouncer, features](https://www.pgbouncer.org/features.html).
enum PostgreSQLPooler {
  // MARK: Transactions through a pooler

  /// What begins a transaction through a pooler; its last row is for ``check(_:_:_:at:)``.
  static func begin(_ purpose: TransactionPurpose, naming name: String) -> String {
    let settings = """
      SET LOCAL idle_in_transaction_session_timeout='5s'; SET LOCAL lock_timeout='15s';
      SET LOCAL standard_conforming_strings=on\(name);
      """
    let place = """
      SELECT \(PostgreSQLSchema.origin), (SELECT count(*) FROM moves WHERE role='\(ServerMove.Role.source.rawValue)')
      """
    switch purpose {
    case .reading: return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(settings) \(place)"
    case .writing:
      return """
        BEGIN ISOLATION LEVEL READ COMMITTED; \(settings)
        SELECT set_config('synchronous_commit', 'on', true)
          WHERE current_setting('synchronous_commit')='off';
        \(PostgreSQLLink.lock); \(place)
        """
    }
  }

  /// Finds out whether a transaction that has begun is where the server's connection to PostgreSQL itself is, and whether
  /// the data have not gone elsewhere: what a connection of a session finds out once, since it ends with PostgreSQL.
  ///
  /// `origin` is the start of the database that was known before the transaction began, and so the one whose epoch it sees.
  ///
  /// - Throws: ``SyncError`` `store.unavailable` as long as both do not lead to the same start of one database,
  ///   `server.moved`.
  static func check(
    _ row: [String], _ session: PostgreSQLSession, _ link: PostgreSQLLink, at origin: String?
  ) throws {
    guard row.first == origin else {
      throw link.lost("the pooler leads to another start of the database than the session does")
    }
    guard row.last == "0" else {
      try session.rows(ServerMove.question, [.text(ServerMove.Role.source.rawValue)]) { row in
        throw try ServerMove(row).refusal
      }
      return
    }
  }

  // MARK: Where there must be none

  /// Finds out whether a connection has a session of its own.
  ///
  /// - Throws: ``SyncError`` `config.invalid` when it shares one.
  static func requireSession(
    _ session: PostgreSQLSession, _ address: PostgreSQLAddress, for use: PostgreSQLSchema.Use
  ) throws {
    func process(_ session: PostgreSQLSession) throws -> String? {
      try session.row("SELECT pg_backend_pid()").first
    }
    let own = try process(session)
    // Whatever stands between passes on what PostgreSQL says at the beginning, unless it pools.
    guard own != "\(session.process)" else { return }
    let other = try PostgreSQLSession(address.direct)
    // Others may use the pooler meanwhile, so one look could miss it.
    for _ in 0..<16 {
      try other.run("BEGIN")
      let theirs = try process(other)
      let isShared = try theirs == own || process(session) != own
      try other.run("ROLLBACK")
      guard isShared else { continue }
      let hint =
        switch (use, address.pooled) {
        case (.moving, _): "Give the address of PostgreSQL itself."
        case (.serving, nil):
          "Name PostgreSQL itself by --store-session or 'server.store-session', beside --store."
        case (.serving, _): "Let --store-session lead to PostgreSQL itself."
        }
      throw SyncError(
        .configInvalid,
        "A pooler in transaction mode stands before the database (\(address)), so no session lasts there.",
        hint: hint)
    }
  }
}
