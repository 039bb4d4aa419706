import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// A local store in one SQLite file.
///
/// The file's layout is described in Documentation/Formats/Store.md.
///
/// - **All or nothing, durable.** A write transaction is in the log, synchronised, before
///   ``write(_:)`` returns; a crash at any point leaves all of it or nothing.
/// - **Isolated.** Processes take turns to write and wait up to ten seconds for each other; one
///   that waited longer gets `store.busy` and may try again. Within a process transactions run one
///   after the other; one begun inside another one's body is refused, as it could only wait for
///   itself.
/// - **Checked.** Every row is under a 64-bit checksum over store, table, key and value, checked
///   whenever it is read.
/// - **Left alone when in doubt.** A damaged, foreign or newer file is refused and stays as it is,
///   byte for byte.
/// - **Private.** The file, its log and the log's index have mode 0600, folders that it makes 0700.
///
/// While no process has the store open, and unless the last process crashed, the file alone is the
/// whole store. Otherwise `-wal` holds the newest transactions: copy the file only together with
/// `-wal`, or with SQLite's backup.
public final class SQLiteStorage: Storage {
  /// Where the store is.
  public let path: String
  /// What changes when the file is copied, restored or moved to another machine.
  ///
  /// It is made as ``FileIdentity`` says, with a number that was drawn when the store was made.
  /// Writing, folding in the log and vacuuming keep it.
  public let fingerprint: String?

  private let turn = Turn()
  // Used only by the thread whose turn it is.
  nonisolated(unsafe) private let connection: Connection
  nonisolated(unsafe) private let statements: StatementCache
  nonisolated(unsafe) private var isClosed = false
  nonisolated(unsafe) private var isSuspect = false
  private let seed: UInt64

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: Where the file is; symbolic links are followed.
  ///   - isCreated: Whether to make an empty store, and the folders it needs, when there is none.
  ///   - timeout: How long to wait for other processes, in milliseconds.
  /// - Throws: ``SyncError`` `store.missing`, `store.damaged`, `store.newer`, `store.foreign`,
  ///   `store.busy` (try again), `store.disk-full`, `store.read-only`, `store.io`. Nothing was
  ///   changed then.
  public init(path: String, isCreated: Bool = true, timeout: Int32 = 10_000) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SyncError(.storeIO, "A store needs a path.")
    }
    if let entry = try POSIX.entry(path) {
      guard entry.isFile else { throw SyncError(.storeIO, "'\(path)' is not a file.") }
    } else {
      guard isCreated else {
        throw SyncError(.storeMissing, "There is no store at '\(path)'.")
      }
      try Self.refuseOrphanedLog(path)
      try StoreFile.make(path)
    }
    self.path = path
    connection = try StoreFile.open(path, timeout: timeout)
    statements = StatementCache(connection)
    do {
      seed = try StoreFormat.seed(of: connection)
      fingerprint = try FileIdentity.fingerprint(path, seed)
    } catch {
      connection.close()
      throw error
    }
  }

  deinit { close() }

  public func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try turn.take {
      try checkIsUsable()
      return try run(.read, body)
    }
  }

  public func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try turn.take {
      try checkIsUsable()
      guard !connection.isReadOnly else {
        throw SyncError(.storeReadOnly, "The store '\(path)' cannot be written.")
      }
      return try run(.write) { transaction in
        // Otherwise it would go into a file that cannot be found any more. Asked when no other process can be
        // writing: until then the store may have been replaced.
        guard !connection.hasMoved else {
          throw SyncError(
            .storeIO, "The store '\(path)' was removed or replaced while it was open.",
            hint: "Run the command again.")
        }
        return try body(transaction)
      }
    }
  }

  /// Closes the store; whatever is called afterwards throws.
  ///
  /// It happens by itself at the latest when the storage goes away.
  public func close() {
    try? turn.take {
      guard !isClosed else { return }
      isClosed = true
      statements.removeAll()
      connection.close()
    }
  }

  /// Runs `body` on the connection, outside of any transaction.
  func withConnection<T>(_ body: (Connection) throws -> T) throws -> T {
    try turn.take {
      try checkIsUsable()
      return try body(connection)
    }
  }

  private func checkIsUsable() throws {
    guard !isClosed else { throw SyncError(.bug, "The store '\(path)' has been closed.") }
    guard !isSuspect else {
      throw SyncError(
        .storeIO, "The disk did not store a transaction of the store '\(path)'.",
        hint: "Run the command again; 'cloudsync verify' checks for damage.")
    }
  }

  private func run<T>(
    _ begin: Connection.Frame, _ body: (StoreTransaction) throws -> T
  ) throws -> T {
    try connection.run(begin)
    let transaction = StoreTransaction(connection, statements, seed: seed)
    defer { transaction.end() }
    do {
      let result = try body(transaction)
      try commit()
      return result
    } catch {
      if connection.isInTransaction { try? connection.run(.rollback) }
      throw error
    }
  }

  private func commit() throws {
    do {
      try connection.run(.commit)
    } catch var error as SyncError {
      if error.code == .storeIO {
        // After a failed synchronisation the system may take pages for written that are not, so
        // this connection is not asked again; and whether the transaction is there is open.
        isSuspect = true
        error.isSafe = false
      }
      throw error
    }
  }

  /// A log without its store is what an accident leaves; a new store would swallow it.
  private static func refuseOrphanedLog(_ path: String) throws {
    guard let log = try POSIX.entry(path + "-wal"), log.size > 0 else { return }
    throw SyncError(
      .storeDamaged, "The store '\(path)' is missing, but its log '\(path)-wal' exists.",
      hint: "Bring the file back, or rebuild the store with 'cloudsync verify --repair'.")
  }
}

extension SyncError.Code {
  /// There is no store where one is expected.
  public static let storeMissing = Self("store.missing", exit: 66)
}
