import CommandFoundation
import SyncKit

/// What a sync would meet at a remote, found out by going its way without moving anything; for all that tell
/// whether a remote works.
///
/// It reads what the sync would read, and stores what waits for as long as that takes. What is in the way comes
/// as the error that a sync would end with.
struct RemoteTrial {
  let remote: Configuration.Remote
  /// How it went, by domain; what was sent counts what waits.
  private(set) var jobs: [SyncRun.Job] = []
  /// What keeps the next edit from being stored there, though nothing waits now.
  private(set) var obstacle: SyncError?
  /// How many segments lie there.
  private(set) var segments = 0

  init(_ session: Session, _ remote: Configuration.Remote, _ domains: [String]) async {
    self.remote = remote
    for domain in domains {
      var job = SyncRun.Job(domain: domain, remote: remote.name)
      do {
        let place = try session.remote(remote, for: domain)
        var options = SyncRun(session, .usual).syncOptions(domain)
        (options.isDryRun, options.triesStoring) = (true, true)
        let engine = SyncEngine(store: try session.store(domain), remotes: [place])
        for outcome in await engine.sync(options) {
          (job.report, job.error) = (outcome.report, outcome.error)
          obstacle = obstacle ?? outcome.obstacle
        }
        if job.error == nil {
          segments += try await place.transport.inventory(of: domain).segments.count
        }
      } catch {
        job.error = ErrorReport.described(error)
      }
      jobs.append(job)
    }
  }

  /// What a sync with this remote would end with; nil when all is well.
  var error: SyncError? { SyncRun.failure(of: jobs) }

  /// How many changes are known to lie there and have not come.
  var waiting: Int { jobs.reduce(0) { $0 + $1.report.waiting } }

  /// What was passed over, each sentence once.
  var notes: [String] {
    var notes: [String] = []
    for note in jobs.flatMap(\.report.notes) where !notes.contains(note) { notes.append(note) }
    return notes
  }
}
