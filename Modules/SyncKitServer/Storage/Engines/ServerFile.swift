import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// The file of a server's data folder, and how it comes to be and is opened.
enum ServerFile {
  static let name = "server.sqlite"
  /// Held by the process that serves the folder.
  static let lockName = "server.lock"
  /// Written into the file's header: `csrv`.
  private static let application: Int32 = 0x6373_7276
  static let version = Int32(ServerSchema.versions.count)

  /// What a connection is for.
  enum Use {
    case reading, writing
  }

  /// Makes the folder and an empty file where there is none.
  static func prepare(_ folder: String) throws -> String {
    try POSIX.makeFolders(folder)
    let path = "\(folder)/\(name)"
    if !POSIX.isTaken(path) {
      try POSIX.makePrivateFile(path)
      try POSIX.synchronize(folder)
    }
    return path
  }

  static func open(
    _ path: String, for use: Use, _ work: WorkCount = WorkCount()
  ) throws -> ServerTables {
    let connection = try hinting { try Connection(path) }
    do {
      connection.setTimeout(10_000)
      try connection.harden()
      // The mode in which a new file is laid out is asked for before the first page is written.
      if use == .writing { try connection.keepSmall() }
      try connection.useDurableLog()
      try connection.run("PRAGMA foreign_keys=ON; PRAGMA cache_size=-16384")
      switch use {
      case .writing:
        // What people withdraw must not stay in free pages.
        try connection.run(
          """
          PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=2000;
          PRAGMA journal_size_limit=67108864
          """)
        try migrate(connection)
      case .reading: try connection.run("PRAGMA query_only=ON")
      }
      return ServerTables(SQLiteConnection(connection), work)
    } catch {
      connection.close()
      return try hinting { throw error }
    }
  }

  /// Says of a damaged file what helps with a server's: other commands than with the store of a device.
  static func hinting<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch var error as SyncError where error.code == .storeDamaged {
      error.hint =
        "Its bytes were not changed. 'cloudsync-server server check' says what is wrong; stop the server"
        + " and restore a backup with 'cloudsync-server server restore FILE'."
      throw error
    }
  }

  private static func migrate(_ connection: Connection) throws {
    let found = Int32(try connection.texts("PRAGMA user_version").first ?? "") ?? 0
    let owner = Int32(try connection.texts("PRAGMA application_id").first ?? "") ?? 0
    guard found <= version else {
      throw SyncError(
        .storeNewer, "The server's store '\(connection.path)' was written by a newer version.",
        hint: "Upgrade cloudsync on the server.")
    }
    if found == version, owner == application { return }
    let isEmpty = try connection.texts("SELECT name FROM sqlite_schema LIMIT 1").isEmpty
    guard found == 0 ? owner == 0 && isEmpty : owner == application else {
      throw SyncError(
        .storeDamaged, "'\(connection.path)' is not the database of a server.")
    }
    try connection.run(.write)
    do {
      // Another process may have done it meanwhile.
      let current = Int(try connection.texts("PRAGMA user_version").first ?? "") ?? 0
      for step in ServerSchema.versions.dropFirst(current) { try connection.run(step) }
      try connection.run("PRAGMA application_id=\(application); PRAGMA user_version=\(version)")
      try connection.run(.commit)
    } catch {
      try? connection.run(.rollback)
      throw error
    }
  }
}
