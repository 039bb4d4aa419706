import CommandFoundation
import Formats
import HTTPTransport
import SQLiteTransport
import SegmentFormat
import SyncKit

/// Looks at every remote that a domain meets: whether there is a token, and whether a sync with it would work.
struct DoctorRemotes {
  private let session: Session
  private let asks: Bool

  init(_ session: Session, asks: Bool) {
    self.session = session
    self.asks = asks
  }

  /// What was found, and the trials.
  func checks() async throws -> (checks: [DoctorCheck], trials: [RemoteTrial]) {
    guard !session.configuration.remotes.isEmpty else { return ([lonely], []) }
    var checks: [DoctorCheck] = []
    var trials: [RemoteTrial] = []
    for remote in session.configuration.remotes {
      let domains = session.enabledDomains.filter {
        session.remoteNames(of: $0).contains(remote.name)
      }
      guard !domains.isEmpty else {
        checks.append(
          DoctorCheck(
            "remote", .warning, "no enabled domain meets \(remote.name)",
            advice: "name it in 'domains', or remove it: cloudsync remote rm \(remote.name)"))
        continue
      }
      if let token = token(remote) { checks.append(token) }
      guard asks else { continue }
      let trial = await RemoteTrial(session, remote, domains)
      checks += judged(trial)
      trials.append(trial)
    }
    return (checks, trials)
  }

  private var lonely: DoctorCheck {
    let waiting = session.enabledDomains.reduce(0) {
      $0 + ((try? session.status(of: $1).pending) ?? 0)
    }
    let wait =
      waiting > 0 ? "; \(Plural(waiting, "change is", "changes are")) on this device alone" : ""
    return DoctorCheck(
      "remote", waiting > 0 ? .warning : .info,
      "no remote is configured, so nothing leaves this machine\(wait)",
      advice: "cloudsync remote add NAME file:PATH, or https://HOST")
  }

  private func token(_ remote: Configuration.Remote) -> DoctorCheck? {
    guard remote.location.isServer else { return nil }
    do {
      if try session.hasToken(for: remote) {
        return DoctorCheck("token", .ok, "there is a token for \(remote.name)")
      }
      return DoctorCheck(
        "token", .error, "there is no token for \(remote.name)",
        advice: "cloudsync remote add \(remote.name) \(remote.location.url) --join CODE")
    } catch {
      let error = ErrorReport.described(error)
      return DoctorCheck("token", .error, "\(remote.name): \(error.message)", advice: error.hint)
    }
  }

  private func judged(_ trial: RemoteTrial) -> [DoctorCheck] {
    let name = trial.remote.name
    var checks: [DoctorCheck] = []
    let failed = trial.jobs.compactMap { job in job.error.map { (job.domain, $0) } }
    var told: [String] = []
    for (domain, error) in failed where !told.contains(error.message) {
      told.append(error.message)
      // What one domain meets at a place that works for others is that domain's.
      let subject = failed.count < trial.jobs.count ? "\(domain) with \(name)" : name
      checks.append(
        DoctorCheck(
          "remote", .error, "\(subject): \(error.sentence)",
          advice: error.hint ?? DoctorAdvice.text(for: error.code.name)))
    }
    if let obstacle = trial.obstacle {
      checks.append(
        DoctorCheck(
          "remote", .warning,
          "\(name) can be read, and nothing can be stored there: \(obstacle.sentence)",
          advice: obstacle.hint ?? DoctorAdvice.text(for: obstacle.code.name)))
    }
    if trial.waiting > 0 {
      checks.append(
        DoctorCheck(
          "remote", .warning,
          "\(Plural(trial.waiting, "change")) on \(name) \(trial.waiting == 1 ? "has" : "have") not come yet",
          advice: "let its drive bring all files; else let the device that wrote them sync again"))
    }
    guard checks.isEmpty else { return checks }
    return [
      DoctorCheck(
        "remote", .ok,
        "\(name) (\(trial.remote.location.url)) is there and ours, and can be written to")
    ]
  }
}

/// What helps against the troubles that people have most.
enum DoctorAdvice {
  static func text(for code: String) -> String? {
    switch code {
    case SyncError.Code.remoteUnavailable.name:
      "check the network, or that the drive is mounted and its program runs and is signed in"
    case SyncError.Code.remoteObstructed.name:
      "put the folder back, or move away what is in its place: the next sync makes it"
    case SyncError.Code.remoteQuota.name, SyncError.Code.remoteDiskFull.name:
      "make room at the remote; what is here stays here, and goes on by itself"
    case SyncError.Code.remoteSignedOut.name:
      "pair this device again: cloudsync device pair on one that is in, cloudsync remote add --join here"
    case SyncError.Code.remoteLocked.name:
      "ask whoever runs the server"
    case SyncError.Code.remoteMarker.name, SyncError.Code.remoteVault.name:
      "make sure that the path leads where you think; then cloudsync remote add --reinit or --adopt"
    case SyncError.Code.remoteWaiting.name:
      "let its drive bring all files; else let the device that wrote them sync again"
    case SyncError.Code.remoteDenied.name:
      "look who may write there; a drive may be mounted read-only"
    case SyncError.Code.remoteForeign.name:
      "open a page in a browser: the network may want a sign-in first"
    case SyncError.Code.formatNewer.name, SyncError.Code.storeNewer.name: "upgrade cloudsync here"
    case SyncError.Code.massDelete.name:
      "look with cloudsync sync --dry-run; --allow-mass-delete lets it happen once"
    case SyncError.Code.remoteRateLimited.name, SyncError.Code.remoteBusy.name,
      SyncError.Code.storeBusy.name:
      "it goes away by itself; cloudsync sync tries at once"
    default:
      "cloudsync sync tries at once and says more; cloudsync help exit-codes explains the codes"
    }
  }
}
