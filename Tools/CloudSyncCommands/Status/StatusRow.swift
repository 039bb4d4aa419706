import CommandFoundation
import SyncKit

/// How one domain stands: what its store remembers, or why that cannot be read.
struct StatusRow {
  let name: String
  let state: SyncState
  /// Nil when the store cannot be read.
  private(set) var status: StoreStatus?
  /// Why it cannot be read.
  private(set) var error: SyncError?
  let isStale: Bool
  /// When every remote was last in step, in milliseconds; 0 before the first time.
  let lastSync: Int64
  /// Withdrawn records that are not confirmed as erased everywhere.
  private(set) var erasures: [PendingErasure] = []

  var remotes: [StoreStatus.RemoteStatus] { status?.remotes ?? [] }
  /// Whether changes wait to be sent, cannot be sent as things stand, or are known to be missing here.
  var hasWork: Bool {
    status.map { $0.pending + $0.waiting > 0 || !$0.unsent.isEmpty } ?? false
  }

  /// Reads the store of a domain; a failure is the state of this domain only.
  init(
    _ name: String, _ session: Session, _ rates: RunRates, _ staleness: Staleness, isPaused: Bool
  ) {
    self.name = name
    do {
      let store = try session.store(name)
      var status = try session.status(of: name)
      erasures = try store.pendingErasures(remotes: session.remoteNames(of: name))
      // A store does not record every run without changes; the log does.
      for index in status.remotes.indices where status.remotes[index].state.lastSync > 0 {
        let logged = rates.rate(name, with: status.remotes[index].name).lastGood
        status.remotes[index].state.lastSync = max(status.remotes[index].state.lastSync, logged)
      }
      self.status = status
    } catch {
      self.error = ErrorReport.described(error)
    }
    lastSync = status?.remotes.map(\.state.lastSync).min() ?? 0
    let isStale = !isPaused && (status.map { staleness.isStale(name, $0) } ?? false)
    self.isStale = isStale
    state =
      status.map {
        SyncState($0, isStale: isStale, isRunning: session.isRunning(name), isPaused: isPaused)
      } ?? .error
  }
}
