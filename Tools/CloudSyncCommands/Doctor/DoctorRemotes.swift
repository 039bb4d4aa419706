import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SQLiteTransport
import SegmentFormat
import SyncKit

/// Checks every remote of a domain: whether it has a token, and whether a sync would work.
struct DoctorRemotes {
  private let session: Session
  private let asks: Bool

  init(_ session: Session, asks: Bool) {
    self.session = session
    self.asks = asks
  }

  /// The findings, and the trials.
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
            "remote", .warning, "no enabled domain uses \(remote.name)",
            advice: "cloudsync remote add \(remote.name) LOCATION --domains NAMES, or remove it: "
              + "cloudsync remote rm \(remote.name)"))
        continue
      }
      if let token = token(remote) { checks.append(token) }
      guard asks else { continue }
      let trial = await RemoteTrial(session, remote, domains)
      checks += judged(trial)
      if let clock = clock(trial) { checks.append(clock) }
      trials.append(trial)
    }
    return (checks, trials)
  }

  private var lonely: DoctorCheck {
    let waiting = session.enabledDomains.reduce(0) {
      $0 + ((try? session.status(of: $1).pending) ?? 0)
    }
    let wait =
      waiting > 0 ? "; \(Plural(waiting, "change is", "changes are")) only on this device" : ""
    return DoctorCheck(
      "remote", waiting > 0 ? .warning : .info,
      "no remote is configured, so nothing leaves this machine\(wait)",
      advice: "cloudsync remote add NAME PATH, or https://HOST")
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

  private func clock(_ trial: RemoteTrial) -> DoctorCheck? {
    trial.survey.clock?.difference(from: trial.remote.name).map {
      DoctorCheck("clock", .warning, $0, advice: RemoteClock.remedy)
    }
  }

  private func judged(_ trial: RemoteTrial) -> [DoctorCheck] {
    let name = trial.remote.name
    var checks: [DoctorCheck] = []
    let failed = trial.jobs.compactMap { job in job.error.map { (job.domain, $0) } }
    var told: [String] = []
    for (domain, error) in failed where !told.contains(error.message) {
      told.append(error.message)
      // A problem of one domain, on a remote that works for others, is the domain's.
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
          "\(name) can be read but not written: \(obstacle.sentence)",
          advice: obstacle.hint ?? DoctorAdvice.text(for: obstacle.code.name)))
    }
    if trial.waiting > 0 {
      checks.append(
        DoctorCheck(
          "remote", .warning,
          "\(Plural(trial.waiting, "change")) on \(name) \(trial.waiting == 1 ? "has" : "have") not arrived yet",
          advice:
            "let the drive finish; if that does not help, sync the device that wrote them again"))
    }
    if !trial.plain.isEmpty {
      checks.append(
        DoctorCheck(
          "remote", .warning,
          "\(name) is encrypted, and \(trial.plain.joined(separator: ", ")) \(trial.plain.count == 1 ? "lies" : "lie") there in plain too",
          advice:
            "if a device of yours has stored that, 'cloudsync vault encrypt \(name)' takes it in and removes it there"
        ))
    }
    if !trial.sealed.isEmpty {
      checks.append(
        DoctorCheck(
          "remote", .warning,
          "\(name) is not encrypted, and \(trial.sealed.joined(separator: ", ")) \(trial.sealed.count == 1 ? "lies" : "lie") there encrypted too",
          advice: "'cloudsync vault decrypt \(name)' takes it in and removes it there"))
    }
    guard checks.isEmpty else { return checks }
    return [
      DoctorCheck(
        "remote", .ok,
        "\(name) (\(trial.remote.location.url)) is reachable, ours, writable and "
          + (trial.remote.isEncrypted ? "encrypted" : "not encrypted"))
    ]
  }
}

/// Advice for the most frequent problems.
enum DoctorAdvice {
  static func text(for code: String) -> String? {
    switch code {
    case SyncError.Code.remoteUnavailable.name:
      "check the network, or that the drive is mounted and its program is running and signed in"
    case SyncError.Code.remoteObstructed.name:
      "put the folder back, or move away what is in its place: the next sync creates it"
    case SyncError.Code.remoteQuota.name, SyncError.Code.remoteDiskFull.name:
      "free space on the remote; your data stays here, and sync then resumes by itself"
    case SyncError.Code.remoteSignedOut.name:
      "pair this device again: cloudsync device pair on a paired device, cloudsync remote add --join here"
    case SyncError.Code.remoteLocked.name:
      "ask the person who runs the server"
    case SyncError.Code.remoteMarker.name, SyncError.Code.remoteVault.name:
      "check that the path is the one you mean; then cloudsync remote add --reinit or --adopt"
    case SyncError.Code.remoteWaiting.name:
      "let the drive finish; if that does not help, sync the device that wrote them again"
    case SyncError.Code.remoteDenied.name:
      "check the write permissions; the drive may be mounted read-only"
    case SyncError.Code.remoteForeign.name:
      "open a page in a browser: the network may require a sign-in first"
    case SyncError.Code.formatNewer.name, SyncError.Code.storeNewer.name: "upgrade cloudsync here"
    case SyncError.Code.massDelete.name:
      "review it with cloudsync sync --dry-run; --allow-mass-delete allows it once"
    case SyncError.Code.remoteRateLimited.name, SyncError.Code.remoteBusy.name,
      SyncError.Code.storeBusy.name:
      "this passes by itself; cloudsync sync tries at once"
    default:
      "cloudsync sync tries at once and says more; cloudsync help exit-codes explains the codes"
    }
  }
}
