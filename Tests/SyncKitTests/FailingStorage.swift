import SyncKit
import SyncKitTesting
import Synchronization

/// A storage that fails after so many removals of segments.
final class FailingStorage: Storage {
  private let inner: InMemoryStorage
  /// How many removals still succeed.
  let left = Mutex(Int.max)

  init(_ inner: InMemoryStorage) { self.inner = inner }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try inner.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try inner.write { try body(Writer(inner: $0, storage: self)) }
  }

  var fingerprint: String? { inner.fingerprint }

  private struct Writer: StorageWriter {
    let inner: any StorageWriter
    let storage: FailingStorage

    func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? { try inner.get(table, key) }

    func scan(
      _ table: Table, prefix: [UInt8], after: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      try inner.scan(table, prefix: prefix, after: after, body)
    }

    func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
      try inner.put(table, key, value)
    }

    func delete(_ table: Table, _ key: [UInt8]) throws {
      let fails = storage.left.withLock { left in
        guard table == .segment, left != .max else { return false }
        left -= 1
        return left < 0
      }
      if fails { throw SyncError(.storeIO, "The disk is full.") }
      try inner.delete(table, key)
    }
  }
}
