/// Tells segments apart: the same changes of a series, wherever they lie and however they are packed.
struct SegmentIdentity: Hashable, Sendable {
  let zone: ZoneID
  let series: ReplicaID
  let first: UInt64
  let last: UInt64
  let head: ContentHash
}

extension SegmentReference {
  var identity: SegmentIdentity {
    SegmentIdentity(zone: zone, series: series, first: first, last: last, head: head)
  }

  /// Whether both name the same changes, wherever they lie.
  package func isSame(as other: SegmentReference) -> Bool { identity == other.identity }
}

extension SegmentInfo {
  var identity: SegmentIdentity {
    SegmentIdentity(zone: zone, series: series, first: first, last: last, head: head)
  }
}
