import SyncKit
import SyncKitTesting
import Synchronization

/// A storage in memory whose transactions can fail at their end, as in a crash.
final class FragileStorage: Storage {
  private let base = InMemoryStorage()
  private let successes = Mutex<Int>(.max)

  struct CutOff: Error {}

  /// Lets that many more transactions through, then none until ``heal()``.
  func fail(after count: Int) { successes.withLock { $0 = count } }

  /// Lets all through again.
  func heal() { successes.withLock { $0 = .max } }

  var fingerprint: String? { base.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try base.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try base.write { writer in
      let result = try body(writer)
      try successes.withLock { count in
        guard count > 0 else { throw CutOff() }
        count -= 1
      }
      return result
    }
  }
}
