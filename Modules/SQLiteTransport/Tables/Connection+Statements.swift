import SQLiteFile
import SyncKit

extension Connection {
  /// Prepares a statement, hands it to `body`, and ends it.
  func with<T>(_ sql: String, _ body: (Statement) throws -> T) throws -> T {
    let statement = try prepare(sql)
    defer { finalize(statement) }
    return try body(statement)
  }

  /// Runs a prepared statement that gives no rows.
  func execute(_ statement: Statement) throws {
    defer { statement.reset() }
    while try row(statement.step()) {}
  }

  /// Something in the file cannot be what an honest writer wrote.
  func damage(_ what: String) -> SyncError {
    markDamaged()
    return SyncError(.storeDamaged, "It is damaged.", cause: what)
  }
}

extension Statement {
  /// The sixteen bytes in a column as two numbers; nil when the column holds something else.
  func pair(_ column: Int32) -> (high: UInt64, low: UInt64)? {
    guard let bytes = blob(column), bytes.count == 16 else { return nil }
    return (
      UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }
}
