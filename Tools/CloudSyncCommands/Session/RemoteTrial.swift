import CommandFoundation
import SyncKit
import SyncKitEncryption

/// A trial of a sync with a remote, which takes the same steps without moving anything; for every command
/// that reports whether a remote works.
///
/// It reads everything that the sync would read, and stores a trial file, which it removes again. A problem
/// is reported as the error that the sync would end with.
struct RemoteTrial {
  let remote: Configuration.Remote
  /// The results by domain; the sent changes are those that wait.
  private(set) var jobs: [SyncRun.Job] = []
  /// The error that would keep the next edit from being stored there, though nothing waits now.
  private(set) var obstacle: SyncError?
  /// What it is like; nothing when a sync would fail.
  private(set) var survey = RemoteSurvey()
  /// The number of segments on it.
  private(set) var segments = 0
  /// The domains of which something lies there in plain, though it is encrypted.
  private(set) var plain: [String] = []
  /// The domains of which something lies there encrypted, though it is not.
  private(set) var sealed: [String] = []

  init(_ session: Session, _ remote: Configuration.Remote, _ domains: [String]) async {
    self.remote = remote
    for domain in domains {
      var job = SyncRun.Job(domain: domain, remote: remote.name)
      do {
        try await session.exchangeStatements(on: remote, for: domain, isDryRun: true)
        let place = try session.remote(remote, for: domain)
        var options = SyncRun(session, .usual).syncOptions(domain)
        (options.isDryRun, options.triesStoring) = (true, true)
        let engine = SyncEngine(store: try session.store(domain), remotes: [place])
        for outcome in await engine.sync(options) {
          (job.report, job.error) = (outcome.report, outcome.error)
          obstacle = obstacle ?? outcome.obstacle
        }
        if job.error == nil {
          let inventory = try await place.transport.inventory(of: domain)
          segments += inventory.segments.count
          // What storing has taught.
          job.report.notes += inventory.notes
          if obstacle == nil, let found = try? await ForwardingTransport(place.transport).survey() {
            survey = found
          }
        }
      } catch {
        job.error = ErrorReport.described(error)
      }
      jobs.append(job)
    }
    guard error == nil, !remote.location.isServer else { return }
    let keys = remote.isEncrypted ? nil : (try? session.keyring())?.keys.vault
    for domain in DomainRegistry.names {
      if remote.isEncrypted {
        if (try? await session.hasPlainRemains(of: domain, on: remote)) == true {
          plain.append(domain)
        }
      } else if let keys {
        let name = EncryptedTransport.pseudonym(domain, keys)
        if (try? await session.hasPlainRemains(of: name, on: remote)) == true {
          sealed.append(domain)
        }
      }
    }
  }

  /// The error of a sync with this remote; nil if it would succeed.
  var error: SyncError? { SyncRun.failure(of: jobs) }

  /// The number of known changes on it that have not arrived.
  var waiting: Int { jobs.reduce(0) { $0 + $1.report.waiting } }

  /// The notes, each sentence once.
  var notes: [String] {
    var notes: [String] = []
    for note in jobs.flatMap(\.report.notes) where !notes.contains(note) { notes.append(note) }
    return notes
  }
}
