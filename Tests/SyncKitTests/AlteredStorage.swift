import SyncKit
import SyncKitTesting

/// A storage in memory that does not do all that it is asked, and reports what is read and written.
struct AlteredStorage: Storage {
  /// How a transaction that writes reads a table.
  enum Access: Hashable {
    /// A key is asked for.
    case lookup
    /// A scan meets a row.
    case visit
  }

  let inner: InMemoryStorage
  /// Whether a row of a table is written.
  var writes: @Sendable (Table) -> Bool = { _ in true }
  /// Runs before each removal, which fails if it throws.
  var beforeRemoval: @Sendable (Table) throws -> Void = { _ in }
  /// Gets each key that is asked for and each row that is met.
  var reads: @Sendable (Access, Table) -> Void = { _, _ in }

  var fingerprint: String? { inner.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try inner.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try inner.write { try body(Writer(inner: $0, storage: self)) }
  }

  private struct Writer: StorageWriter {
    let inner: any StorageWriter
    let storage: AlteredStorage

    func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
      storage.reads(.lookup, table)
      return try inner.get(table, key)
    }

    func scan(
      _ table: Table, prefix: [UInt8], after: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      try inner.scan(table, prefix: prefix, after: after) { key, value in
        storage.reads(.visit, table)
        return try body(key, value)
      }
    }

    func scanBackward(
      _ table: Table, prefix: [UInt8], before: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      // It is used for the last entry alone.
      storage.reads(.lookup, table)
      try inner.scanBackward(table, prefix: prefix, before: before, body)
    }

    func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
      if storage.writes(table) { try inner.put(table, key, value) }
    }

    func delete(_ table: Table, _ key: [UInt8]) throws {
      try storage.beforeRemoval(table)
      try inner.delete(table, key)
    }
  }
}
