import CommandFoundation
import SyncKit

/// Decides when a watcher reports to its hooks; a value without a clock.
///
/// A watcher retries all the time, so it does not report each attempt. A temporary failure, such as a laptop
/// on a train, is reported once it has lasted; a permanent one at once. While there is no problem, it
/// reports success now and then, as a sign of life. With another configuration it starts over.
struct WatchPulse {
  /// The report to make.
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

  /// How long a temporary failure may last before it is reported.
  static let patience = Duration.seconds(600)
  /// Between two signs of life.
  static let pause = Duration.seconds(3_600)

  /// Takes the end of a run; nil without a report.
  mutating func ended(_ jobs: [SyncRun.Job], at now: Duration) -> Verdict? {
    let meetings = jobs.map { "\($0.domain) \($0.remote)" }
    for (job, meeting) in zip(jobs, meetings) {
      if let error = job.error {
        failures[meeting] = Failure(error: error, since: failures[meeting]?.since ?? now)
      } else {
        failures[meeting] = nil
      }
    }
    // Only of this run: the report has its jobs.
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
