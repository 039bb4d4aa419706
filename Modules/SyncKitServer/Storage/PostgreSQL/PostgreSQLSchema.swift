import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The tables of a server in PostgreSQL, version by version.
///
/// They are those of ``ServerSchema`` in its latest version, and what several servers need besides. Times are
/// milliseconds since 1970. Texts are compared byte by byte, whatever language the database has.
enum PostgreSQLSchema {
  private static let application = "cloudsync-server"
  /// What leads from each version to the next; the first makes an empty database one of version 1.
  static let versions = [tables, moves, objects, outlines, buckets, cards]
  private static var version: Int64 { Int64(versions.count) }

  /// What a connection is for.
  enum Use {
    /// A server, or a command beside it.
    case serving
    /// Whoever moves everything there or away, and is alone.
    case moving
  }

  /// Prepares a new connection: settings, tables, and the epoch.
  ///
  /// - Throws: ``SyncError`` `store.newer` when a newer version has made the tables, `store.damaged` when they are
  ///   another program's, `store.io` when the database cannot keep what it is given, `server.moved` when its data have
  ///   gone elsewhere, `store.busy` when they are to be moved and a server is there.
  static func prepare(
    _ session: PostgreSQLSession, _ address: PostgreSQLAddress, for use: Use = .serving
  ) throws {
    try check(session, address)
    // A server that stops in the middle of a transaction must not keep all others waiting.
    try session.run(
      """
      SET idle_in_transaction_session_timeout='5s'; SET lock_timeout='15s';
      SET client_min_messages='warning'; SET standard_conforming_strings=on
      """)
    if try session.text("SHOW synchronous_commit") == "off" {
      try session.run("SET synchronous_commit='on'")
    }
    // It is held as long as the connection lives, so whoever moves the data knows that no one else is there.
    switch use {
    case .serving: try enter(session, address)
    case .moving:
      // Who has just stopped is gone for PostgreSQL a moment later.
      try session.run("SET lock_timeout='5s'; SET idle_in_transaction_session_timeout=0")
      do {
        try session.run("SELECT pg_advisory_lock(\(presence))")
      } catch let error as SyncError where error.code == .storeBusy {
        throw SyncError(
          .storeBusy, "Servers or commands still use the database (\(address)).",
          hint: "Stop the servers first; devices wait and try again.")
      }
    }
    if try found(session, address) != version { try migrate(session, address) }
    guard use == .serving else { return }
    try session.rows(ServerMove.question, [.text(ServerMove.Role.source.rawValue)]) { row in
      throw try ServerMove(row).refusal
    }
    if try !isEpochCurrent(session) { try beginEpoch(session) }
  }

  /// The lock by which a connection says that it is there: `csvp`.
  static let presence = 0x6373_7670

  /// Takes the lock beside all others.
  ///
  /// - Throws: ``SyncError`` `server.moved` while the data are being moved.
  private static func enter(_ session: PostgreSQLSession, _ address: PostgreSQLAddress) throws {
    for count in 0..<150 {
      guard try session.row("SELECT pg_try_advisory_lock_shared(\(presence))") != ["t"] else {
        return
      }
      // Who moves the data has it for as long as that takes; who waits for it, or opens a place again, for seconds only.
      if try session.row(isMoving) == ["t"] {
        if try session.row("SELECT to_regclass('moves') IS NOT NULL") == ["t"] {
          try session.rows(ServerMove.question, [.text(ServerMove.Role.source.rawValue)]) { row in
            throw try ServerMove(row).refusal
          }
        }
        guard count < 10 else { throw ServerMove.arriving(in: "the database (\(address))") }
      }
      usleep(100_000)
    }
    throw SyncError(
      .storeBusy, "A 'server migrate' waits for the database (\(address)) for too long.",
      hint: "Try again when it has ended.")
  }

  /// Whether the lock is one's alone.
  private static let isMoving = """
    SELECT count(*) > 0 FROM pg_catalog.pg_locks
    WHERE locktype='advisory' AND classid=0 AND objid=\(presence) AND objsubid=1
      AND mode='ExclusiveLock' AND granted
      AND database=(SELECT oid FROM pg_catalog.pg_database WHERE datname=current_database())
    """

  private static func check(_ session: PostgreSQLSession, _ address: PostgreSQLAddress) throws {
    guard session.version >= 130_000 else {
      throw SyncError(
        .storeIO, "The server's database (\(address)) is older than PostgreSQL 13.",
        hint: "Upgrade PostgreSQL.")
    }
    guard try session.text("SHOW server_encoding") == "UTF8" else {
      throw SyncError(
        .storeIO, "The server's database (\(address)) is not encoded in UTF-8.",
        hint: "Make one with 'createdb --encoding UTF8 --template template0 NAME'.")
    }
    guard try session.text("SHOW fsync") == "on" else {
      throw SyncError(
        .storeIO, "The server's database (\(address)) cannot be opened durably.",
        hint: "Set fsync=on in postgresql.conf.", cause: "fsync is off")
    }
  }

  /// The version of the tables; 0 when there are none.
  private static func found(
    _ session: PostgreSQLSession, _ address: PostgreSQLAddress
  ) throws -> Int64 {
    let isThere = try session.number(
      "SELECT count(*) FROM pg_catalog.pg_class WHERE oid=to_regclass('schema_version')")
    guard isThere > 0 else { return 0 }
    let found = try session.number(
      "SELECT version FROM schema_version WHERE application=?", .text(application))
    guard found > 0 else {
      throw SyncError(
        .storeDamaged, "The database (\(address)) has the tables of another program.",
        hint: "Give the server a database of its own.")
    }
    guard found <= version else {
      throw SyncError(
        .storeNewer, "The tables of the database (\(address)) are of a newer version.",
        hint: "Upgrade cloudsync on this server.")
    }
    return found
  }

  private static func migrate(_ session: PostgreSQLSession, _ address: PostgreSQLAddress) throws {
    try session.run("BEGIN; \(PostgreSQLLink.lock)")
    do {
      // Another server may have done it meanwhile.
      let current = try found(session, address)
      if current == 0 {
        try session.run(
          """
          CREATE TABLE schema_version(application \(text) PRIMARY KEY, version bigint NOT NULL);
          INSERT INTO schema_version VALUES('\(application)', 0)
          """)
      }
      for step in versions.dropFirst(Int(current)) { try session.run(step) }
      try session.run("UPDATE schema_version SET version=\(version); COMMIT")
    } catch {
      if session.isInTransaction { _ = try? session.run("ROLLBACK") }
      throw error
    }
  }

  // MARK: Epochs

  /// What tells one start of a database, or one copy of it, from another.
  ///
  /// A restored copy always differs in one of the three: it is another database, was restarted, or has a new table file.
  static let origin = """
    (SELECT concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
      (SELECT oid FROM pg_catalog.pg_database WHERE datname=current_database()),
      pg_relation_filenode(to_regclass('epochs'))))
    """

  /// Which start of which database a connection leads to.
  static func readOrigin(_ session: PostgreSQLSession) throws -> String? {
    try session.row("SELECT \(origin)").first
  }

  private static func isEpochCurrent(_ session: PostgreSQLSession) throws -> Bool {
    try session.number(
      """
      SELECT count(*) FROM (SELECT origin FROM epochs ORDER BY id DESC LIMIT 1) AS last
      WHERE last.origin=\(origin)
      """) == 1
  }

  private static func beginEpoch(_ session: PostgreSQLSession) throws {
    try session.run("BEGIN; \(PostgreSQLLink.lock)")
    do {
      // Another connection may have done it meanwhile.
      if try !isEpochCurrent(session) {
        // A device from before that many starts reads everything again.
        try session.run(
          """
          INSERT INTO epochs(epoch, start, origin)
            SELECT replace(gen_random_uuid()::text, '-', ''), value, \(origin)
            FROM counters WHERE name='cursor';
          DELETE FROM epochs WHERE id <= (SELECT max(id) FROM epochs) - 1000
          """)
      }
      try session.run("COMMIT")
    } catch {
      if session.isInTransaction { _ = try? session.run("ROLLBACK") }
      throw error
    }
  }

  // MARK: Version 1

  private static let text = "text COLLATE \"C\""
  private static let account =
    "\(text) NOT NULL REFERENCES accounts(id) ON DELETE CASCADE"
  private static let row = "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"

  /// Rows that change with each push have room beside them, so that their indexes need not change.
  private static let tables = """
    CREATE TABLE counters(name \(text) PRIMARY KEY, value bigint NOT NULL) WITH (fillfactor=10);
    INSERT INTO counters VALUES('cursor', 0), ('ended', 0);
    CREATE TABLE epochs(
      id \(row), epoch \(text) NOT NULL UNIQUE, start bigint NOT NULL, origin \(text) NOT NULL);

    CREATE TABLE accounts(
      id \(text) PRIMARY KEY, name \(text) NOT NULL, created bigint NOT NULL,
      maximum_bytes bigint, maximum_records bigint, bytes bigint NOT NULL DEFAULT 0,
      records bigint NOT NULL DEFAULT 0, locked bigint, maximum_devices bigint)
      WITH (fillfactor=70);
    CREATE TABLE devices(
      account \(account), id \(text) NOT NULL, name \(text) NOT NULL, joined bigint NOT NULL,
      seen bigint, maker \(text), origin \(text), PRIMARY KEY(account, id))
      WITH (fillfactor=70);
    CREATE TABLE tokens(
      id \(text) PRIMARY KEY, account \(account), device \(text), digest bytea NOT NULL,
      name \(text) NOT NULL, scope \(text) NOT NULL, created bigint NOT NULL, expires bigint,
      idle bigint, used bigint, maker \(text), origin \(text), until bigint)
      WITH (fillfactor=70);
    CREATE INDEX tokens_account ON tokens(account, device);
    CREATE INDEX tokens_maker ON tokens(account, maker);
    CREATE TABLE codes(
      digest bytea PRIMARY KEY, account \(account), kind \(text) NOT NULL, created bigint NOT NULL,
      expires bigint NOT NULL, maker \(text), origin \(text), until bigint, id \(text));
    CREATE INDEX codes_account ON codes(account);
    CREATE TABLE roots(account \(account), id \(text) NOT NULL, PRIMARY KEY(account, id));
    CREATE TABLE audit(
      id \(row), account \(account), at bigint NOT NULL, device \(text), action \(text) NOT NULL,
      subject \(text) NOT NULL, address \(text) NOT NULL, token \(text), name \(text));
    CREATE INDEX audit_account ON audit(account, id);

    CREATE TABLE feeds(
      id \(row), account \(account), domain \(text) NOT NULL, UNIQUE(account, domain));
    CREATE TABLE zones(
      id \(row), feed bigint NOT NULL REFERENCES feeds(id) ON DELETE CASCADE,
      zone \(text) NOT NULL, erased bigint NOT NULL DEFAULT 0, UNIQUE(feed, zone));
    CREATE INDEX zones_erased ON zones(feed) WHERE erased=1;
    CREATE TABLE confirmations(
      zone bigint NOT NULL REFERENCES zones(id) ON DELETE CASCADE, replica bytea NOT NULL,
      kept bytea NOT NULL, PRIMARY KEY(zone, replica));
    CREATE TABLE series(
      zone bigint NOT NULL REFERENCES zones(id) ON DELETE CASCADE, series bytea NOT NULL,
      account \(text) NOT NULL, PRIMARY KEY(zone, series));
    CREATE TABLE segments(
      cursor bigint PRIMARY KEY, feed bigint NOT NULL REFERENCES feeds(id) ON DELETE CASCADE,
      zone bigint NOT NULL REFERENCES zones(id) ON DELETE CASCADE, series bytea NOT NULL,
      first bigint NOT NULL, last bigint NOT NULL, head bytea NOT NULL, size bigint NOT NULL,
      records bigint NOT NULL, device \(text), token \(text),
      UNIQUE(zone, series, first, last, head));
    CREATE INDEX segments_feed ON segments(feed, cursor);
    CREATE INDEX segments_zone ON segments(zone, cursor);
    CREATE TABLE contents(
      cursor bigint PRIMARY KEY REFERENCES segments(cursor) ON DELETE CASCADE,
      bytes bytea NOT NULL);
    ALTER TABLE contents ALTER COLUMN bytes SET STORAGE EXTERNAL;

    CREATE TABLE shares(
      id \(text) PRIMARY KEY, zone bigint NOT NULL REFERENCES zones(id) ON DELETE CASCADE,
      title \(text) NOT NULL, created bigint NOT NULL, ended bigint NOT NULL DEFAULT 0);
    CREATE UNIQUE INDEX shares_running ON shares(zone) WHERE ended=0;
    CREATE INDEX shares_zone ON shares(zone);
    CREATE TABLE participants(
      id \(text) PRIMARY KEY, share \(text) NOT NULL REFERENCES shares(id) ON DELETE CASCADE,
      account \(text) REFERENCES accounts(id) ON DELETE CASCADE, name \(text) NOT NULL,
      role \(text) NOT NULL, state \(text) NOT NULL, granted bigint NOT NULL DEFAULT 0,
      secret \(text) UNIQUE, digest bytea, expires bigint, created bigint NOT NULL,
      maker \(text), origin \(text));
    CREATE INDEX participants_share ON participants(share);
    CREATE INDEX participants_account ON participants(account);

    CREATE TABLE hosting(
      id \(row), at bigint NOT NULL, action \(text) NOT NULL, account \(text) NOT NULL,
      name \(text) NOT NULL, detail \(text) NOT NULL, address \(text) NOT NULL DEFAULT 'local');
    CREATE TABLE admin_links(
      digest bytea PRIMARY KEY, created bigint NOT NULL, expires bigint NOT NULL);
    CREATE TABLE admin_sessions(
      digest bytea PRIMARY KEY, origin \(text) NOT NULL, created bigint NOT NULL,
      seen bigint NOT NULL);
    """

  // MARK: Version 2

  private static let moves = """
    CREATE TABLE moves(
      id \(text) PRIMARY KEY, role \(text) NOT NULL, place \(text) NOT NULL,
      begun bigint NOT NULL, finished bigint);
    """

  // MARK: Version 3

  /// Bodies in a bucket, as version 6 of ``ServerSchema``.
  private static let objects = """
    CREATE TABLE objects(
      name \(text) PRIMARY KEY, account \(text) NOT NULL, hash bytea NOT NULL,
      size bigint NOT NULL, claimed bigint NOT NULL, used bigint NOT NULL DEFAULT 0,
      cursor bigint UNIQUE REFERENCES segments(cursor) ON DELETE SET NULL);
    CREATE INDEX objects_loose ON objects(hash) WHERE cursor IS NULL;
    """

  // MARK: Version 4

  /// Accounts are found by their names, as version 7 of ``ServerSchema``.
  private static let outlines = """
    ALTER TABLE accounts ADD COLUMN outline \(text);
    UPDATE accounts SET outline=lower(name)
      WHERE name ~ '^[ -~]*$' AND name NOT LIKE '%  %' AND name=trim(name);
    CREATE INDEX accounts_outline ON accounts(outline);
    CREATE INDEX accounts_created ON accounts(created, id);
    """

  // MARK: Version 5

  /// What is being stored counts for its account, and the bucket is known, as version 8 of ``ServerSchema``.
  private static let buckets = """
    ALTER TABLE objects ADD COLUMN records bigint NOT NULL DEFAULT 0;
    CREATE INDEX objects_open ON objects(account) WHERE cursor IS NULL AND used=0;
    CREATE TABLE buckets(location \(text) PRIMARY KEY, begun bigint NOT NULL);
    """

  // MARK: Version 6

  /// What a guest has shown of its keys, as version 9 of ``ServerSchema``.
  private static let cards = """
    ALTER TABLE participants ADD COLUMN card \(text);
    """
}
