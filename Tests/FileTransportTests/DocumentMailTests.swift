import SyncKitFormats
import SegmentFormat
import SyncKit
import Testing

@testable import FileTransport

/// What devices leave for each other in a document, put together from its copies.
@Suite struct DocumentMailTests {
  private func segment(
    _ first: UInt64, zone: ZoneID = .home, bytes: [UInt8] = [1]
  ) -> Segment {
    let info = SegmentInfo(
      domain: "library", zone: zone, series: ReplicaID(high: 7, low: 9), first: first, last: first,
      previous: ContentHash(high: first, low: 0), head: ContentHash(high: first, low: 1),
      base: VersionVector(), operations: 1, deletions: 0, newest: first)
    return Segment(info: info, bytes: bytes)
  }

  @Test func `whichever device comes first, the same packing of the same changes stays`() {
    let packings = [[2, 0], [1, 9, 9], [2]].map { segment(1, bytes: $0) }
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
      var mail = DocumentMail()
      for index in order { mail.add(packings[index]) }
      #expect(Array(mail.segments.values) == [packings[1]])
    }
  }

  @Test func `two copies hold together whatever either holds, also what is of newer versions`() {
    var mine = DocumentMail()
    mine.vaults = ["a"]
    mine.sealed = ["bmV3ZXI="]
    mine.rest["later"] = .int(1)
    mine.add(segment(1))
    var other = DocumentMail()
    other.vaults = ["b"]
    other.sealed = ["bmV3ZXI=", "b3RoZXI="]
    other.rest["later"] = .int(2)
    other.rest["more"] = .int(3)
    other.add(segment(2))
    mine.add(other)
    #expect(mine.vaults == ["a", "b"])
    #expect(mine.sealed == ["bmV3ZXI=", "b3RoZXI="])
    #expect(mine.segments.keys.map(\.first).sorted() == [1, 2])
    #expect(mine.rest["later"] == .int(1) && mine.rest["more"] == .int(3))
  }

  @Test func `what was erased in either copy is gone from both`() {
    let (me, you) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))
    var mine = DocumentMail()
    mine.add(segment(1, zone: "gone"))
    mine.add(segment(2))
    mine.erase("lost", confirmedBy: Confirmations([me: VersionVector()]))
    var other = DocumentMail()
    other.erase("gone", confirmedBy: Confirmations([me: VersionVector()]))
    other.erase("lost", confirmedBy: Confirmations([you: VersionVector()]))
    other.add(segment(3, zone: "kept"))
    #expect(!mine.covers(other) && !other.covers(mine))
    mine.add(other)
    #expect(mine.covers(other))
    #expect(mine.segments.keys.map(\.first).sorted() == [2, 3])
    #expect(
      mine.erased == [
        "gone": Confirmations([me: VersionVector()]),
        "lost": Confirmations([me: VersionVector(), you: VersionVector()]),
      ])
    mine.add(segment(1, zone: "gone"))
    #expect(mine.segments.keys.map(\.first).sorted() == [2, 3])
  }
}
