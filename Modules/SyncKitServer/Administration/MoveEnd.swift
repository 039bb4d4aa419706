import SQLiteFile
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One of the two places of a move, which no server uses while this is open.
final class MoveEnd {
  let tables: ServerTables
  /// The place, in words; never with a secret.
  let description: String
  private let lock: DataFolder.Lock?
  /// Where the file is made, and where it goes in the end; nil when it is in its place already.
  private let draft: (folder: String, place: String)?
  private let isFile: Bool
  private var isClosed = false

  /// Opens a place that has data.
  ///
  /// - Throws: ``SyncError`` `input.missing`, `store.busy` while a server uses it, and whatever it throws.
  convenience init(_ place: ServerMigration.Place) throws {
    switch place {
    case .database(let address): try self.init(address)
    case .folder(let path):
      let folder = try DataFolder(existing: path)
      let lock = try folder.lock()
      let file = "\(folder.path)/\(ServerFile.name)"
      guard POSIX.isTaken(file) else {
        throw SyncError(.inputMissing, "there is no server's store in '\(folder.path)'")
      }
      self.init(
        try ServerFile.open(file, for: .writing), "the folder \(folder.path)", lock, draft: nil)
    }
  }

  /// Opens a place that gets the data: a database, or a folder in which a new file is made.
  convenience init(newIn place: ServerMigration.Place) throws {
    guard case .folder(let path) = place else {
      try self.init(place)
      return
    }
    let folder = try DataFolder(path)
    let lock = try folder.lock()
    let store = "\(folder.path)/\(ServerFile.name)"
    let description = "the folder \(folder.path)"
    if POSIX.isTaken(store) {
      self.init(try ServerFile.open(store, for: .writing), description, lock, draft: nil)
      return
    }
    for name in Self.sideFiles.dropFirst() where POSIX.isTaken(store + name) {
      throw SyncError(
        .inputInvalid,
        "There is a file '\(ServerFile.name)\(name)' without its store in \(description).",
        hint: "Name an empty folder.")
    }
    let draft = Self.draft(in: folder.path)
    // What a move that was cut off has left.
    Self.remove(draft)
    self.init(
      try ServerFile.open(try ServerFile.prepare(draft), for: .writing), description, lock,
      draft: (draft, store))
  }

  /// The folder in which the store of a folder is made.
  static func draft(in folder: String) -> String { "\(folder)/migrate-draft" }

  private convenience init(_ address: PostgreSQLAddress) throws {
    let connection = PostgreSQLConnection(PostgreSQLLink(address, sender: "move", for: .moving))
    try connection.open()
    self.init(
      ServerTables(connection, WorkCount()), "the database (\(address))", nil, draft: nil,
      isFile: false)
  }

  private init(
    _ tables: ServerTables, _ description: String, _ lock: DataFolder.Lock?,
    draft: (folder: String, place: String)?, isFile: Bool = true
  ) {
    self.tables = tables
    self.description = description
    self.lock = lock
    self.draft = draft
    self.isFile = isFile
  }

  /// Closes it, and removes a draft that has not become a place.
  func close() {
    closeTables()
    lock?.release()
    if let draft { Self.remove(draft.folder) }
  }

  /// How the names of a store's files end.
  private static let sideFiles = ["", "-wal", "-shm", "-journal"]

  private static func remove(_ draft: String) {
    for name in sideFiles { POSIX.remove("\(draft)/\(ServerFile.name)\(name)") }
    rmdir(draft)
  }

  private func closeTables() {
    if !isClosed { tables.close() }
    isClosed = true
  }

  /// Writes durably.
  func write(_ body: (ServerTables) throws -> Void) throws {
    try tables.connection.begin(.writing)
    do {
      try body(tables)
      try tables.connection.commit(telling: StorageNews())
    } catch {
      tables.connection.rollback()
      throw error
    }
  }

  /// Whether a host has done anything with it.
  func hasData() throws -> Bool {
    try tables.exists("SELECT 1 FROM accounts LIMIT 1")
      || tables.exists("SELECT 1 FROM hosting LIMIT 1")
  }

  func requireEmpty() throws {
    let isEmpty = try !hasData() && ServerMove.last(.source, tables) == nil
    // The file of a folder is made whole under another name; one that is there stays.
    guard isEmpty, !isFile || draft != nil else {
      throw SyncError(
        .inputInvalid, "There is a server's store in \(description) already; nothing was moved.",
        hint: "Name an empty folder, or a new database.")
    }
  }

  /// The columns that a table has with every engine, in their order.
  func columns(of table: String) throws -> [String] {
    let names =
      isFile
      ? try tables.all("SELECT name FROM pragma_table_info(?)", .text(table)) { try $0.text(0) }
      : try tables.all(
        """
        SELECT column_name::text FROM information_schema.columns
        WHERE table_schema=current_schema() AND table_name=? ORDER BY ordinal_position
        """, .text(table)
      ) { try $0.text(0) }
    let own = Set(Self.own[table, default: [:]].keys)
    return names.filter { !own.contains($0) }
  }

  /// What a new row has here that rows elsewhere have not.
  func extra(of table: String) -> [String: SQLValue] { isFile ? [:] : Self.own[table] ?? [:] }

  /// The columns that only a database has, with what they get.
  ///
  /// An epoch that came from elsewhere is of no start of the database, so the next start begins its own.
  private static let own: [String: [String: SQLValue]] = ["epochs": ["origin": .text("")]]

  /// Makes the next row of each table get a number behind those that have come.
  func settle() throws {
    guard !isFile else { return }
    for table in ServerTableRows.moved where table.isNumbered {
      try tables.run(
        """
        SELECT setval(pg_get_serial_sequence('\(table.name)', 'id'),
          (SELECT coalesce(max(id), 0) + 1 FROM \(table.name)), false)
        """)
    }
  }

  /// Puts what is committed in its place.
  ///
  /// - Throws: ``SyncError`` that is not safe once the file may be in its place.
  func publish(_ move: ServerMove) throws {
    guard let draft else {
      // A planner that has never seen the tables reads them whole.
      if !isFile { try? tables.run("ANALYZE") }
      return
    }
    let file = "\(draft.folder)/\(ServerFile.name)"
    // The log needs its room a second time in the file; what does not fit there must not be taken for moved.
    let isWhole = try tables.first("PRAGMA wal_checkpoint(TRUNCATE)") { row in
      try row.int(0) == 0 && row.int(1) == 0
    }
    closeTables()
    guard isWhole == true, !POSIX.isTaken("\(file)-wal") else {
      throw SyncError(
        .storeIO, "Not everything could be written into \(description); nothing was moved.",
        hint: "Free some space there, and try again.")
    }
    try POSIX.synchronize(file)
    guard rename(file, draft.place) == 0 else {
      throw POSIX.failure("place", draft.place, errno)
    }
    do {
      try POSIX.synchronize(POSIX.folder(of: draft.place))
      let placed = try ServerFile.open(draft.place, for: .reading)
      defer { placed.close() }
      guard try ServerMove.last(.target, placed)?.id == move.id else {
        throw SyncError(.storeDamaged, "\(draft.place) is not what was written there.")
      }
    } catch var error as SyncError {
      error.isSafe = false
      throw error
    }
  }
}
