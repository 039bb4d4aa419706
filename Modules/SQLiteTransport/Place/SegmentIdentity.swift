import SyncKit

/// What tells a segment from every other one of a file.
struct SegmentIdentity: Hashable {
  let domain: String
  let zone: ZoneID
  let series: ReplicaID
  let first: UInt64
  let last: UInt64
  let head: ContentHash

  init(
    domain: String, zone: ZoneID, series: ReplicaID, first: UInt64, last: UInt64,
    head: ContentHash
  ) {
    (self.domain, self.zone, self.series) = (domain, zone, series)
    (self.first, self.last, self.head) = (first, last, head)
  }

  init(_ info: SegmentInfo) {
    (domain, zone, series) = (info.domain, info.zone, info.series)
    (first, last, head) = (info.first, info.last, info.head)
  }
}
