import SQLiteFile
import SyncKit

/// Backups and checks.
extension ServerAdministration {
  /// Copies the whole store into a new file, as it is at one moment, while the server goes on.
  ///
  /// The copy is whole and durable when the method returns; until then the file bears another name.
  /// It holds no secret of a token or code, only their hashes.
  /// - Parameter file: Where the copy is to be; nothing may be there.
  /// - Throws: ``SyncError`` `input.invalid` when something is there; `usage` for a database of PostgreSQL, which has
  ///   programs of its own for that.
  public func backup(to file: String) async throws {
    try storage.requireFile("back up", instead: "pg_dump --format custom --file FILE DATABASE")
    guard !POSIX.isTaken(file) else {
      throw SyncError(.inputInvalid, "'\(file)' already exists; a backup replaces no file.")
    }
    try POSIX.makeFolders(POSIX.folder(of: file))
    let name = storage.newID()
    let temporary = "\(file).new-\(name)"
    try POSIX.makePrivateFile(temporary)
    do {
      try await storage.copy(to: temporary)
      try POSIX.synchronize(temporary)
      guard try POSIX.publish(temporary, as: file) else {
        throw SyncError(.inputInvalid, "'\(file)' already exists; a backup replaces no file.")
      }
    } catch {
      POSIX.remove(temporary)
      throw error
    }
    // The copy is there, whether or not it can be noted.
    let now = storage.environment.now()
    try? await storage.write { tables in
      try tables.run(
        """
        INSERT INTO counters(name, value) VALUES('backup', ?)
        ON CONFLICT(name) DO UPDATE SET value=excluded.value
        """, .int(now))
    }
  }

  /// Milliseconds since 1970 when ``backup(to:)`` last made a copy; nil when it never did.
  public func lastBackup() async throws -> Int64? {
    try await told {
      try await storage.read { tables in
        try tables.first("SELECT value FROM counters WHERE name='backup'") { try $0.int(0) }
      }
    }
  }

  /// How many bytes the store takes on the disk.
  func storedBytes() async throws -> Int64 {
    try await storage.read { tables in
      guard case .sqlite = storage.engine else {
        return try tables.count("SELECT pg_database_size(current_database())")
      }
      return try tables.count("PRAGMA page_count") * tables.count("PRAGMA page_size")
    }
  }

  /// What a check has looked at, and what is wrong.
  public struct Findings: Sendable, Equatable {
    /// How many segments were read and checked.
    public var segments = 0
    /// How many bytes they have.
    public var bytes: Int64 = 0
    /// The segments that no device can read.
    public var damaged: [DamagedSegment] = []
    /// What is wrong besides, each as a sentence.
    public var other: [String] = []
    /// How many segments were not read, since their bodies are in a bucket that is not known here.
    public var unread = 0
    /// The objects of the bucket that no segment has; empty unless they were asked for.
    public var unknownObjects: [String] = []
    /// What is wrong, each as a sentence; empty when all is well.
    public var problems: [String] { other + damaged.map(\.sentence) }

    /// Whether all that is wrong came so: the file is whole, and holds segments that no device takes.
    var isOnlyUnreadable: Bool {
      other.isEmpty && damaged.allSatisfy { $0.problem == SegmentAudit.unreadable }
    }
  }

  /// Reads everything and says what is wrong; changes nothing.
  ///
  /// Pages of a database of PostgreSQL are left to `pg_amcheck`.
  ///
  /// - Parameter listing: Whether objects of the bucket that no segment has are looked for as well.
  /// - Returns: What it has found.
  /// - Throws: ``SyncError`` `store.unavailable` when the bucket does not answer.
  public func check(listing: Bool = false) async throws -> Findings {
    var (findings, outside) = try await storage.read { tables in
      var findings = Findings()
      if case .sqlite = storage.engine { try Self.checkFile(tables, &findings) }
      let outside = try SegmentAudit.run(tables, &findings)
      return (findings, outside)
    }
    guard storage.bucket != nil else {
      findings.unread = outside.count
      return findings
    }
    for (entry, object) in outside {
      let bytes = try await storage.bytes(of: object)
      // What was removed since is no damage.
      let isThere = try await storage.read { tables in
        try bytes != nil
          || tables.exists(
            "SELECT 1 FROM objects WHERE name=? AND cursor IS NOT NULL", .text(object.name))
      }
      if isThere { SegmentAudit.check(bytes, entry, missing: SegmentAudit.lost, &findings) }
    }
    if listing { findings.unknownObjects = try await storage.unknownObjects() }
    return findings
  }

  /// Removes objects of the bucket that a check has found and still nothing has, and all that waits to be removed.
  ///
  /// - Returns: How many are gone.
  public func collect(_ unknown: [String]) async throws -> Int {
    var count = try await storage.remove(unknown: unknown)
    while case let more = try await storage.collect(), more > 0 { count += more }
    return count
  }

  /// Reads and removes large bodies in a bucket.
  public func reachLargeBodies(in blobs: ServerBlobs) async throws {
    try await storage.reachLargeBodies(in: blobs)
  }

  /// The name of the bucket of large bodies; nil when no server was started with one.
  public func knownBucket() async throws -> String? { try await storage.knownBucket() }

  /// Makes another bucket that of the server; the objects must be there already.
  ///
  /// - Returns: The name of the bucket before; nil for none.
  /// - Throws: ``SyncError`` `config.invalid` when the objects are not there, `store.busy` while a server stores some,
  ///   `remote.*` when the bucket cannot be used.
  @discardableResult
  public func replaceBucket(by blobs: ServerBlobs) async throws -> String? {
    try await told {
      let before = try await storage.replaceBucket(by: blobs)
      if let now = storage.bucket?.location, now != before {
        try await storage.write { try note("bucket.replace", nil, $0, detail: now) }
      }
      return before
    }
  }

  /// How many bodies are in a bucket and not in the database, and how many bytes they have.
  public func bodiesOutside() async throws -> (count: Int64, bytes: Int64) {
    try await storage.keptOutside()
  }

  private static func checkFile(_ tables: ServerTables, _ findings: inout Findings) throws {
    let pages = try tables.all("PRAGMA integrity_check(20)") { try $0.text(0) }
    findings.other += pages.filter { $0 != "ok" }.map { "The file is damaged: \($0)." }
    let keys = try tables.all("PRAGMA foreign_key_check") { try $0.text(0) }
    for table in Set(keys).sorted() {
      findings.other.append("Rows of '\(table)' have no owner.")
    }
  }
}

extension ServerDatabase {
  /// Refuses what only a file of SQLite can have done to it.
  func requireFile(_ verb: String, instead: String) throws {
    guard case .postgreSQL(let address) = engine else { return }
    throw SyncError(
      .usage, "Cannot \(verb) the database (\(address)): PostgreSQL has its own program for that.",
      hint: instead)
  }

  /// Writes one state of the file into another one, which is empty.
  func copy(to file: String) async throws {
    // A connection of its own, as it may take long, and the readers' ones must not write.
    guard case .sqlite(let path) = engine else { return }
    try await read { _ in
      let connection = try Connection(path)
      defer { connection.close() }
      connection.setTimeout(10_000)
      let quoted = file.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''")
      try connection.run("VACUUM INTO '\(quoted)'")
    }
  }
}
