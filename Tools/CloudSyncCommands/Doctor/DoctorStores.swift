import Formats
import SQLiteStorage
import SyncKit

/// Looks at every store: whether it is sound, whether it is in step, whether other devices' clocks agree.
struct DoctorStores {
  private let session: Session
  private let staleness: Staleness
  /// The domains with which remotes would work now, as `DOMAIN REMOTE`.
  private let working: Set<String>

  init(_ session: Session, trials: [RemoteTrial] = []) {
    self.session = session
    staleness = Staleness(session)
    working = Set(
      trials.flatMap(\.jobs).filter { $0.error == nil }.map { "\($0.domain) \($0.remote)" })
  }

  func checks() -> [DoctorCheck] {
    var checks: [DoctorCheck] = []
    var statuses: [StoreStatus] = []
    for name in session.enabledStores where FileSignature(session.storePath(name)) != nil {
      do {
        let storage = try SQLiteStorage(path: session.storePath(name), isCreated: false)
        let problems = try storage.problems()
        storage.close()
        guard problems.isEmpty else {
          checks.append(damaged(name, problems))
          continue
        }
        checks.append(DoctorCheck("store", .ok, "\(name) is sound"))
        guard session.enabledDomains.contains(name) else { continue }
        let status = try session.store(name).status(remotes: session.remoteNames(of: name))
        checks += standing(name, status)
        statuses.append(status)
      } catch {
        let error = ErrorReport.described(error)
        checks.append(
          DoctorCheck(
            "store", .error, "\(name): \(error.message)", advice: error.hint ?? Self.repair))
      }
    }
    checks += WrongClock.found(statuses.flatMap(\.devices)).map(\.check)
    return checks
  }

  private static let repair = "cloudsync verify --repair makes it anew and keeps the damaged file"

  private func damaged(_ name: String, _ problems: [String]) -> DoctorCheck {
    let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return DoctorCheck("store", .error, "\(name): \(problems[0])\(more)", advice: Self.repair)
  }

  /// How a domain stands with its remotes.
  private func standing(_ name: String, _ status: StoreStatus) -> [DoctorCheck] {
    var checks: [DoctorCheck] = []
    if (try? session.pauses().covers(name)) == true {
      return [
        DoctorCheck(
          "sync", .info, "\(name) is paused, with \(Plural(status.pending, "change")) to send",
          advice: "cloudsync resume \(name)")
      ]
    }
    if status.decisions > 0 {
      checks.append(
        DoctorCheck(
          "sync", .warning,
          "\(name) has "
            + "\(Plural(status.decisions, "conflict that needs", "conflicts that need")) a decision",
          advice: "cloudsync conflicts list"))
    }
    for remote in status.remotes {
      let state = remote.state
      if let code = state.errorCode {
        checks.append(failed(name, remote, code))
      } else if staleness.isStale(name, with: remote) {
        let last =
          state.lastSync > 0
          ? "was last in step with \(remote.name) at \(Timestamp.format(milliseconds: state.lastSync))"
          : "has never been in step with \(remote.name)"
        checks.append(
          DoctorCheck(
            "sync", .warning, "\(name) \(last)",
            advice: "cloudsync sync --domain \(name); see 'schedule' below"))
      }
    }
    return checks
  }

  /// What a failed sync means now: nothing but a warning where the remote was tried since and works, or another
  /// run was only in the way.
  private func failed(
    _ name: String, _ remote: StoreStatus.RemoteStatus, _ code: String
  ) -> DoctorCheck {
    let message = remote.state.errorMessage ?? code
    let failure = "the last sync of \(name) with \(remote.name) failed: \(message)"
    let isWaiting = code == SyncError.Code.remoteWaiting.name
    // Of what goes wrong at a remote a trial meets all; of what goes wrong in the data it does not.
    if working.contains("\(name) \(remote.name)"), code.hasPrefix("remote."), !isWaiting {
      return DoctorCheck(
        "sync", .warning, "\(failure) It would work now.",
        advice: "cloudsync sync --domain \(name)")
    }
    let exit = ExitCodeTable.codes.first { $0.code.name == code }?.code.exit
    return DoctorCheck(
      "sync", exit == SyncError.Code.storeBusy.exit && !isWaiting ? .warning : .error, failure,
      advice: DoctorAdvice.text(for: code))
  }
}
