import SyncKitModel
import SyncKitStore

/// What a remote has of one domain.
public struct Inventory: Sendable {
  /// The segments, in no particular order; the same one may be there under several locations.
  public var segments: [SegmentReference]
  /// The withdrawn zones, with the replicas that removed them and what they keep.
  public var erased: [ZoneID: Confirmations]
  /// Things that lie there and are passed over, each as a sentence for a person.
  public var notes: [String]
  /// Things that are known to lie there, have not come, and are none of ``segments``.
  public var awaited = 0
  /// What the remote has and no device of the vault has stored: it was left out, all else is taken, and the run ends with
  /// this error.
  public var refusal: SyncError?
  /// Where the inventory ends; nil when the remote numbers nothing.
  public var position: FeedPosition?
  /// Whether ``segments`` contains only what has come since the given position.
  ///
  /// The remote still has what it had before, and everything else is listed in full.
  public var isContinuation = false
  /// The participants of all zones; nil when the remote knows no people.
  public var access: [ZoneID: ZoneAccess]?

  /// The ids of the vault to which the store belongs from now on; nil when attaching has returned them all.
  public var vault: Set<String>?

  /// Makes an inventory of all that is there.
  public init(
    segments: [SegmentReference] = [], erased: [ZoneID: Confirmations] = [:], notes: [String] = []
  ) {
    self.segments = segments
    self.erased = erased
    self.notes = notes
  }
}
