import SQLiteFile
import SyncKit

/// One connection to the server's file, with its statements; used by one thread at a time.
final class ServerTables {
  let connection: Connection
  /// What the running request has changed that others wait to hear of.
  var news = StorageNews()
  private var statements: [String: Statement] = [:]
  /// What is done with the file, with other connections to it.
  let work: WorkCount

  init(_ connection: Connection, _ work: WorkCount) {
    self.connection = connection
    self.work = work
  }

  /// Runs a statement to its end, whatever rows it gives.
  func run(_ sql: String, _ values: SQLValue...) throws {
    try use(sql, values) { statement in
      while try connection.row(statement.step()) {}
    }
  }

  /// Runs a statement whose last value are bytes, which may be many and are not copied.
  func run(_ sql: String, _ values: SQLValue..., large bytes: [UInt8]) throws {
    try use(sql, values) { statement in
      try bytes.withUnsafeBytes { bytes in
        try connection.check(statement.bind(Int32(values.count) + 1, bytes))
        while try connection.row(statement.step()) {}
        statement.reset()
      }
    }
  }

  /// The first row, or nil when there is none.
  func first<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> T? {
    try use(sql, values) { statement in
      guard try connection.row(statement.step()) else { return nil }
      return try read(SQLRow(statement: statement))
    }
  }

  /// All rows.
  func all<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> [T] {
    try use(sql, values) { statement in
      var rows: [T] = []
      while try connection.row(statement.step()) {
        rows.append(try read(SQLRow(statement: statement)))
      }
      return rows
    }
  }

  /// Whether there is a row.
  func exists(_ sql: String, _ values: SQLValue...) throws -> Bool {
    try use(sql, values) { try connection.row($0.step()) }
  }

  /// The number in the only column of the only row; 0 when there is none.
  func count(_ sql: String, _ values: SQLValue...) throws -> Int64 {
    try use(sql, values) { statement in
      guard try connection.row(statement.step()) else { return 0 }
      return SQLRow(statement: statement).optionalInt(0) ?? 0
    }
  }

  func close() {
    for statement in statements.values { connection.finalize(statement) }
    statements = [:]
    connection.close()
  }

  private func use<T>(
    _ sql: String, _ values: [SQLValue], _ body: (Statement) throws -> T
  ) throws -> T {
    work.addStatement()
    // A statement within itself gets a second one.
    let statement = try ServerFile.hinting {
      try statements.removeValue(forKey: sql) ?? connection.prepare(sql)
    }
    defer {
      statement.reset()
      if statements[sql] == nil {
        statements[sql] = statement
      } else {
        connection.finalize(statement)
      }
    }
    for (index, value) in values.enumerated() {
      let place = Int32(index) + 1
      switch value {
      case .null: try connection.check(statement.bind(place, signed: nil))
      case .int(let number): try connection.check(statement.bind(place, signed: number))
      case .text(let text): try connection.check(statement.bind(place, text))
      case .blob(let bytes): try connection.check(statement.bind(place, copying: bytes))
      }
    }
    return try ServerFile.hinting { try body(statement) }
  }
}
