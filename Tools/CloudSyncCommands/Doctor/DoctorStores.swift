import LocalMachine
import CommandFoundation
import SyncKitFormats
import SQLiteStorage
import SyncKit

/// Checks every store: whether it is sound and in sync, and whether other devices' clocks agree.
struct DoctorStores {
  private let session: Session
  private let staleness: Staleness
  /// The results of trials of remotes, by `DOMAIN REMOTE`; nil for one that would work now.
  private let trials: [String: SyncError?]

  init(_ session: Session, trials: [RemoteTrial] = []) {
    self.session = session
    staleness = Staleness(session)
    self.trials = Dictionary(
      trials.flatMap(\.jobs).map { ("\($0.domain) \($0.remote)", $0.error) },
      uniquingKeysWith: { first, _ in first })
  }

  func checks() -> [DoctorCheck] {
    var checks: [DoctorCheck] = []
    var failures: [FailedSync] = []
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
        checks += standing(name, status, &failures)
        statuses.append(status)
      } catch {
        let error = ErrorReport.described(error)
        checks.append(
          DoctorCheck(
            "store", .error, "\(name): \(error.message)", advice: error.hint ?? Self.repair))
      }
    }
    checks += failures.map(\.check)
    checks += WrongClock.found(statuses.flatMap(\.devices)).map(\.check)
    return checks
  }

  private static let repair = "cloudsync verify --repair rebuilds it and keeps the damaged file"

  private func damaged(_ name: String, _ problems: [String]) -> DoctorCheck {
    let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return DoctorCheck("store", .error, "\(name): \(problems[0])\(more)", advice: Self.repair)
  }

  /// The state of a domain with its remotes.
  private func standing(
    _ name: String, _ status: StoreStatus, _ failures: inout [FailedSync]
  ) -> [DoctorCheck] {
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
        note(failed(name, remote, code), in: &failures)
      } else if staleness.isStale(name, with: remote) {
        let last =
          state.lastSync > 0
          ? "was last in step with \(remote.name) at \(LocalTime.text(state.lastSync))"
          : "has never been in step with \(remote.name)"
        checks.append(
          DoctorCheck(
            "sync", .warning, "\(name) \(last)",
            advice: "cloudsync sync --domain \(name); see 'schedule' below"))
      }
    }
    return checks
  }

  /// The meaning of a failed sync now; nil if a trial has just failed the same way, which the remote reports.
  ///
  /// It is only a warning if a trial of the remote works since, or another run was in the way.
  private func failed(
    _ name: String, _ remote: StoreStatus.RemoteStatus, _ code: String
  ) -> FailedSync? {
    let message = remote.state.errorMessage ?? code
    let isWaiting = code == SyncError.Code.remoteWaiting.name
    let trial = trials["\(name) \(remote.name)"]
    if let error = trial ?? nil, error.code.name == code, error.message == message { return nil }
    var failure = FailedSync(domains: [name], remote: remote.name, message: message)
    // A trial meets every failure of a remote, but not every failure of the data.
    if case .some(.none) = trial, code.hasPrefix("remote."), !isWaiting {
      failure.worksNow = true
      return failure
    }
    let exit = ExitCodeTable.codes.first { $0.code.name == code }?.code.exit
    failure.isBroken = exit != SyncError.Code.storeBusy.exit || isWaiting
    failure.advice = DoctorAdvice.text(for: code)
    return failure
  }

  /// Adds a failure; failures with one remote for the same reason count as one.
  private func note(_ failure: FailedSync?, in failures: inout [FailedSync]) {
    guard let failure else { return }
    if let index = failures.firstIndex(where: { $0.isLike(failure) }) {
      failures[index].domains += failure.domains
    } else {
      failures.append(failure)
    }
  }
}

/// Syncs with a remote that failed for the same reason.
private struct FailedSync {
  var domains: [String]
  var remote: String
  var message: String
  /// Whether a trial succeeded since.
  var worksNow = false
  var isBroken = false
  var advice: String?

  func isLike(_ other: FailedSync) -> Bool {
    (remote, message, worksNow) == (other.remote, other.message, other.worksNow)
  }

  var check: DoctorCheck {
    let names = domains.joined(separator: ", ")
    let failure = "the last sync of \(names) with \(remote) failed: \(message)"
    guard !worksNow else {
      let command = domains.map { " --domain \($0)" }.joined()
      return DoctorCheck(
        "sync", .warning, "\(failure) It would work now.", advice: "cloudsync sync\(command)")
    }
    return DoctorCheck("sync", isBroken ? .error : .warning, failure, advice: advice)
  }
}
