import SQLiteFile
import SyncKit

/// The fixed points of a shared file; table by table in Documentation/Formats/SQLiteRemote.md.
enum SharedFileFormat {
  /// SQLite's `application_id` of every shared file: "csyr".
  static let application: UInt32 = 0x6373_7972
  /// The version that this code writes, and the newest that it reads.
  static let version = 1
  /// In bytes.
  static let pageSize = 8_192

  /// The tables, exactly as they stand in the file; nothing else may be there.
  static let tables: [String: String] = [
    "life": "CREATE TABLE life(epoch TEXT NOT NULL)",
    "vault": "CREATE TABLE vault(id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID",
    "segment": """
    CREATE TABLE segment(cursor INTEGER PRIMARY KEY NOT NULL, domain TEXT NOT NULL, \
    zone TEXT NOT NULL, series BLOB NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, \
    head BLOB NOT NULL, bytes BLOB NOT NULL, UNIQUE(domain, zone, series, first, last, head))
    """,
    "moment": "CREATE TABLE moment(cursor INTEGER PRIMARY KEY NOT NULL, mark TEXT NOT NULL)",
    "erasure": """
    CREATE TABLE erasure(domain TEXT NOT NULL, zone TEXT NOT NULL, replica BLOB NOT NULL, \
    kept BLOB NOT NULL, PRIMARY KEY(domain, zone, replica)) WITHOUT ROWID
    """,
  ]

  /// Makes the tables in an empty file.
  static func make(_ connection: Connection) throws {
    try connection.run(.write)
    for table in tables.keys.sorted() { try connection.run(tables[table] ?? "") }
    try connection.run("INSERT INTO life VALUES(\(FeedEpoch.draw))")
    try connection.run("PRAGMA application_id=\(application); PRAGMA user_version=\(version)")
    try connection.run(.commit)
  }

  /// What the header says, before SQLite does anything with the file.
  ///
  /// - Throws: ``SyncError`` `remote.marker` for a file of another program, `format.newer`.
  static func check(header: [UInt8], _ location: String) throws {
    func number(_ offset: Int) -> UInt32 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard header.count >= 100, header.starts(with: "SQLite format 3\u{0}".utf8),
      number(68) == application
    else {
      throw SyncError(
        .remoteMarker, "\(location) is not a shared file of cloudsync; it was not touched.",
        hint: "Correct the remote's path; 'cloudsync remote add' creates the file.")
    }
    guard Int(number(60)) <= version else {
      throw SyncError(
        .formatNewer, "\(location) was set up by a newer version of cloudsync.",
        hint: "Upgrade cloudsync on this device.")
    }
  }

  /// Makes sure that the tables are the ones above and that there is nothing that could act.
  ///
  /// - Throws: ``SyncError`` `store.damaged`.
  static func verify(_ connection: Connection) throws {
    var missing = tables
    let statement = try connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    defer { connection.finalize(statement) }
    while try connection.row(statement.step()) {
      guard let type = statement.text(0), let name = statement.text(1), let of = statement.text(2)
      else { throw strange(connection) }
      switch type {
      case "table" where statement.text(3) != nil && missing[name] == statement.text(3):
        missing[name] = nil
      // What SQLite's own ANALYZE leaves behind.
      case "table" where name == "sqlite_stat1" || name == "sqlite_stat4": break
      case "index" where name == "sqlite_autoindex_\(of)_1" && statement.text(3) == nil: break
      default: throw strange(connection)
      }
    }
    guard missing.isEmpty else { throw strange(connection) }
  }

  private static func strange(_ connection: Connection) -> SyncError {
    connection.markDamaged()
    return SyncError(
      .storeDamaged, "It is damaged.", cause: "its tables are not those of a shared file")
  }
}
