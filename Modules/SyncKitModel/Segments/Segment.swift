/// What the head of a segment says about its content.
public struct SegmentInfo: Hashable, Sendable {
  /// The domain it belongs to.
  public var domain: String
  /// The zone it belongs to.
  public var zone: ZoneID
  /// The series, as its author named it.
  public var series: ReplicaID
  /// The number of its first change.
  public var first: UInt64
  /// The number of its last change.
  public var last: UInt64
  /// The chained hash before the first change.
  public var previous: ContentHash
  /// The chained hash of the last change.
  public var head: ContentHash
  /// The context before the first change, from which the first change's context follows.
  public var base: VersionVector
  /// How many operations it holds on records of the domain's own collections.
  public var operations: Int
  /// How many of them delete or erase.
  public var deletions: Int
  /// The newest stamp in it, as in ``Stamp/time``.
  public var newest: UInt64
  /// How it is sealed; nil when everyone can read it.
  public var seal: SegmentSeal?

  /// Describes a segment.
  public init(
    domain: String, zone: ZoneID, series: ReplicaID, first: UInt64, last: UInt64,
    previous: ContentHash, head: ContentHash, base: VersionVector,
    operations: Int, deletions: Int, newest: UInt64, seal: SegmentSeal? = nil
  ) {
    self.seal = seal
    self.domain = domain
    self.zone = zone
    self.series = series
    self.first = first
    self.last = last
    self.previous = previous
    self.head = head
    self.base = base
    self.operations = operations
    self.deletions = deletions
    self.newest = newest
  }
}

/// How the content of a segment is encrypted.
///
/// Its names are pseudonyms then, and its numbers say nothing.
public struct SegmentSeal: Hashable, Sendable {
  /// The epoch of the key, from 1.
  public var epoch: UInt64
  /// The cipher suite; 1 is the one of Documentation/Formats/Encryption.md.
  public var suite: UInt8

  /// Names a key and a suite.
  public init(epoch: UInt64, suite: UInt8) {
    self.epoch = epoch
    self.suite = suite
  }
}

/// A sealed, immutable run of one replica's changes, as opaque bytes with a readable head.
public struct Segment: Hashable, Sendable {
  /// What the head says.
  public let info: SegmentInfo
  /// The file: head, changes, checksum; the same bytes everywhere.
  public let bytes: [UInt8]

  /// Wraps bytes that a ``SegmentCoding`` made or read.
  public init(info: SegmentInfo, bytes: [UInt8]) {
    self.info = info
    self.bytes = bytes
  }
}

/// Makes and reads the bytes of segments; SegmentFormat supplies it.
///
/// - **Exact.** ``changes(of:)`` gives the bytes of every change as its author wrote them.
/// - **Checked.** Damage of any byte is found: `format.damaged`, never another content.
/// - **Bounded.** No input makes it trap, hang, or take memory out of proportion.
public protocol SegmentCoding: ContentHashing {
  /// Makes a segment of encoded changes, as many as `info` says.
  func segment(_ info: SegmentInfo, changes: [[UInt8]]) throws -> Segment

  /// Reads and checks a file.
  ///
  /// - Throws: ``SyncError`` `format.damaged`, or `format.newer` for a required feature that this
  ///   version does not know.
  func read(_ bytes: [UInt8]) throws -> Segment

  /// The encoded changes of a segment that ``read(_:)`` accepted, in order.
  func changes(of segment: Segment) throws -> [[UInt8]]
}
