import CommandFoundation
import SyncKit

/// Finds domains that have been out of step for too long; one rule for status, doctor and hooks.
struct Staleness {
  private let session: Session
  private let record: SetupRecord
  private let now: Int64

  init(_ session: Session) {
    self.session = session
    record = SetupRecord(in: session.directories.data)
    now = session.environment.now()
  }

  /// Whether the last successful run with a remote is too long ago, or there was none since the setup.
  func isStale(_ domain: String, with remote: StoreStatus.RemoteStatus) -> Bool {
    let last = remote.state.lastSync
    return isOver(last > 0 ? last : record.begin(of: remote.name), domain)
  }

  /// Whether a domain has been out of step for too long: with a remote, or with something to send and no
  /// remote anywhere.
  func isStale(_ domain: String, _ status: StoreStatus) -> Bool {
    guard !status.remotes.isEmpty else {
      return status.pending > 0 && session.meetsNothing && isOver(record.since, domain)
    }
    return status.remotes.contains { isStale(domain, with: $0) }
  }

  private func isOver(_ time: Int64, _ domain: String) -> Bool {
    let settings = session.configuration[domain: domain]?.settings ?? session.configuration.defaults
    return time > 0 && now &- time > Int64(settings.staleAfter / .milliseconds(1))
  }
}

extension Session {
  /// The state of a domain's store with its remotes.
  ///
  /// Without any remote everything that could leave counts as pending; a domain without one, while others have
  /// one, stays here on purpose.
  func status(of domain: String) throws -> StoreStatus {
    let store = try store(domain)
    var status = try store.status(remotes: remoteNames(of: domain))
    if meetsNothing { status.pending = try store.unsentChanges() }
    return status
  }
}
