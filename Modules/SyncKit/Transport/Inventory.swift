/// A segment that a remote says it has; nothing of it is trusted before it has been read.
public struct SegmentReference: Hashable, Sendable {
  /// The zone.
  public var zone: ZoneID
  /// The series, as its author named it.
  public var series: ReplicaID
  /// The number of the first change.
  public var first: UInt64
  /// The number of the last change.
  public var last: UInt64
  /// The chained hash of the last change.
  public var head: ContentHash
  /// The size of the file in bytes as it lies there now; nil when the medium does not tell.
  public var size: Int?
  /// Where the transport finds it; has a meaning only for the transport.
  public var location: String
  /// Whether its content lies there; false for a file that its provider has yet to bring.
  public var isHere = true

  /// Names a segment.
  public init(
    zone: ZoneID, series: ReplicaID, first: UInt64, last: UInt64, head: ContentHash,
    size: Int?, location: String, isHere: Bool = true
  ) {
    self.isHere = isHere
    self.zone = zone
    self.series = series
    self.first = first
    self.last = last
    self.head = head
    self.size = size
    self.location = location
  }
}

extension SegmentReference {
  /// Names a segment.
  package init(_ segment: Segment, location: String = "") {
    let info = segment.info
    self.init(
      zone: info.zone, series: info.series, first: info.first, last: info.last, head: info.head,
      size: segment.bytes.count, location: location)
  }
}

/// How far a store has read a remote's numbered list; only the remote knows what it means.
public struct FeedPosition: Hashable, Sendable {
  /// Which life of the remote the number belongs to; a restored or emptied one begins another.
  public var epoch: String
  /// The number of the last entry that was read.
  public var cursor: UInt64

  /// Names a position.
  public init(epoch: String, cursor: UInt64) {
    self.epoch = epoch
    self.cursor = cursor
  }
}

/// What a remote has of one domain.
public struct Inventory: Sendable {
  /// The segments, in no particular order; the same one may be there under several locations.
  public var segments: [SegmentReference]
  /// The withdrawn zones, with who has removed their content and what they keep.
  public var erased: [ZoneID: Confirmations]
  /// Things that lie there and are passed over, each as a sentence for a person.
  public var notes: [String]
  /// Things that are known to lie there, have not come, and are none of ``segments``.
  public var awaited = 0
  /// Where the inventory ends; nil when the remote numbers nothing.
  public var position: FeedPosition?
  /// Whether ``segments`` contains only what has come since the given position.
  ///
  /// The remote still has what it had before, and everything else is listed in full.
  public var isContinuation = false
  /// Who else has a part in which zones, all of them; nil when the remote knows no people.
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
