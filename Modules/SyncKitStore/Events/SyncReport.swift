import SyncKitModel

/// What one run with one remote has done.
public struct SyncReport: Hashable, Sendable {
  /// Changes of records that were sent.
  public var pushed = 0
  /// Changes of records that were applied.
  public var pulled = 0
  /// Conflicts that are new.
  public var conflicts = 0
  /// Own edits that remote ones have overridden.
  public var overridden = 0
  /// Changes that are known to exist and cannot be applied yet.
  public var waiting = 0
  /// Records with edits of this device that the remote cannot get at present, although no person has chosen
  /// that; see ``UnsentEdits``.
  public var unsent = 0
  /// Forks that were found: a copied or restored store has written under a used id.
  public var forks = 0
  /// Whether another installation has written under this one's identity.
  ///
  /// A copied or restored disk image does. The store has new replica ids from then on; draw a new
  /// ``Device/id`` and open it again, so that lists of devices show both.
  public var isCopyDetected = false
  /// What compaction did on the remote.
  public var compaction = CompactionReport()
  /// Which records changed, and why: those that came, and those of this device that were sent.
  public var changes: [RecordChanges] = []
  /// What was skipped, as sentences for a person.
  public var notes: [String] = []

  /// Makes an empty report.
  public init() {}
}
