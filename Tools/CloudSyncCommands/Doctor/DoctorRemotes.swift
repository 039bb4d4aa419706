import Formats
import HTTPTransport
import SQLiteTransport
import SegmentFormat
import SyncKit

/// Looks at every remote that a domain meets: whether its token is to be had, whether it is there and ours.
struct DoctorRemotes {
  private let session: Session
  private let asks: Bool

  init(_ session: Session, asks: Bool) {
    self.session = session
    self.asks = asks
  }

  func checks() async throws -> [DoctorCheck] {
    guard !session.configuration.remotes.isEmpty else {
      return [
        DoctorCheck(
          "remote", .info, "no remote is configured, so nothing leaves this machine",
          advice: "cloudsync remote add NAME file:PATH, or https://HOST")
      ]
    }
    var checks: [DoctorCheck] = []
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
      if asks { checks.append(await reach(remote, domains)) }
    }
    return checks
  }

  private func token(_ remote: Configuration.Remote) -> DoctorCheck? {
    guard case .http = remote.location else { return nil }
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

  private func reach(_ remote: Configuration.Remote, _ domains: [String]) async -> DoctorCheck {
    var options = SyncOptions()
    options.isDryRun = true
    do {
      for domain in domains {
        let place = try session.remote(remote, for: domain)
        try await SyncEngine(store: session.store(domain), remotes: [place]).attach(options)
        _ = try await place.transport.inventory(of: domain)
      }
    } catch {
      let error = ErrorReport.described(error)
      return DoctorCheck(
        "remote", .error, "\(remote.name): \(error.message)",
        advice: error.hint ?? DoctorAdvice.text(for: error.code.name))
    }
    return DoctorCheck(
      "remote", .ok, "\(remote.name) (\(remote.location.url)) is there and ours")
  }
}

/// What helps against the troubles that people have most.
enum DoctorAdvice {
  static func text(for code: String) -> String? {
    switch code {
    case SyncError.Code.remoteUnavailable.name:
      "check the network, or that the drive is mounted and its program runs and is signed in"
    case SyncError.Code.remoteQuota.name, SyncError.Code.remoteDiskFull.name:
      "make room at the remote; what is here stays here, and goes on by itself"
    case SyncError.Code.remoteSignedOut.name:
      "pair this device again: cloudsync device pair, on one that is in"
    case SyncError.Code.remoteMarker.name, SyncError.Code.remoteVault.name:
      "make sure that the path leads where you think; then cloudsync remote add --reinit or --adopt"
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
