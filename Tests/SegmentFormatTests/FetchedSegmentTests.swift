import SegmentFormat
import SyncKit
import Testing

@Suite struct FetchedSegments {
  let coding = DeflateSegmentCoding()
  let segment: Segment

  init() throws {
    segment = try coding.segment(
      Sample.info(count: 3), changes: (0..<3).map { Sample.change($0, length: 60) })
  }

  private var reference: SegmentReference {
    let info = segment.info
    return SegmentReference(
      zone: info.zone, series: info.series, first: info.first, last: info.last, head: info.head,
      size: nil, location: "anywhere")
  }

  @Test func `is what was asked for`() throws {
    let found = try coding.read(segment.bytes, for: reference, of: segment.info.domain)
    #expect(found == segment)
  }

  @Test func `is not there when it is damaged`() throws {
    var bytes = segment.bytes
    bytes[bytes.count / 2] ^= 1
    #expect(try coding.read(bytes, for: reference, of: segment.info.domain) == nil)
  }

  @Test func `is not there when another one lies in its place`() throws {
    var others = [reference, reference, reference, reference, reference]
    others[0].zone = ZoneID("other")
    others[1].series = ReplicaID(high: 1, low: 1)
    others[2].first += 1
    others[3].last += 1
    others[4].head = ContentHash(high: 1, low: 1)
    for other in others {
      #expect(
        try coding.read(segment.bytes, for: other, of: segment.info.domain) == nil, "\(other)")
    }
    #expect(try coding.read(segment.bytes, for: reference, of: "other") == nil)
  }
}
