import RealServer
import SyncKitTesting
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Kills and pauses a server now and then, until it is stopped.
final class FaultThread: Sendable {
  private struct State {
    var isEnding = false
    var isOver = false
    var error: (any Error)?
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Starts at once.
  init(seed: UInt64, server: ServerProcess) {
    OwnThread.run { [self] in
      var random = SeededRandom(seed: seed ^ 0x5EED)
      while !state.withLock(\.isEnding) {
        usleep(UInt32.random(in: 300_000...900_000, using: &random))
        if state.withLock(\.isEnding) { break }
        do {
          if Bool.random(using: &random) {
            try server.restart()
          } else {
            server.pause(milliseconds: UInt32.random(in: 50...400, using: &random))
          }
        } catch {
          state.withLock { $0.error = error }
          break
        }
      }
      state.withLock { state in
        state.isOver = true
        state.waiting?.resume()
        state.waiting = nil
      }
    }
  }

  /// Ends it and waits for its end.
  ///
  /// - Throws: The error of a failed start of the server.
  func end() async throws {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.isEnding = true
        if state.isOver { continuation.resume() } else { state.waiting = continuation }
      }
    }
    if let error = state.withLock(\.error) { throw error }
  }
}
