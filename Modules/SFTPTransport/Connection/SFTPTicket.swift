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
  ///
  /// - Returns: Whether it was the first; false when whoever waited has gone.
  @discardableResult func settle(_ outcome: Outcome) -> Bool {
    typealias Waiting = CheckedContinuation<SFTPAnswer.Content, any Error>
    let (isFirst, waiting) = state.withLock { state -> (Bool, Waiting?) in
      switch state {
      case .underWay:
        state = .settled(outcome)
        return (true, nil)
      case .awaited(let continuation):
        state = .settled(outcome)
        return (true, continuation)
      case .settled: return (false, nil)
      }
    }
    waiting?.resume(with: outcome)
    return isFirst
  }
}
