import CSyncKitSQLite
import SyncKitFormats
import SyncKit

/// A SQLite file that holds lines by id and promises nothing else: the least that any tool must do.
///
/// It has the verbs of ``Replica`` that a first sync needs: the device that has records
/// writes them into one file durably, the one that has none parses that file and inserts the lines.
struct Floor {
  private let path: String
  private let database: OpaquePointer

  /// Opens the file of a device.
  init(at path: String) throws {
    self.path = path
    try POSIX.makeFolder(path)
    var opened: OpaquePointer?
    guard sqlite3_open(path + "/floor.sqlite", &opened) == SQLITE_OK, let opened else {
      throw SyncError(.failure, "SQLite cannot open '\(path)'.")
    }
    database = opened
    try run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
    try run("CREATE TABLE IF NOT EXISTS record(id BLOB PRIMARY KEY, line BLOB) WITHOUT ROWID")
  }

  func close() { sqlite3_close(database) }

  /// Runs a verb.
  func run(verb: String, _ rest: [String]) throws {
    switch verb {
    case "init":
      let folder = rest.last.map { String($0.dropFirst("file:".utf8.count)) } ?? ""
      try POSIX.makeFolder(folder)
      try POSIX.write(Array(folder.utf8), to: path + "/remote")
    case "import": try insert(parse(POSIX.read(rest.first ?? "")))
    case "sync": try sync()
    case "export": try POSIX.write(content(), to: 1)
    default: throw SyncError(.inputInvalid, "The floor has no verb '\(verb)'.")
    }
  }

  private func sync() throws {
    let file = String(decoding: try POSIX.read(path + "/remote"), as: UTF8.self) + "/lines"
    if POSIX.exists(file) {
      if try isEmpty() { try insert(parse(POSIX.read(file))) }
    } else {
      try POSIX.write(content(), to: file, isDurable: true)
    }
  }

  private func parse(_ bytes: [UInt8]) throws -> [(id: String, line: ArraySlice<UInt8>)] {
    try lines(of: bytes).map { line in
      guard let id = try? JSON(parsing: line)["id"]?.string else {
        throw SyncError(.inputInvalid, "A line has no id.")
      }
      return (id, line)
    }
  }

  /// Inserts lines in one transaction.
  func insert(_ lines: [(id: String, line: ArraySlice<UInt8>)]) throws {
    try run("BEGIN IMMEDIATE")
    for (id, line) in lines { try insert(id, line) }
    try run("COMMIT")
  }

  /// Inserts a line; a transaction of its own unless one is open.
  func insert(_ id: String, _ line: some Collection<UInt8>) throws {
    try withStatement("INSERT OR REPLACE INTO record VALUES(?1, ?2)") { statement in
      let (id, line) = (Array(id.utf8), Array(line))
      try id.withUnsafeBytes { id in
        try line.withUnsafeBytes { line in
          sqlite3_bind_blob(statement, 1, id.baseAddress, Int32(id.count), nil)
          sqlite3_bind_blob(statement, 2, line.baseAddress, Int32(line.count), nil)
          guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        }
      }
    }
  }

  private func isEmpty() throws -> Bool {
    try withStatement("SELECT 1 FROM record LIMIT 1") { sqlite3_step($0) == SQLITE_DONE }
  }

  private func content() throws -> [UInt8] {
    try withStatement("SELECT line FROM record ORDER BY id") { statement in
      var output = LineWriter()
      while sqlite3_step(statement) == SQLITE_ROW {
        let count = Int(sqlite3_column_bytes(statement, 0))
        output.append(
          UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count))
      }
      return output.bytes
    }
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private func withStatement<T>(_ sql: String, _ body: (OpaquePointer) throws -> T) throws -> T {
    let statement = try statements.statement(sql, in: database)
    defer { sqlite3_reset(statement) }
    return try body(statement)
  }

  private let statements = Statements()

  private var failure: SyncError {
    SyncError(.failure, "SQLite failed.", cause: String(cString: sqlite3_errmsg(database)))
  }

  /// The prepared statements by their text.
  private final class Statements {
    private var known: [String: OpaquePointer] = [:]

    func statement(_ sql: String, in database: OpaquePointer) throws -> OpaquePointer {
      if let statement = known[sql] { return statement }
      var made: OpaquePointer?
      sqlite3_prepare_v2(database, sql, -1, &made, nil)
      guard let made else { throw SyncError(.bug, "A statement is invalid: \(sql)") }
      known[sql] = made
      return made
    }

    deinit { for statement in known.values { sqlite3_finalize(statement) } }
  }
}
