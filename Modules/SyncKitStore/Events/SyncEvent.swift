import SyncKitModel

/// Something that happened in a store or to it.
public enum SyncEvent: Sendable {
  /// Why records changed.
  public enum Reason: String, Sendable {
    /// This device wrote.
    case local
    /// Changes arrived from a remote.
    case remote
    /// Changes arrived in the first run with a remote.
    case initialSync
    /// Another device has made a tree local, so that it is gone here, or local here too.
    case erased
  }

  /// The engine's state; also the first event a late listener gets.
  case phase(SyncPhase)
  /// Records were written.
  case changed([RecordKey], reason: Reason)
  /// Read everything that you show again. More records were written, for these reasons, than can be named one by one to a
  /// listener that lags; or who takes part in a tree, and how, has changed, see ``Record/access``.
  case reload(Set<Reason>)
  /// How far a pull or push has come.
  case progress(SyncProgress)
  /// A pull or push has ended.
  case finished(remote: String, SyncReport)
  /// A pull or push has failed.
  case failed(remote: String, SyncError)
}

/// What the engine is doing.
public enum SyncPhase: String, Sendable {
  /// Nothing is under way.
  case idle
  /// Changes come in.
  case pulling
  /// Changes go out.
  case pushing
}

/// How far a run has come.
public struct SyncProgress: Sendable {
  /// What is under way.
  public var phase: SyncPhase
  /// What is counted.
  public var unit: Unit
  /// How many are done.
  public var done: Int
  /// How many there are.
  public var total: Int

  /// What a run counts: a pull first fetches segments and then applies their changes, a push sends changes.
  public enum Unit: String, Sendable {
    /// Segments that are fetched.
    case segments
    /// Changes that are applied or sent.
    case changes
  }

  /// Describes how far a run has come.
  public init(phase: SyncPhase, unit: Unit = .segments, done: Int, total: Int) {
    self.phase = phase
    self.unit = unit
    self.done = done
    self.total = total
  }
}
