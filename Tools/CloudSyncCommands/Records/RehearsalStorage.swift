import CommandFoundation
import SyncKit

/// A local store that keeps nothing: every write runs to its end and is then rolled back.
///
/// With it a dry run does exactly what the real run would do, refusals included.
struct RehearsalStorage: Storage {
  let base: any Storage

  var fingerprint: String? { base.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try base.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    var result: T?
    do {
      try base.write { writer in
        result = try body(writer)
        throw Rehearsed()
      }
    } catch is Rehearsed {}
    guard let result else { throw SyncError(.bug, "a rehearsed write ended without a result") }
    return result
  }

  private struct Rehearsed: Error {}
}
