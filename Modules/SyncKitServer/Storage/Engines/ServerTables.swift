import SyncKit

/// The tables of a server over one connection; used by one thread at a time.
final class ServerTables {
  let connection: any ServerConnection
  /// What the running request has changed that others wait to hear of.
  var news = StorageNews()
  /// What is done with the database, with other connections to it.
  let work: WorkCount

  init(_ connection: any ServerConnection, _ work: WorkCount) {
    self.connection = connection
    self.work = work
  }

  /// Runs a statement to its end, whatever rows it gives.
  func run(_ sql: String, _ values: SQLValue...) throws { try use(sql, values) { _ in true } }

  /// Runs a statement whose last value are bytes, which may be many and are not copied.
  func run(_ sql: String, _ values: SQLValue..., large bytes: [UInt8]) throws {
    try use(sql, values, large: bytes) { _ in true }
  }

  /// The first row, or nil when there is none.
  func first<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> T? {
    var found: T?
    try use(sql, values) { row in
      found = try read(row)
      return false
    }
    return found
  }

  /// All rows.
  func all<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> [T] {
    var rows: [T] = []
    try use(sql, values) { row in
      rows.append(try read(row))
      return true
    }
    return rows
  }

  /// Whether there is a row.
  func exists(_ sql: String, _ values: SQLValue...) throws -> Bool {
    var isThere = false
    try use(sql, values) { _ in
      isThere = true
      return false
    }
    return isThere
  }

  /// The number in the only column of the only row; 0 when there is none.
  func count(_ sql: String, _ values: SQLValue...) throws -> Int64 {
    var count: Int64 = 0
    try use(sql, values) { row in
      count = row.optionalInt(0) ?? 0
      return false
    }
    return count
  }

  /// Gives a cursor; one whose transaction is taken back was never given.
  func nextCursor() throws -> UInt64 {
    let cursor = try first("UPDATE counters SET value=value+1 WHERE name='cursor' RETURNING value")
    { try $0.natural(0) }
    guard let cursor else { throw SyncError(.storeDamaged, "The server's store has no counter.") }
    return cursor
  }

  func close() { connection.close() }

  private func use(
    _ sql: String, _ values: [SQLValue], large: [UInt8]? = nil, _ next: (SQLRow) throws -> Bool
  ) throws {
    work.addStatement()
    try connection.rows(sql, values, large: large, next)
  }
}
