import SyncKitModel
import Synchronization

/// Lets one caller at a time do something, and recognises a caller that is already doing it.
package final class Turn: Sendable {
  @TaskLocal private static var held: [ObjectIdentifier] = []
  private let gate = Mutex(())

  /// Runs `body` when no other caller does.
  ///
  /// - Throws: ``SyncError`` `internal.bug` when called from within itself; what `body` throws.
  package func take<T>(_ body: () throws -> T) throws -> T {
    let me = ObjectIdentifier(self)
    guard !Self.held.contains(me) else {
      throw SyncError(
        .bug, "A transaction was begun inside another one; use the one passed in.")
    }
    var outcome: Result<T, any Error>?
    gate.withLock { _ in
      outcome = Self.$held.withValue(Self.held + [me]) { Result(catching: body) }
    }
    guard let outcome else { throw SyncError(.bug, "A transaction did not run.") }
    return try outcome.get()
  }
}
