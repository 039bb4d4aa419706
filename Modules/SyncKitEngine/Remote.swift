import SyncKitModel
import SyncKitStore

/// A remote of a store: a name, where it is, and the transport that reaches it.
public struct Remote: Sendable {
  /// What the person calls it; the store remembers the remote under this name.
  public var name: String
  /// Where it is, as a URL; another location is another remote.
  public var location: String
  /// How it is reached.
  public var transport: any Transport

  /// Names a remote.
  public init(_ name: String, location: String, transport: any Transport) {
    self.name = name
    self.location = location
    self.transport = transport
  }

  /// The transport with all abilities, whatever it conforms to.
  var abilities: ForwardingTransport { ForwardingTransport(transport) }
}

/// What a run may do.
public struct SyncOptions: Sendable {
  /// Which way data go.
  public enum Direction: Sendable {
    /// Changes come in and go out.
    case both
    /// Changes only come in.
    case pullOnly
    /// Changes only go out.
    case pushOnly

    /// Whether a run in this direction cannot run into the failure of an earlier one, so that its success does
    /// not clear it.
    func leavesOpen(_ failure: String?) -> Bool {
      let unmet: Set<SyncError.Code> =
        switch self {
        case .both: []
        case .pullOnly: [.remoteQuota]
        case .pushOnly: Pull.stopping.union([.remoteUnread, .remoteWaiting])
        }
      return unmet.contains { $0.name == failure }
    }
  }

  /// Which way data go.
  public var direction = Direction.both
  /// What stops a pull that deletes too much; nil for no guard.
  public var massDeleteGuard: MassDeleteGuard? = MassDeleteGuard()
  /// What to do about a remote that is not the known one.
  public var consent = RemoteIdentity.Consent.none
  /// Only look: change nothing here and nothing there.
  public var isDryRun = false
  /// With ``isDryRun``: also find out, for each remote that can tell, whether it could store what waits.
  public var triesStoring = false
  /// Compact this device's logs on the remotes, even when there is nothing to send.
  public var isCompaction = false
  /// How long this device keeps the changes that led to the current state: 400 days.
  ///
  /// Zero keeps what sync needs, and nothing to undo.
  public var keepHistory: Duration {
    get { .milliseconds(history.kept) }
    set {
      let (seconds, attoseconds) = newValue.components
      history.kept = max(0, seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000)
    }
  }
  /// How exactly `RemoteState.lastSync` is kept: 5 minutes.
  ///
  /// A run that finds nothing to do records it only once this time has passed, so that most
  /// such runs write nothing.
  public var lastSyncPrecision: Duration = .seconds(300)
  /// When old changes are pruned.
  package var history = HistoryWindow(keeping: 400 * 86_400_000)
  /// From when on segments are merged.
  package var limits = CompactionLimits()
  /// When deleted records are forgotten.
  package var retention = Retention()

  /// Makes the usual options.
  public init() {}
}

/// How a run with one remote ended.
public struct SyncOutcome: Sendable {
  /// The remote's name.
  public var remote: String
  /// What was done, also when it failed in the end.
  public var report: SyncReport
  /// Why it failed; nil when all is well.
  public var error: SyncError?
  /// What keeps the next edit from being stored, though nothing waits now; only of a run that has tried.
  public var obstacle: SyncError?
}
