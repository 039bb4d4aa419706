/// How a domain stands, in one word that this process and any other find alike; the first that holds.
public enum SyncState: String, Hashable, Sendable {
  /// The last run with a remote failed for a reason that does not go away by itself.
  case error
  /// A conflict waits for a person's decision.
  case conflict
  /// The last good run is too long ago.
  case stale
  /// A remote cannot be reached; edits are kept here until it can.
  case offline
  /// Something is known to lie on a remote and has not come: what is shown here may not be all.
  case waiting
  /// Edits are not on every remote yet, or will not be as things stand.
  case pending
  /// No remote has been met so far.
  case neverSynced
  /// Every remote has what is here.
  case upToDate
  /// A run is under way.
  case syncing
  /// Somebody wants no runs; edits are kept here.
  case paused

  /// Finds the state of a domain from what is remembered of it.
  ///
  /// - Parameters:
  ///   - status: What the store remembers.
  ///   - isStale: Whether the last good run is too long ago.
  ///   - isRunning: Whether a run is under way, here or in another process.
  ///   - isPaused: Whether somebody wants no runs.
  public init(
    _ status: StoreStatus, isStale: Bool = false, isRunning: Bool = false, isPaused: Bool = false
  ) {
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
    } else if status.waiting > 0 {
      self = .waiting
    } else if status.pending > 0 || !status.unsent.isEmpty {
      self = .pending
    } else {
      self = hasSynced ? .upToDate : .neverSynced
    }
  }
}
