/// Tells segments apart: the same changes of a series, wherever they lie and however they are packed.
package struct SegmentIdentity: Hashable, Sendable {
  package let zone: ZoneID
  package let series: ReplicaID
  package let first: UInt64
  package let last: UInt64
  package let head: ContentHash
}

extension SegmentReference {
  package var identity: SegmentIdentity {
    SegmentIdentity(zone: zone, series: series, first: first, last: last, head: head)
  }

  /// Whether both name the same changes, wherever they lie.
  package func isSame(as other: SegmentReference) -> Bool { identity == other.identity }
}

extension SegmentInfo {
  package var identity: SegmentIdentity {
    SegmentIdentity(zone: zone, series: series, first: first, last: last, head: head)
  }
}
