import SQLiteFile
import SyncKit

/// A value that a statement is given.
enum SQLValue: Sendable {
  case null
  case int(Int64)
  case text(String)
  case blob([UInt8])

  static func optional(_ number: Int64?) -> SQLValue { number.map { .int($0) } ?? .null }
  static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}

/// A row that a statement gives, until the next step.
struct SQLRow {
  let statement: Statement

  func int(_ column: Int32) throws -> Int64 {
    guard let number = statement.signed(column) else { throw Self.damaged(column) }
    return number
  }

  func natural(_ column: Int32) throws -> UInt64 {
    guard let number = UInt64(exactly: try int(column)) else { throw Self.damaged(column) }
    return number
  }

  func optionalInt(_ column: Int32) -> Int64? { statement.signed(column) }

  func text(_ column: Int32) throws -> String {
    guard let text = statement.text(column) else { throw Self.damaged(column) }
    return text
  }

  func optionalText(_ column: Int32) -> String? { statement.text(column) }

  func blob(_ column: Int32) throws -> [UInt8] {
    guard let bytes = statement.blob(column) else { throw Self.damaged(column) }
    return Array(bytes)
  }

  func replica(_ column: Int32) throws -> ReplicaID {
    let (high, low) = try halves(column)
    return ReplicaID(high: high, low: low)
  }

  func hash(_ column: Int32) throws -> ContentHash {
    let (high, low) = try halves(column)
    return ContentHash(high: high, low: low)
  }

  private func halves(_ column: Int32) throws -> (UInt64, UInt64) {
    guard let bytes = statement.blob(column), bytes.count == 16 else { throw Self.damaged(column) }
    return (
      UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  private static func damaged(_ column: Int32) -> SyncError {
    SyncError(.storeDamaged, "The server's store has a wrong value in column \(column) of a row.")
  }
}
