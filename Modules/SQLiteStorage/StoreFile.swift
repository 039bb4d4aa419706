import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// How a store's file comes to be and is opened.
enum StoreFile {
  /// In bytes; larger pages write more for a small change, smaller ones are slower in bulk.
  static let pageSize = 8_192
  /// In KiB, taken only when a transaction touches as much.
  private static let cacheSize = 49_152
  /// The log is merged when it has this many pages: 4 MiB.
  private static let checkpointPages = 512

  /// Makes an empty store unless something bears its name; there is never half a store.
  static func make(_ path: String) throws {
    try POSIX.makeFolders(POSIX.folder(of: path))
    let random = withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Base32.encode($0) }
    let temporary = "\(path).new-\(random)"
    try POSIX.makePrivateFile(temporary)
    do {
      let connection = try Connection(temporary, as: path)
      defer { connection.close() }
      // The file is invisible until it is whole; it is synchronised once, at the end.
      try connection.run(
        """
        PRAGMA page_size=\(pageSize); PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;
        PRAGMA application_id=\(StoreFormat.application)
        """)
      try StoreFormat.migrate(connection)
    } catch {
      POSIX.remove(temporary)
      throw error
    }
    try POSIX.synchronize(temporary)
    _ = try POSIX.publish(temporary, as: path)
  }

  /// Opens a store that exists, after a look at its header.
  static func open(_ path: String, timeout: Int32) throws -> Connection {
    let connection = try Connection(path)
    do {
      try StoreFormat.check(connection.header(100), path)
      connection.setTimeout(timeout)
      try connection.harden()
      guard !connection.isReadOnly else { return try openReadOnly(connection, timeout) }
      try connection.keepLog()
      try connection.useDurableLog()
      try connection.run(
        """
        PRAGMA cache_size=-\(cacheSize); PRAGMA wal_autocheckpoint=\(checkpointPages);
        PRAGMA journal_size_limit=\(checkpointPages * pageSize)
        """)
      try StoreFormat.migrate(connection)
      return connection
    } catch {
      // What was refused must stay as it is, its log included.
      try? connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      try? connection.keepLog()
      connection.close()
      throw error
    }
  }

  /// SQLite cannot read a store without its log's index, and on a read-only medium it cannot make
  /// one; where nothing can change and the log is empty, it may do without.
  private static func openReadOnly(
    _ connection: Connection, _ timeout: Int32
  ) throws -> Connection {
    do {
      _ = try StoreFormat.version(of: connection)
      return connection
    } catch let error as SyncError where error.code != .storeNewer {
      let log = try POSIX.entry(connection.path + "-wal")
      guard POSIX.isOnReadOnlyMedium(connection.path), (log?.size ?? 0) == 0 else { throw error }
      let immutable = try Connection(connection.path, isImmutable: true)
      do {
        try immutable.harden()
        _ = try StoreFormat.version(of: immutable)
      } catch {
        immutable.close()
        throw error
      }
      connection.close()
      return immutable
    }
  }
}
