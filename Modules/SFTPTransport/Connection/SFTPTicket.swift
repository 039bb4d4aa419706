import Synchronization

/// A request that has been sent, and its answer when it comes.
///
/// Any number may be under way at once; one whose answer is never taken is just that.
final class SFTPTicket: Sendable {
  typealias Outcome = Result<SFTPAnswer.Content, any Error>

  private enum State {
    case underWay
    case awaited(CheckedContinuation<SFTPAnswer.Content, any Error>)
    case settled(Outcome)
  }

  private let state = Mutex(State.underWay)

  /// The answer.
  ///
  /// - Throws: ``SFTPEnd`` when the connection ends before it, `CancellationError`.
  func answer() async throws -> SFTPAnswer.Content {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if case .settled(let outcome) = state { return outcome }
          state = .awaited(continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      settle(.failure(CancellationError()))
    }
  }

  /// Gives the answer to whoever waits; only the first counts.
  func settle(_ outcome: Outcome) {
    let waiting = state.withLock { state -> CheckedContinuation<SFTPAnswer.Content, any Error>? in
      switch state {
      case .underWay:
        state = .settled(outcome)
        return nil
      case .awaited(let continuation):
        state = .settled(outcome)
        return continuation
      case .settled: return nil
      }
    }
    waiting?.resume(with: outcome)
  }
}
