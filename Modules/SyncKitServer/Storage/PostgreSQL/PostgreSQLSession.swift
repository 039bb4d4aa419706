import CSyncKitPostgreSQL
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A connection of libpq that is open, with its prepared statements; used by one thread at a time.
///
/// Through a pooler of transactions nothing lasts from one transaction to the next, so statements are not prepared there.
final class PostgreSQLSession {
  private let handle: OpaquePointer
  private let place: String
  private let isPooled: Bool
  private var statements: [Key: String] = [:]
  /// Statements as PostgreSQL reads them, where they are not prepared.
  private var texts: [String: String] = [:]

  /// A statement is prepared once for each kind of values that it is given.
  private struct Key: Hashable {
    let sql: String
    let kinds: [Oid]
  }

  /// Connects, and waits for no more than the time that the address or its default allows.
  ///
  /// - Throws: ``SyncError`` `store.unavailable`.
  init(_ way: PostgreSQLAddress.Way, isPooled: Bool = false) throws {
    place = way.description
    self.isPooled = isPooled
    // What stands before the address is overridden by it, what stands behind it is not.
    var parameters = Self.defaults.filter { !way.parameters.contains($0.0) }
    parameters += [("dbname", way.text), ("client_encoding", "UTF8")]
    var keywords: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0.0)) } + [nil]
    var values: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0.1)) } + [nil]
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    guard let opened = cpq_connect(&keywords, &values) else {
      throw SyncError(.failure, "There is not enough memory to open the database (\(place)).")
    }
    guard cpq_status(opened) == CONNECTION_OK else {
      let cause = Self.line(cpq_error_message(opened))
      cpq_finish(opened)
      throw PostgreSQLFailure(state: nil, cause: cause, place: place).error
    }
    handle = opened
  }

  deinit { cpq_finish(handle) }

  /// A database that is gone is noticed within seconds; only what can be written to counts.
  private static let defaults = [
    ("fallback_application_name", "cloudsync-server"), ("connect_timeout", "5"),
    ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
    ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"),
  ]

  var isAlive: Bool { cpq_status(handle) == CONNECTION_OK }
  var socket: Int32 { cpq_socket(handle) }
  /// The process that serves it, as it was said when it was opened; a pooler says a number of its own.
  var process: Int32 { cpq_backend_pid(handle) }
  /// The version of the database's server, such as 150004.
  var version: Int32 { cpq_server_version(handle) }

  /// Whether a transaction is open, in order or not.
  var isInTransaction: Bool {
    let status = cpq_transaction_status(handle)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
  }

  /// Runs statements that are given no values, in one round trip.
  ///
  /// - Returns: What the last of them has done, such as `COMMIT`.
  @discardableResult
  func run(_ statements: String) throws -> String {
    let result = cpq_exec(handle, statements)
    defer { cpq_clear(result) }
    try check(result)
    return cpq_command(result).map { String(cString: $0) } ?? ""
  }

  /// Runs statements that are given no values, in one round trip.
  ///
  /// - Returns: The first row of the last of them, as texts.
  func row(_ statements: String) throws -> [String] {
    let result = cpq_exec(handle, statements)
    defer { cpq_clear(result) }
    try check(result)
    guard let result, cpq_rows(result) > 0 else { return [] }
    return (0..<cpq_columns(result)).map { column in
      cpq_value(result, 0, column).map { String(cString: $0) } ?? ""
    }
  }

  /// Runs a statement and hands out its rows until `next` wants no more.
  func rows(
    _ sql: String, _ values: [SQLValue] = [], large: [UInt8]? = nil,
    _ next: (SQLRow) throws -> Bool
  ) throws {
    let kinds = values.map(\.type) + (large == nil ? [] : [SQLValue.bytes])
    let name = isPooled ? nil : try prepared(sql, kinds)
    let result = PostgreSQLValues(values).withPointers(large: large) { values, lengths, formats in
      let count = Int32(values.count)
      if let name { return cpq_exec_prepared(handle, name, count, values, lengths, formats) }
      return cpq_exec_params(handle, numbered(sql), count, kinds, values, lengths, formats)
    }
    defer { cpq_clear(result) }
    try check(result)
    guard let result else { return }
    for row in 0..<cpq_rows(result)
    where try !next(SQLRow(cells: PostgreSQLCells(result: result, row: row))) { return }
  }

  /// The number in the only column of the only row; 0 when there is none.
  func number(_ sql: String, _ values: SQLValue...) throws -> Int64 {
    var number: Int64 = 0
    try rows(sql, values) { row in
      number = row.optionalInt(0) ?? 0
      return false
    }
    return number
  }

  /// The text in the only column of the only row; nil when there is none.
  func text(_ sql: String) throws -> String? {
    var text: String?
    try rows(sql) { row in
      text = row.optionalText(0)
      return false
    }
    return text
  }

  /// Takes what has come; false when the connection is lost.
  func receive() -> Bool { cpq_consume_input(handle) }

  /// The next notification that has come.
  func notification() -> String? {
    guard let found = cpq_notification(handle) else { return nil }
    defer { cpq_free(found) }
    return found.pointee.extra.map { String(cString: $0) } ?? ""
  }

  /// A failure that is not that of a statement.
  func failure(_ cause: String) -> SyncError {
    PostgreSQLFailure(state: nil, cause: cause, place: place).error
  }

  private func numbered(_ sql: String) -> String {
    if let text = texts[sql] { return text }
    let text = PostgreSQLText.numbered(sql)
    texts[sql] = text
    return text
  }

  private func prepared(_ sql: String, _ kinds: [Oid]) throws -> String {
    let key = Key(sql: sql, kinds: kinds)
    if let name = statements[key] { return name }
    let name = "s\(statements.count + 1)"
    let result = cpq_prepare(
      handle, name, PostgreSQLText.numbered(sql), Int32(kinds.count), kinds)
    defer { cpq_clear(result) }
    try check(result)
    statements[key] = name
    return name
  }

  private func check(_ result: OpaquePointer?) throws {
    let status = cpq_result_status(result)
    if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return }
    let state = result.flatMap { cpq_sqlstate($0) }.map { String(cString: $0) }
    let cause =
      result.flatMap { cpq_result_error($0) }.map { Self.line($0) }
      ?? Self.line(cpq_error_message(handle))
    throw PostgreSQLFailure(state: isAlive ? state : nil, cause: cause, place: place).error
  }

  private static func line(_ text: UnsafePointer<CChar>?) -> String {
    let text = text.map { String(cString: $0) } ?? "the connection is lost"
    return text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      .joined(separator: "; ")
  }
}
