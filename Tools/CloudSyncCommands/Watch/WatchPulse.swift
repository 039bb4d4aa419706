import CommandFoundation
import SyncKit

/// Decides when a watcher tells its hooks how things go; a value with no clock.
///
/// A watcher tries again all the time, so it does not tell of each try. A failure that goes away by itself,
/// such as a laptop on a train, is told once it has lasted; one that does not, at once. While all is well it
/// says so now and then, for those who wait for a sign of life. With another configuration it begins anew.
struct WatchPulse {
  /// What is to be told.
  enum Verdict {
    case well
    case failing(SyncError)
  }

  private struct Failure {
    var error: SyncError
    var since: Duration
  }

  private var failures: [String: Failure] = [:]
  private var wasFailing = false
  private var lastSign: Duration?

  /// How long a failure that goes away by itself may last before it is told.
  static let patience = Duration.seconds(600)
  /// Between two signs of life.
  static let pause = Duration.seconds(3_600)

  /// A run has ended; nil when there is nothing to tell.
  mutating func ended(_ jobs: [SyncRun.Job], at now: Duration) -> Verdict? {
    let meetings = jobs.map { "\($0.domain) \($0.remote)" }
    for (job, meeting) in zip(jobs, meetings) {
      if let error = job.error {
        failures[meeting] = Failure(error: error, since: failures[meeting]?.since ?? now)
      } else {
        failures[meeting] = nil
      }
    }
    // Only of this run: what is told has its jobs.
    let worst = meetings.compactMap { failures[$0] }.first { failure in
      !failure.error.code.isRetryable || now - failure.since >= Self.patience
    }
    if let worst {
      wasFailing = true
      return .failing(worst.error)
    }
    guard failures.isEmpty else { return nil }
    let isDue = lastSign.map { now - $0 >= Self.pause } ?? true
    guard isDue || wasFailing || jobs.contains(where: { $0.report.conflicts > 0 }) else {
      return nil
    }
    wasFailing = false
    lastSign = now
    return .well
  }
}
