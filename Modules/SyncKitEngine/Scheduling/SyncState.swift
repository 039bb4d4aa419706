import SyncKitModel
import SyncKitStore

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
  /// Data that are known to be on a remote have not arrived: this device may not show everything.
  case waiting
  /// Edits are not on every remote yet, or will not be as things stand.
  case pending
  /// The device has not synced with any remote so far.
  case neverSynced
  /// Every remote has all changes of this device.
  case upToDate
  /// A run is under way.
  case syncing
  /// A person has paused syncing; edits are kept here.
  case paused

  /// Derives the state of a domain from what the store remembers.
  ///
  /// - Parameters:
  ///   - status: What the store remembers.
  ///   - isStale: Whether the last successful run is too long ago.
  ///   - isRunning: Whether a run is in progress, here or in another process.
  ///   - isPaused: Whether a person has paused syncing.
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
