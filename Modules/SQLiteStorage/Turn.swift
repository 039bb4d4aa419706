import SyncKit
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Lets one thread at a time do something, and recognises a thread that is already doing it.
final class Turn: Sendable {
  private let gate = Mutex(())
  private let owner = Atomic<UInt>(0)

  /// Runs `body` when no other caller does.
  ///
  /// - Throws: ``SyncError`` `internal.bug` when called from within itself, where waiting would
  ///   never end; what `body` throws.
  func take<T>(_ body: () throws -> T) throws -> T {
    // A number here, a pointer there.
    let me = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    guard owner.load(ordering: .relaxed) != me else {
      throw SyncError(
        .bug, "A transaction was begun inside another one; use the one passed in.")
    }
    var outcome: Result<T, any Error>?
    gate.withLock { _ in
      owner.store(me, ordering: .relaxed)
      defer { owner.store(0, ordering: .relaxed) }
      outcome = Result(catching: body)
    }
    guard let outcome else { throw SyncError(.bug, "A transaction did not run.") }
    return try outcome.get()
  }
}
