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

/// A server's storage in one folder, by SQLite, for one process that serves it.
///
/// - **One writer.** All writes go through one thread, which brings many of them to the disk by one
///   synchronisation; reads have threads and connections of their own and wait for no write.
/// - **Killed at any time.** The file is opened again without any repair, with all that was answered.
/// - **Restored.** Every start begins an epoch and remembers where the one before ended. A copy that is
///   put back ends earlier than what a client has seen, so the client reads everything again.
/// - **Alone.** A folder that another process serves is refused; ``ServerAdministration`` works beside.
public final class SQLiteServerStorage: ServerStorage {
  /// What the storage is opened for.
  enum Purpose {
    case serving, administration
  }

  let environment: SyncEnvironment
  let policy: ServerPolicy
  /// The epoch of this start.
  let epoch: String
  private let writer: GroupCommit
  private let readers: ReaderPool
  /// What was read before and still holds.
  let cache: ResponseCache
  /// What it has done so far.
  let work: WorkCount
  private let observers: Observers
  private let lock: FolderLock?
  /// The last cursor that was given.
  let cursor: CursorSource

  /// Opens a folder to serve it, and makes it when there is none.
  ///
  /// - Throws: ``SyncError`` `store.busy` when another process serves it, `store.damaged`,
  ///   `store.newer`, `store.io` and the like.
  public convenience init(
    _ folder: String, environment: SyncEnvironment, policy: ServerPolicy = ServerPolicy()
  ) throws {
    try self.init(folder, environment, policy, for: .serving)
  }

  init(
    _ folder: String, _ environment: SyncEnvironment, _ policy: ServerPolicy, for purpose: Purpose
  ) throws {
    self.environment = environment
    self.policy = policy
    let path = try ServerFile.prepare(folder)
    let work = WorkCount()
    self.work = work
    lock = purpose == .serving ? try FolderLock("\(folder)/\(ServerFile.lockName)") : nil
    let tables = try ServerFile.open(path, for: .writing, work)
    do {
      let last = try tables.count("SELECT value FROM counters WHERE name='cursor'")
      cursor = CursorSource(UInt64(clamping: last))
      if purpose == .serving {
        epoch = Base32.encode(
          [environment.random(), environment.random()].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
          })
        try Self.liftMarks(tables)
        try tables.run("INSERT INTO epochs(epoch, start) VALUES(?, ?)", .text(epoch), .int(last))
        // A device from before that many starts reads everything again.
        try tables.run("DELETE FROM epochs WHERE id <= (SELECT max(id) FROM epochs) - 1000")
      } else {
        epoch = ""
      }
      let count = purpose == .serving ? policy.readers : 1
      let readers = try (0..<count).map { _ in try ServerFile.open(path, for: .reading, work) }
      self.readers = ReaderPool(readers)
      cache = ResponseCache(try ServerFile.open(path, for: .reading, work))
    } catch {
      tables.close()
      throw error
    }
    let observers = Observers()
    self.observers = observers
    writer = GroupCommit(tables) { observers.tell($0) }
    if purpose == .serving { compactLogs() }
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
    try tables.run("BEGIN IMMEDIATE")
    for zone in marked {
      try tables.run("DELETE FROM confirmations WHERE zone=?", .int(zone))
      try tables.run("UPDATE zones SET erased=0 WHERE id=?", .int(zone))
    }
    try tables.run("DELETE FROM epochs")
    try tables.run("COMMIT")
  }

  public func observe(_ observer: @escaping @Sendable (StorageNews) -> Void) {
    observers.add(observer)
  }

  public func close() async throws {
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

  /// Gives back room that was freed, in small steps between the writes of others.
  func compactLogs() {
    Task {
      while try await write({ tables in
        guard try tables.connection.isWide() else { return false }
        try tables.connection.giveBack(pages: 500)
        return true
      }) {}
    }
  }

  /// Reads one state.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (ServerTables) throws -> T
  ) async throws -> T { try await readers.run(body) }

  /// Writes durably.
  func write<T: Sendable>(
    _ body: @escaping @Sendable (ServerTables) throws -> T
  ) async throws -> T { try await writer.run(body) }
}

/// Gives cursors; only the writer's thread asks.
///
/// One that was given and rolled back is not given again.
final class CursorSource: Sendable {
  private let last: Atomic<UInt64>

  init(_ last: UInt64) { self.last = Atomic(last) }

  func next(_ tables: ServerTables) throws -> UInt64 {
    let cursor = last.wrappingAdd(1, ordering: .relaxed).newValue
    try tables.run(
      "UPDATE counters SET value=? WHERE name='cursor'", .int(Int64(clamping: cursor)))
    return cursor
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

  init(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw POSIX.failure("open", path, errno) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw SyncError(
        .storeBusy, "Another process serves the folder '\(POSIX.folder(of: path))'.",
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
