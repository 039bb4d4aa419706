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
    return try segment(
      first,
      changes: (0..<count).map { index in
        (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 7) ^ index ^ salt) }
      })
  }

  /// A segment of one change that cannot be packed.
  func noise(_ first: UInt64, size: Int) throws -> Segment {
    var word = first
    // Farther apart than deflate looks back, the same bytes are as good as others.
    let block = (0..<min(size, 1 << 16)).map { _ in
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: word >> 56)
    }
    var bytes: [UInt8] = []
    while bytes.count < size { bytes += block.prefix(size - bytes.count) }
    return try segment(first, changes: [bytes])
  }

  /// A part of a series whose changes chain, the same every time.
  func chained(_ range: ClosedRange<Int>, size: Int = 100) throws -> Segment {
    var hashes = [ContentHash(high: series.high, low: series.low)]
    let changes = (1...range.upperBound).map { number in
      (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 13) ^ number) }
    }
    for change in changes {
      hashes.append(
        hashes[hashes.count - 1].bytes.withUnsafeBytes { head in
          change.withUnsafeBytes { coding.hash([head, $0]) }
        })
    }
    let info = SegmentInfo(
      domain: domain, zone: zone, series: series, first: UInt64(range.lowerBound),
      last: UInt64(range.upperBound), previous: hashes[range.lowerBound - 1],
      head: hashes[range.upperBound], base: VersionVector(), operations: range.count,
      deletions: 0, newest: UInt64(range.upperBound))
    return try coding.segment(info, changes: Array(changes[(range.lowerBound - 1)...]))
  }

  private func segment(_ first: UInt64, changes: [[UInt8]]) throws -> Segment {
    let count = changes.count
    let previous = ContentHash(high: first, low: 1)
    var head = previous
    for change in changes {
      head = head.bytes.withUnsafeBytes { before in
        change.withUnsafeBytes { coding.hash([before, $0]) }
      }
    }
    let info = SegmentInfo(
      domain: domain, zone: zone, series: series, first: first,
      last: first &+ UInt64(count) &- 1, previous: previous, head: head,
      base: VersionVector(), operations: count, deletions: 0, newest: first)
    return try coding.segment(info, changes: changes)
  }
}
