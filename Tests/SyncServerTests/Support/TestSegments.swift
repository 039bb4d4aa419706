import SegmentFormat
import SyncKit

/// Segments as devices make them.
struct TestSegments {
  static let domain = "tests"

  let coding = DeflateSegmentCoding()
  var zone: ZoneID = .home
  var series = ReplicaID(high: 0x0102_0304_0506_0708, low: 7)
  var domain = Self.domain

  func segment(_ first: UInt64, count: Int = 1, size: Int = 100) throws -> Segment {
    let salt = Int(truncatingIfNeeded: first)
    let changes = (0..<count).map { index in
      (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 7) ^ index ^ salt) }
    }
    var head = ContentHash(high: first, low: series.low)
    for change in changes { head = change.withUnsafeBytes { coding.hash([$0]) } }
    let info = SegmentInfo(
      domain: domain, zone: zone, series: series, first: first,
      last: first &+ UInt64(count) &- 1, previous: ContentHash(high: first, low: 1), head: head,
      base: VersionVector(), operations: count, deletions: 0, newest: first)
    return try coding.segment(info, changes: changes)
  }
}
