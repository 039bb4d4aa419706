import SQLiteFile
import SyncKit

/// A connection to the file of a server, with its statements.
final class SQLiteConnection: ServerConnection {
  let file: Connection
  private var statements: [String: Statement] = [:]

  init(_ file: Connection) { self.file = file }

  var isInTransaction: Bool { file.isInTransaction }

  func begin(_ purpose: TransactionPurpose, for trace: String?) throws {
    do {
      try ServerFile.hinting { try file.run(purpose == .writing ? .write : .read) }
    } catch let error as SyncError where error.code == .storeBusy {
      // Whoever moves the data writes for as long as that takes.
      try rows(ServerMove.question, [.text(ServerMove.Role.source.rawValue)], large: nil) {
        throw try ServerMove($0).refusal
      }
      throw error
    }
  }

  /// Other processes find out by themselves, see ``ResponseCache`` and ``NewsHub``.
  func commit(telling news: StorageNews) throws {
    try ServerFile.hinting { try file.run(.commit) }
  }

  func rollback() { try? file.run(.rollback) }
  func mark() throws { try run("SAVEPOINT job") }
  func keep() throws { try run("RELEASE job") }

  func takeBack() throws {
    try run("ROLLBACK TO job")
    try run("RELEASE job")
  }

  func mayRepeat(after error: any Error) -> Bool { false }

  private func run(_ sql: String) throws { try rows(sql, [], large: nil) { _ in true } }

  func rows(
    _ sql: String, _ values: [SQLValue], large: [UInt8]?, _ next: (SQLRow) throws -> Bool
  ) throws {
    // A statement within itself gets a second one.
    let statement = try ServerFile.hinting {
      try statements.removeValue(forKey: sql) ?? file.prepare(sql)
    }
    defer {
      statement.reset()
      if statements[sql] == nil {
        statements[sql] = statement
      } else {
        file.finalize(statement)
      }
    }
    for (index, value) in values.enumerated() {
      let place = Int32(index) + 1
      switch value {
      case .null: try file.check(statement.bind(place, signed: nil))
      case .int(let number): try file.check(statement.bind(place, signed: number))
      case .text(let text): try file.check(statement.bind(place, text))
      case .blob(let bytes): try file.check(statement.bind(place, copying: bytes))
      }
    }
    try ServerFile.hinting {
      guard let large else { return try step(statement, next) }
      try large.withUnsafeBytes { bytes in
        try file.check(statement.bind(Int32(values.count) + 1, bytes))
        try step(statement, next)
        statement.reset()
      }
    }
  }

  private func step(_ statement: Statement, _ next: (SQLRow) throws -> Bool) throws {
    let row = SQLRow(cells: statement)
    while try file.row(statement.step()), try next(row) {}
  }

  /// In small steps, between the writes of others.
  func giveBack() throws -> Bool {
    guard try file.isWide() else { return false }
    try file.giveBack(pages: 500)
    return true
  }

  func close() {
    for statement in statements.values { file.finalize(statement) }
    statements = [:]
    file.close()
  }
}

extension Statement: SQLCells {
  func integer(_ column: Int32) -> Int64? { signed(column) }
}
