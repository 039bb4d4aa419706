@testable import SyncKitHTTP
import SyncKit
import SyncWire
import Testing

/// What is fetched together with what is asked for.
@Suite final class SegmentInboxTests {
  private var inbox = SegmentInbox()

  private func batch(_ reference: SegmentReference) -> [UInt64] {
    inbox.batch(with: reference, cursor: reference.first)
  }

  private func take(_ cursor: UInt64) -> [UInt8]? { inbox.take(cursor) }

  private func references(_ count: Int, size: Int? = 100) -> [SegmentReference] {
    (1...count).map { number in
      SegmentReference(
        zone: .home, series: ReplicaID(high: 1, low: 1), first: UInt64(number),
        last: UInt64(number), head: ContentHash(high: UInt64(number), low: 1), size: size,
        location: "\(number)")
    }
  }

  @Test func `those that come next are fetched with a segment, up to the most of a batch`() {
    let all = references(WireProtocol.batchCount + 2)
    inbox.expect(all)
    #expect(
      batch(all[0]) == (1...UInt64(WireProtocol.batchCount)).map { $0 })
    #expect(
      batch(all[WireProtocol.batchCount]) == [1_001, 1_002])
  }

  @Test func `a batch holds what a server answers at once, and one segment whatever its size`() {
    // Each frame has four bytes more than its segment.
    let half = references(3, size: WireProtocol.batchBytes / 2 - 4)
    inbox.expect(half)
    #expect(batch(half[0]) == [1, 2])
    #expect(batch(half[2]) == [3])
    let larger = references(2, size: WireProtocol.batchBytes * 2)
    inbox.expect(larger)
    #expect(batch(larger[0]) == [1])
    #expect(batch(larger[1]) == [2])
  }

  @Test func `what is asked for out of turn is fetched with what comes behind it`() {
    let all = references(5)
    inbox.expect(all)
    #expect(batch(all[3]) == [4, 5])
    #expect(batch(all[1]) == [2, 3, 4, 5])
    let stranger = references(9)[8]
    #expect(batch(stranger) == [9])
  }

  @Test func `what a server left out is asked for again, and what came is given out once`() {
    let all = references(4)
    inbox.expect(all)
    let asked = batch(all[0])
    inbox.fill(asked, [[1], nil])
    #expect(take(1) == [1])
    #expect(take(1) == nil)
    #expect(take(2) == nil)
    #expect(batch(all[2]) == [3, 4])
    inbox.fill([3, 4], [[3], [4]])
    // At most one batch waits.
    #expect(batch(all[0]).count == 4)
    #expect(take(3) == nil)
  }

  @Test func `nothing of an earlier exchange is left`() {
    let all = references(2)
    inbox.expect(all)
    inbox.fill(batch(all[0]), [[1], [2]])
    inbox.expect(all)
    #expect(take(1) == nil)
    #expect(batch(all[0]) == [1, 2])
    inbox.expect([])
    #expect(batch(all[0]) == [1])
  }
}
