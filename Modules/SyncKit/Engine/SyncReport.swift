/// What one run with one remote has done.
public struct SyncReport: Hashable, Sendable {
  /// Changes of records that were sent.
  public var pushed = 0
  /// Changes of records that were applied.
  public var pulled = 0
  /// Conflicts that are new.
  public var conflicts = 0
  /// Own edits that gave way to remote ones.
  public var yielded = 0
  /// Changes that are known to exist and cannot be applied yet.
  public var waiting = 0
  /// Records with edits of this device that the remote does not get as things stand, though nobody has chosen
  /// that; see ``UnsentEdits``.
  public var unsent = 0
  /// Forks that were found: a copied or restored store has written under a used id.
  public var forks = 0
  /// Whether another installation has written under this one's identity.
  ///
  /// A copied or restored disk image does. The store has new replica ids from then on; draw a new
  /// ``Device/id`` and open it again, so that lists of devices show both.
  public var isTwinFound = false
  /// What was done to keep few what lies on the remote.
  public var tidying = TidyingReport()
  /// Which records changed, and why: those that came, and those of this device that were sent.
  public var changes: [RecordChanges] = []
  /// What was passed over, as sentences for a person.
  public var notes: [String] = []

  /// Makes an empty report.
  public init() {}
}
