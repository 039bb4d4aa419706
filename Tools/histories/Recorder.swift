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
    var readers = ReaderHistory()
    /// Content that differs from what was stored.
    var wrongContents: [Violation] = []
    /// The requests of clients without a bad network: whether each had an answer.
    var requests: [Call<Bool>] = []
    var calls = 0
    var unknown = 0
    /// How many pages said that they begin at the start.
    var beginnings = 0
    /// The epochs that pages named.
    var epochs: Set<String> = []
  }

  private let histories: Mutex<Histories>
  private let began = ContinuousClock.now
  /// The nanoseconds by which an answer may be behind.
  let staleness: UInt64

  /// Begins a run.
  init(staleness: UInt64 = 0) {
    self.staleness = staleness
    var histories = Histories()
    histories.feed.staleness = staleness
    histories.share.staleness = staleness
    self.histories = Mutex(histories)
  }

  /// Nanoseconds since the run began.
  var now: UInt64 {
    let span = (ContinuousClock.now - began).components
    return UInt64(span.seconds) * 1_000_000_000 + UInt64(span.attoseconds / 1_000_000_000)
  }

  /// All observations so far.
  var seen: Histories { histories.withLock { $0 } }

  /// Records how a request ended, apart from what it was about.
  func note(_ answer: WireCaller.Answer, from start: UInt64, client: Int) {
    let wasAnswered = if case .unknown = answer { false } else { true }
    let end = now
    histories.withLock {
      $0.requests.append(Call(client: client, start: start, end: end, value: wasAnswered))
    }
  }

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
      + share.violations() + readers.violations() + wrongContents
  }

  /// The violations where what was acknowledged last may be lost by a failover, and is healed.
  ///
  /// A number may then stand for another segment, a register go back, and a share be as it was: what is left is that
  /// within an epoch the feed is one, that readers are told, and that all is there at the end.
  var violationsAfterLoss: [Violation] {
    let pages = Dictionary(grouping: feed.pages) { $0.value.epoch }
    return elements.violations() + readers.violations() + wrongContents
      + pages.values.flatMap { pages in
        var one = FeedHistory()
        one.pages = pages
        return one.violations()
      }
  }
}
