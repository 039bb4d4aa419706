import SyncKit
import Testing

@testable import SQLiteTransport

private func references(_ count: Int, size: Int?) -> [SegmentReference] {
  (1...count).map { number in
    SegmentReference(
      zone: .home, series: ReplicaID(high: 1, low: 1), first: UInt64(number), last: UInt64(number),
      head: ContentHash(high: UInt64(number), low: 1), size: size, location: "\(number)")
  }
}

@Test func `rows are read with those behind them, as far as eight MiB go`() {
  let prefetch = Prefetch(references(7, size: 2 << 20))
  #expect(prefetch.batch(from: 1) == [1, 2, 3, 4])
  #expect(prefetch.batch(from: 3) == [3, 4, 5, 6])
  #expect(prefetch.batch(from: 6) == [6, 7])
  // One row is read whatever its size, and an unexpected one alone.
  #expect(Prefetch(references(2, size: 9 << 20)).batch(from: 1) == [1])
  #expect(Prefetch(references(2, size: nil)).batch(from: 1) == [1])
  #expect(prefetch.batch(from: 8) == [8])
}

@Test func `what was read ahead is given out once, and dropped for what is read next`() {
  var prefetch = Prefetch(references(3, size: 1))
  func take(_ cursor: UInt64) -> [UInt8]? { prefetch.take(cursor) }
  prefetch.keep([2: [2], 3: [3]])
  #expect(take(2) == [2])
  #expect(take(2) == nil)
  prefetch.keep([1: [1]])
  #expect(take(3) == nil)
  #expect(take(1) == [1])
}
