import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// One transaction on a connection.
///
/// A key whose bits have flipped makes its row unfindable, and what is not found looks like what
/// was never there. Such a row still lies between its old neighbours, so every search that ends
/// without a hit checks the rows on both sides of the gap.
final class StoreTransaction: StorageWriter {
  private let connection: Connection
  private let statements: StatementCache
  private let seed: UInt64
  private var isOver = false

  init(_ connection: Connection, _ statements: StatementCache, seed: UInt64) {
    self.connection = connection
    self.statements = statements
    self.seed = seed
  }

  /// Makes the transaction useless to a caller that has kept it.
  func end() { isOver = true }

  func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
    try checkIsOpen()
    return try key.withUnsafeBytes { key in
      let found: [UInt8]? = try statements.use(.from, table) { statement in
        try connection.check(statement.bind(1, key))
        guard try connection.row(statement.step()) else { return nil }
        let row = try checkedRow(statement, table)
        return row.key.elementsEqual(key) ? Array(row.value) : nil
      }
      if found == nil { try checkRow(before: key, table) }
      return found
    }
  }

  func scan(
    _ table: Table, prefix: [UInt8], after: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try checkIsOpen()
    var start = prefix
    if let after, !after.lexicographicallyPrecedes(prefix) {
      // The least of all keys that are greater.
      start = after + [0]
    }
    try start.withUnsafeBytes { start in
      if !start.isEmpty { try checkRow(before: start, table) }
      try statements.use(.from, table) { statement in
        try connection.check(statement.bind(1, start))
        var last: [UInt8]?
        while try connection.row(statement.step()) {
          let row = try checkedRow(statement, table)
          let key = Array(row.key)
          if let last, !last.lexicographicallyPrecedes(key) {
            throw damaged(table, key, "is out of order")
          }
          guard key.starts(with: prefix), try body(key, Array(row.value)) else { return }
          last = key
        }
      }
    }
  }

  func scanBackward(
    _ table: Table, prefix: [UInt8], before: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try checkIsOpen()
    var end = prefix.successor
    if let before, end.map(before.lexicographicallyPrecedes) ?? true { end = before }
    guard let end else {
      // Only behind a prefix of nothing but 255 there is no key to start from.
      for (key, value) in try entries(table, prefix: prefix).reversed() {
        guard try body(key, value) else { return }
      }
      return
    }
    try end.withUnsafeBytes { end in
      // A row with a flipped key may stand behind the start: a scan from there would miss it.
      try statements.use(.from, table) { statement in
        try connection.check(statement.bind(1, end))
        if try connection.row(statement.step()) { _ = try checkedRow(statement, table) }
      }
      try statements.use(.before, table) { statement in
        try connection.check(statement.bind(1, end))
        var last: [UInt8]?
        while try connection.row(statement.step()) {
          let row = try checkedRow(statement, table)
          let key = Array(row.key)
          if let last, !key.lexicographicallyPrecedes(last) {
            throw damaged(table, key, "is out of order")
          }
          guard key.starts(with: prefix), try body(key, Array(row.value)) else { return }
          last = key
        }
      }
    }
  }

  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
    try checkIsOpen()
    try key.withUnsafeBytes { key in
      try value.withUnsafeBytes { value in
        let checksum = RowChecksum.row(store: seed, table: table.rawValue, key: key, value: value)
        try statements.use(.put, table) { statement in
          try connection.check(statement.bind(1, key))
          try connection.check(statement.bind(2, checksum))
          try connection.check(statement.bind(3, value))
          _ = try connection.row(statement.step())
        }
      }
    }
  }

  func delete(_ table: Table, _ key: [UInt8]) throws {
    try checkIsOpen()
    try key.withUnsafeBytes { key in
      try statements.use(.delete, table) { statement in
        try connection.check(statement.bind(1, key))
        _ = try connection.row(statement.step())
      }
    }
  }

  private func checkIsOpen() throws {
    guard !isOver else { throw SyncError(.bug, "A transaction was used after its end.") }
  }

  private func checkRow(before key: UnsafeRawBufferPointer, _ table: Table) throws {
    try statements.use(.before, table) { statement in
      try connection.check(statement.bind(1, key))
      if try connection.row(statement.step()) { _ = try checkedRow(statement, table) }
    }
  }

  /// The row a statement stands on, once its checksum is right.
  private func checkedRow(
    _ statement: Statement, _ table: Table
  ) throws -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    guard let key = statement.blob(0), let checksum = statement.number(1),
      let value = statement.blob(2)
    else {
      throw damaged(table, statement.blob(0).map(Array.init) ?? [], "is not a row of a store")
    }
    guard
      checksum == RowChecksum.row(store: seed, table: table.rawValue, key: key, value: value)
    else { throw damaged(table, Array(key), "fails its checksum") }
    return (key, value)
  }

  private func damaged(_ table: Table, _ key: [UInt8], _ what: String) -> SyncError {
    connection.markDamaged()
    let name = String(decoding: key.prefix(64), as: UTF8.self).debugDescription
    return SyncError(
      .storeDamaged,
      "The store '\(connection.path)' is damaged: row \(name) of table '\(table.name)' \(what).",
      hint: "Its bytes were not changed; 'cloudsync verify --repair' rebuilds the store.")
  }
}
