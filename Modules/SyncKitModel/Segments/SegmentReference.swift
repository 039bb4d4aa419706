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
  /// The size of the file in bytes as it lies there now; nil when the medium does not say.
  public var size: Int?
  /// Where the transport finds it; has a meaning only for the transport.
  public var location: String
  /// Whether its content lies there; false for a file that its provider has yet to bring.
  public var isHere = true

  /// Whether less lies there than the file should have, perhaps nothing: it is on its way, or its writer was cut off.
  ///
  /// Of a file that its provider has yet to bring the size is not known.
  public var isIncomplete: Bool { !isHere && size != nil }

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
