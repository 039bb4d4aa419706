import SQLiteFile
public import SyncKit
import SyncWire
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server's storage in a database: SQLite's in one folder, for one process that serves it, or one of PostgreSQL,
/// for any number of servers.
///
/// - **One writer.** All writes of a server go through one thread, which makes many of them durable by one commit;
///   reads have threads and connections of their own and wait for no write.
/// - **Killed at any time.** What was answered is there after the next start, without any repair.
/// - **Restored.** Every start of SQLite's file or of PostgreSQL begins an epoch and remembers where the one before
///   ended. A copy that is put back ends earlier than what a client has seen, so the client reads everything again.
/// - **Alone in a folder.** A folder that another process serves is refused; ``ServerAdministration`` works beside.
public final class ServerDatabase: ServerStorage {
  /// What the storage is opened for.
  enum Purpose {
    case serving, administration
  }

  /// What keeps it.
  enum Engine: Sendable {
    /// SQLite, in the file of this path.
    case sqlite(String)
    /// PostgreSQL.
    case postgreSQL(PostgreSQLAddress)
  }

  let environment: SyncEnvironment
  let policy: ServerPolicy
  let engine: Engine
  /// The epoch of this start; nil where the tables say it.
  private let epoch: String?
  private let writer: GroupCommit
  private let readers: ReaderPool
  /// What was read before and still holds.
  let cache: ResponseCache
  /// What it has done so far.
  let work: WorkCount
  private let commits = CommitMeter()
  private let observers: Observers
  private let lock: FolderLock?
  /// What hears of other servers; nil for SQLite and for administration.
  private let listening: PostgreSQLNews?
  /// Whether it serves, and is not a command beside the server.
  let isServing: Bool
  private let outside = Mutex(Outside())

  /// Where large bodies are, and what removes those that no segment has any more.
  private struct Outside {
    var bucket: BodyBucket?
    var collecting: Task<Void, Never>?
  }

  /// Opens a folder to serve it, and makes it when there is none.
  ///
  /// - Throws: ``SyncError`` `store.busy` when another process serves it, `store.damaged`,
  ///   `store.newer`, `store.io` and the like.
  public convenience init(
    _ folder: String, environment: SyncEnvironment, policy: ServerPolicy = ServerPolicy()
  ) throws {
    try self.init(folder, environment, policy, for: .serving)
  }

  /// Opens a database of PostgreSQL to serve it beside other servers, and makes its tables when there are none.
  ///
  /// - Throws: ``SyncError`` `store.unavailable` when it cannot be reached, `store.newer` when a newer server has
  ///   made its tables, `store.damaged`, `store.read-only`, `store.io`.
  public convenience init(
    _ address: PostgreSQLAddress, environment: SyncEnvironment,
    policy: ServerPolicy = ServerPolicy()
  ) throws {
    try self.init(address, environment, policy, for: .serving)
  }

  init(
    _ folder: String, _ environment: SyncEnvironment, _ policy: ServerPolicy, for purpose: Purpose
  ) throws {
    self.environment = environment
    self.policy = policy
    try POSIX.makeFolders(folder)
    // Before the file: whoever moves data here puts one there.
    lock = purpose == .serving ? try FolderLock(folder) : nil
    let path = try ServerFile.prepare(folder)
    engine = .sqlite(path)
    listening = nil
    isServing = purpose == .serving
    let work = WorkCount()
    self.work = work
    let tables = try ServerFile.open(path, for: .writing, work)
    do {
      if let move = try ServerMove.last(.source, tables) { throw move.refusal }
      if purpose == .serving {
        let epoch = Base32.encode(
          [environment.random(), environment.random()].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
          })
        self.epoch = epoch
        try Self.liftMarks(tables)
        try tables.run(
          """
          INSERT INTO epochs(epoch, start) SELECT ?, value FROM counters WHERE name='cursor'
          """, .text(epoch))
        // A device from before that many starts reads everything again.
        try tables.run("DELETE FROM epochs WHERE id <= (SELECT max(id) FROM epochs) - 1000")
      } else {
        epoch = ""
      }
      let count = purpose == .serving ? policy.readers : 1
      let readers = try (0..<count).map { _ in try ServerFile.open(path, for: .reading, work) }
      self.readers = ReaderPool(readers)
      cache = ResponseCache(.sqlite(try ServerFile.open(path, for: .reading, work)))
    } catch {
      tables.close()
      throw error
    }
    let observers = Observers()
    self.observers = observers
    writer = GroupCommit(tables, commits) { observers.tell($0) }
    if purpose == .serving { compactLogs() }
  }

  init(
    _ address: PostgreSQLAddress, _ environment: SyncEnvironment, _ policy: ServerPolicy,
    for purpose: Purpose
  ) throws {
    self.environment = environment
    self.policy = policy
    engine = .postgreSQL(address)
    epoch = nil
    lock = nil
    isServing = purpose == .serving
    let work = WorkCount()
    self.work = work
    let link = PostgreSQLLink(address, sender: String(environment.random(), radix: 36))
    // A command is over soon, and so are its sessions.
    let transactions = purpose == .serving ? try link.forTransactions() : link
    let listening = purpose == .serving ? PostgreSQLNews(link) : nil
    self.listening = listening
    let writing = PostgreSQLConnection(transactions) { listening?.bump() }
    try writing.open()
    let count = purpose == .serving ? policy.readers : 1
    readers = ReaderPool(
      (0..<count).map { _ in ServerTables(PostgreSQLConnection(transactions), work) })
    cache = ResponseCache(ResponseCache.Source(version: { listening?.version }))
    let observers = Observers()
    self.observers = observers
    writer = GroupCommit(ServerTables(writing, work), commits) { observers.tell($0) }
    listening?.start { observers.tell($0) }
  }

  /// Takes marks off home zones, which are never erased: before version 2 of the tables a client could.
  ///
  /// Their devices have all that was there. They must not go by a position from before, or they would
  /// take for stored what the mark has removed.
  private static func liftMarks(_ tables: ServerTables) throws {
    let marked = try tables.all("SELECT id FROM zones WHERE erased=1 AND zone='home'") {
      try $0.int(0)
    }
    guard !marked.isEmpty else { return }
    try tables.connection.begin(.writing)
    for zone in marked {
      try tables.run("DELETE FROM confirmations WHERE zone=?", .int(zone))
      try tables.run("UPDATE zones SET erased=0 WHERE id=?", .int(zone))
    }
    try tables.run("DELETE FROM epochs")
    try tables.connection.commit(telling: StorageNews())
  }

  public func observe(_ observer: @escaping @Sendable (StorageNews) -> Void) {
    observers.add(observer)
  }

  /// The bucket of large bodies; nil when all are in the database.
  var bucket: BodyBucket? { outside.withLock { $0.bucket } }

  func use(_ bucket: BodyBucket) { outside.withLock { $0.bucket = bucket } }

  /// Collects what no segment has any more, whichever process has let it go, until the storage is closed.
  func startCollecting() {
    let task = Task { [weak self] in
      while !Task.isCancelled {
        // What the bucket does not do now it does later; the rows say what is left to do.
        while let self, let count = try? await self.collect(), count > 0 {}
        await self?.bucket?.lookIfIdle()
        try? await Task.sleep(for: .seconds(2))
      }
    }
    outside.withLock { outside in
      outside.collecting?.cancel()
      outside.collecting = task
    }
  }

  public func close() async throws {
    let collecting = outside.withLock { $0.collecting }
    collecting?.cancel()
    await collecting?.value
    try await listening?.stop()
    try await writer.close()
    try await readers.close()
    cache.close()
    lock?.release()
  }

  public func probe() async throws {
    try await write { tables in
      try tables.run("UPDATE counters SET value=value WHERE name='ended'")
    }
  }

  /// The numbers of the storage, for its operator.
  var reading: StorageReading {
    let isAway = listening.map { $0.version == nil } ?? false
    return StorageReading(
      engine: isShared ? "postgresql" : "sqlite", isThere: !isAway,
      statements: work.reading.statements, commits: commits.reading)
  }

  private var isShared: Bool { postgreSQL != nil }

  /// Where its database of PostgreSQL is; nil for SQLite.
  var postgreSQL: PostgreSQLAddress? {
    if case .postgreSQL(let address) = engine { address } else { nil }
  }

  /// Gives back room that was freed, between the writes of others.
  func compactLogs() {
    Task {
      while try await write({ try $0.connection.giveBack() }) {}
    }
  }

  /// The epoch that a page belongs to.
  func currentEpoch(_ tables: ServerTables) throws -> String {
    if let epoch { return epoch }
    let last = try tables.first("SELECT epoch FROM epochs ORDER BY id DESC LIMIT 1") {
      try $0.text(0)
    }
    guard let last else { throw SyncError(.storeDamaged, "The server's store has no epoch.") }
    return last
  }

  /// Reads one state.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (ServerTables) throws -> T
  ) async throws -> T { try await readers.run(body) }

  /// Writes durably.
  func write<T: Sendable>(
    _ body: @escaping @Sendable (ServerTables) throws -> T
  ) async throws -> T {
    guard case .sqlite = engine, !isServing else { return try await writer.run(body) }
    // A command is no server, so its data may be moved away beneath it; what it wrote then would be lost. While they
    // are being moved, it would wait for long.
    if let move = try await read({ try ServerMove.last(.source, $0) }) { throw move.refusal }
    return try await writer.run { tables in
      if let move = try ServerMove.last(.source, tables) { throw move.refusal }
      return try body(tables)
    }
  }
}

/// The listeners for commits.
private final class Observers: Sendable {
  private let all = Mutex<[@Sendable (StorageNews) -> Void]>([])

  func add(_ observer: @escaping @Sendable (StorageNews) -> Void) {
    all.withLock { $0.append(observer) }
  }

  func tell(_ news: StorageNews) { for observer in all.withLock({ $0 }) { observer(news) } }
}

/// Says that a process serves a folder; the lock ends with the process, however it ends.
private final class FolderLock: Sendable {
  private let file: Mutex<Int32>

  init(_ folder: String) throws {
    let path = "\(folder)/\(ServerFile.lockName)"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw POSIX.failure("open", path, errno) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      if let moved = ServerMove.underWay(in: folder) { throw moved }
      throw SyncError(
        .storeBusy, "Another process serves the folder '\(folder)'.",
        hint: "Stop it first, or give this one a folder of its own.")
    }
    self.file = Mutex(file)
  }

  func release() {
    file.withLock { file in
      if file >= 0 {
        // As of a `DataFolder`: a child that is being started has the file open, too.
        flock(file, LOCK_UN)
        close(file)
      }
      file = -1
    }
  }

  deinit { release() }
}

/// What a storage does, in numbers.
struct StorageReading {
  /// What keeps the data: `sqlite` or `postgresql`.
  let engine: String
  /// Whether it answers; a database may be away for a moment.
  let isThere: Bool
  /// Statements that were run.
  let statements: Int
  let commits: CommitMeter.Reading
}
