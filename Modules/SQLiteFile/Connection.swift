import CSyncKitSQLite
import SyncKit

/// One connection to a SQLite file; used by one thread at a time.
package final class Connection {
  /// Where the file is, or will be.
  package let path: String
  private let handle: OpaquePointer
  /// Whether the file's content was found to be wrong; then not even a checkpoint may touch it.
  package private(set) var isDamaged = false
  /// The statements around transactions, each prepared when it is first needed: to read their few words
  /// again takes longer than to run them.
  private var frames: [Frame: Statement] = [:]

  /// Opens a file that exists; reads and writes nothing yet.
  ///
  /// - Parameters:
  ///   - file: Where the file is.
  ///   - name: What errors call it, when it is to be renamed.
  ///   - isImmutable: Whether no process can change the file while it is open.
  /// - Throws: ``SyncError`` `store.read-only`, `store.io`.
  package init(_ file: String, as name: String? = nil, isImmutable: Bool = false) throws {
    path = name ?? file
    var opened: OpaquePointer?
    // No mutex: the storage's own lock lets one thread in at a time.
    let mode = isImmutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE
    let place = isImmutable ? Self.immutableURI(file) : file
    let code = sqlite3_open_v2(place, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else {
      throw SyncError(.failure, "There is not enough memory to open the store '\(path)'.")
    }
    guard code == SQLITE_OK else {
      let failure = SQLiteFailure(
        code: sqlite3_extended_errcode(opened), systemError: sqlite3_system_errno(opened),
        unread: 0)
      sqlite3_close_v2(opened)
      throw failure.error(path)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
  }

  /// Whether writing is impossible, by the file's mode or its medium.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }
  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  /// The error number of the last system call that failed below SQLite; 0 when there was none.
  package var systemError: Int32 { sqlite3_system_errno(handle) }
  /// How often SQLite waits for another process before it gives up, in milliseconds.
  package func setTimeout(_ milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Switches an option of the connection.
  package func configure(_ option: Int32, _ isOn: Bool) throws {
    try check(cloudsync_sqlite3_configure(handle, option, isOn ? 1 : 0))
  }

  /// Keeps the log file when it is closed, so that no process pays for making and removing it, and
  /// a full disk or a read-only medium can still be read from.
  package func keepLog() throws {
    var isOn: Int32 = 1
    try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn))
  }

  /// Whether the file was removed or replaced since it was opened.
  package var hasMoved: Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }

  /// The first bytes of the file as they lie there, without a lock and without recovery.
  ///
  /// It goes through SQLite's own file handle: to open and close the file beside SQLite would drop
  /// the locks that another connection of this process holds on it.
  package func header(_ count: Int) throws -> [UInt8] {
    var file: UnsafeMutablePointer<sqlite3_file>?
    try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file))
    guard let file, let read = file.pointee.pMethods?.pointee.xRead else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 0) }
    // A short read leaves zeros behind what there is.
    guard code == SQLITE_OK || code == SQLiteFailure.shortRead else {
      throw failure(code).error(path)
    }
    return bytes
  }

  /// What begins or ends a transaction.
  package enum Frame: String {
    case read = "BEGIN"
    case write = "BEGIN IMMEDIATE"
    case commit = "COMMIT"
    case rollback = "ROLLBACK"
  }

  /// Begins or ends a transaction.
  package func run(_ frame: Frame) throws {
    let statement = try frames[frame] ?? prepare(frame.rawValue)
    frames[frame] = statement
    defer { statement.reset() }
    _ = try row(statement.step())
  }

  /// Runs statements that give no rows.
  package func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// The texts in the first column of a statement's rows.
  package func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    defer { finalize(statement) }
    var found: [String] = []
    while try row(statement.step()) {
      found.append(sqlite3_column_text(statement.handle, 0).map { String(cString: $0) } ?? "")
    }
    return found
  }

  package func prepare(_ sql: String) throws -> Statement {
    var made: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try check(sqlite3_prepare_v3(handle, sql, -1, flags, &made, nil))
    guard let made else { throw SyncError(.bug, "A statement is empty: \(sql)") }
    return Statement(handle: made)
  }

  package func finalize(_ statement: Statement) { sqlite3_finalize(statement.handle) }

  /// Whether a step gave a row; false at the end.
  package func row(_ code: Int32) throws -> Bool {
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    try check(code)
    return false
  }

  package func check(_ code: Int32) throws {
    guard code != SQLITE_OK else { return }
    let failure = failure(code)
    if failure.isDamage { isDamaged = true }
    throw failure.error(path)
  }

  /// Fails when the disk has not given a part of the file, which SQLite takes for damage.
  package func checkIsRead() throws {
    guard cloudsync_sqlite3_unread(handle) != 0 else { return }
    throw failure(SQLITE_CORRUPT).error(path)
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(
      code: code, systemError: sqlite3_system_errno(handle),
      unread: cloudsync_sqlite3_unread(handle))
  }

  /// Notes that a row failed its checksum.
  package func markDamaged() { isDamaged = true }

  /// Closes the file; whatever was prepared by others must be finalized.
  ///
  /// The last one to close it folds the log in.
  package func close() {
    if isDamaged { try? configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
    for statement in frames.values { finalize(statement) }
    frames = [:]
    sqlite3_close_v2(handle)
  }

  private static func immutableURI(_ path: String) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        uri.append("%")
        uri.unicodeScalars.append(digits[Int(byte >> 4)])
        uri.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return uri + "?immutable=1"
  }
}
