import SyncWire
import Synchronization

/// Lets in so many bytes at once; the rest wait in line.
final class ByteGate: Sendable {
  /// The most that wait.
  private static let longestLine = 512
  /// What the smallest takes, so that no more than 16 are in.
  private let least: Int

  private struct State {
    var free: Int
    var line: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let capacity: Int
  private let state: Mutex<State>

  init(_ capacity: Int) {
    self.capacity = capacity
    least = capacity / 16
    state = Mutex(State(free: capacity))
  }

  /// Runs `body` when there is room for so many bytes; what is larger than the gate has it alone.
  ///
  /// - Throws: ``WireError`` `unavailable` when too many wait, and what `body` throws.
  func pass<Value: Sendable>(
    _ bytes: Int, _ body: () async throws -> Value
  ) async throws -> Value {
    let bytes = min(max(bytes, least), capacity)
    guard state.withLock({ $0.line.count < Self.longestLine }) else {
      throw WireError(.unavailable, "The server is busy at the moment; try again.", retryAfter: 2)
    }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        guard state.line.isEmpty, state.free >= bytes else {
          state.line.append((bytes, continuation))
          return false
        }
        state.free -= bytes
        return true
      }
      if isIn { continuation.resume() }
    }
    defer { leave(bytes) }
    try Task.checkCancellation()
    return try await body()
  }

  private func leave(_ bytes: Int) {
    let next = state.withLock { state in
      state.free += bytes
      var next: [CheckedContinuation<Void, Never>] = []
      while let first = state.line.first, first.bytes <= state.free {
        state.free -= first.bytes
        state.line.removeFirst()
        next.append(first.continuation)
      }
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
