import SyncKit

/// How a domain stands, in one word; the first that holds.
enum DomainState: String, Sendable {
  case error, conflict, stale, offline, pending, neverSynced, upToDate, syncing, paused

  /// Finds the state of a domain from what is remembered of it.
  ///
  /// It is stale when the last good run is too long ago, running while a run is under way, and paused when
  /// somebody wants it so.
  init(_ status: StoreStatus, isStale: Bool, isRunning: Bool, isPaused: Bool) {
    let failures = status.remotes.compactMap(\.state.errorCode)
    let offline = SyncError.Code.remoteUnavailable.name
    let hasSynced = status.remotes.contains { $0.state.lastSync > 0 }
    if isRunning {
      self = .syncing
    } else if isPaused {
      self = .paused
    } else if failures.contains(where: { $0 != offline }) {
      self = .error
    } else if status.decisions > 0 {
      self = .conflict
    } else if isStale {
      self = .stale
    } else if !failures.isEmpty {
      self = .offline
    } else if status.pending > 0 {
      self = .pending
    } else {
      self = hasSynced ? .upToDate : .neverSynced
    }
  }
}
