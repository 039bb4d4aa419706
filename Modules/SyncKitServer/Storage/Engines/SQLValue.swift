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

/// The values of a row; nil for null, and for a value of another type.
protocol SQLCells {
  func integer(_ column: Int32) -> Int64?
  func text(_ column: Int32) -> String?
  /// Bytes that are there until the next row.
  func blob(_ column: Int32) -> UnsafeRawBufferPointer?
}

/// A row that a statement gives, until the next one.
struct SQLRow {
  let cells: any SQLCells

  func int(_ column: Int32) throws -> Int64 {
    guard let number = cells.integer(column) else { throw Self.damaged(column) }
    return number
  }

  func natural(_ column: Int32) throws -> UInt64 {
    guard let number = UInt64(exactly: try int(column)) else { throw Self.damaged(column) }
    return number
  }

  func optionalInt(_ column: Int32) -> Int64? { cells.integer(column) }

  func text(_ column: Int32) throws -> String {
    guard let text = cells.text(column) else { throw Self.damaged(column) }
    return text
  }

  func optionalText(_ column: Int32) -> String? { cells.text(column) }

  func blob(_ column: Int32) throws -> [UInt8] {
    guard let bytes = cells.blob(column) else { throw Self.damaged(column) }
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
    guard let bytes = cells.blob(column), bytes.count == 16 else { throw Self.damaged(column) }
    return (
      UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  private static func damaged(_ column: Int32) -> SyncError {
    SyncError(.storeDamaged, "The server's store has a wrong value in column \(column) of a row.")
  }
}
