import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// The fixed points of a store file; byte by byte in Documentation/Formats/Store.md.
enum StoreFormat {
  /// SQLite's `application_id` of every store: "csyn".
  static let application: UInt32 = 0x6373_796E
  /// What each version did to the tables; the version of a store counts how many have been done.
  ///
  /// A row is never changed once it has been released.
  static let migrations: [String] = [
    Table.allCases
      .map { "CREATE TABLE \($0.name)(k BLOB PRIMARY KEY, c INTEGER NOT NULL, v BLOB NOT NULL)" }
      .map { "\($0) WITHOUT ROWID;" }.joined()
      + "CREATE TABLE store(seed BLOB NOT NULL);"
      + "INSERT INTO store(seed) VALUES(randomblob(8));"
  ]
  /// The version this code writes, and the newest that it reads.
  static var version: Int { migrations.count }

  /// What the header of a file that exists says, before SQLite does anything with it.
  static func check(_ header: [UInt8], _ path: String) throws {
    guard header.starts(with: "SQLite format 3\u{0}".utf8), header.count >= 100 else {
      throw SyncError(
        .storeDamaged, "The store '\(path)' is damaged: its header is not that of a store.",
        hint: "Its bytes were not changed; 'cloudsync verify --repair' rebuilds the store.")
    }
    func number(_ offset: Int) -> UInt32 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard number(68) == application else {
      throw SyncError(
        .storeForeign, "'\(path)' is a SQLite file of another program; it was not touched.")
    }
    try check(version: Int(number(60)), path)
  }

  static func check(version: Int, _ path: String) throws {
    guard version <= Self.version else {
      throw SyncError(
        .storeNewer, "The store '\(path)' was written by a newer version of cloudsync.",
        hint: "Upgrade cloudsync on this device; the store was not touched.")
    }
  }

  /// Brings the tables to this code's version, in one transaction.
  static func migrate(_ connection: Connection) throws {
    guard try version(of: connection) < version else { return }
    try connection.run(.write)
    do {
      // Another process may have been faster.
      for done in try version(of: connection)..<max(version(of: connection), version) {
        try connection.run(migrations[done])
        try connection.run("PRAGMA user_version=\(done + 1)")
      }
      try connection.run(.commit)
    } catch {
      if connection.isInTransaction { try? connection.run(.rollback) }
      throw error
    }
  }

  static func version(of connection: Connection) throws -> Int {
    let found = try connection.texts("PRAGMA user_version").first.flatMap { Int($0) } ?? 0
    try check(version: found, connection.path)
    return max(found, 0)
  }

  /// The number that this store's rows are checked with.
  static func seed(of connection: Connection) throws -> UInt64 {
    let statement = try connection.prepare("SELECT seed FROM store")
    defer { connection.finalize(statement) }
    guard try connection.row(statement.step()), let bytes = statement.blob(0), bytes.count == 8
    else {
      connection.markDamaged()
      throw SyncError(.storeDamaged, "The store '\(connection.path)' has lost its seed.")
    }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Table {
  /// The table's name in the file.
  var name: String {
    switch self {
    case .meta: "meta"
    case .record: "record"
    case .local: "local"
    case .change: "change"
    case .segment: "segment"
    case .series: "series"
    case .waiting: "waiting"
    case .conflict: "conflict"
    case .symbol: "symbol"
    // The word itself is SQL's.
    case .index: "indexed"
    }
  }
}

extension SyncError.Code {
  /// A file stands in the place of the store that another program made.
  public static let storeForeign = Self("store.foreign", exit: 78)
}
