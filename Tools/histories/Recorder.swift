import HistoryChecks
import SyncKit
import Synchronization

/// The observations of all clients of one run, on one clock.
final class Recorder: Sendable {
  /// All histories of a run.
  struct Histories: Sendable {
    var elements = SetHistory()
    var feed = FeedHistory()
    var retries = RetryHistory()
    var register = RegisterHistory(initial: "0")
    var share = ShareHistory()
    /// Content that differs from what was stored.
    var wrongContents: [Violation] = []
    var calls = 0
    var unknown = 0
  }

  private let histories = Mutex(Histories())
  private let began = ContinuousClock.now

  /// Nanoseconds since the run began.
  var now: UInt64 {
    let span = (ContinuousClock.now - began).components
    return UInt64(span.seconds) * 1_000_000_000 + UInt64(span.attoseconds / 1_000_000_000)
  }

  /// All observations so far.
  var seen: Histories { histories.withLock { $0 } }

  /// Records the result of a call.
  func note(isUnknown: Bool = false, _ body: (inout Histories) -> Void) {
    histories.withLock { histories in
      histories.calls += 1
      if isUnknown { histories.unknown += 1 }
      body(&histories)
    }
  }
}

extension Recorder.Histories {
  /// All violations.
  var violations: [Violation] {
    elements.violations() + feed.violations() + retries.violations() + register.violations()
      + share.violations() + wrongContents
  }
}
