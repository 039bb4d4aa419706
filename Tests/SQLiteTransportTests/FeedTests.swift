import SyncKit
import Testing

@testable import SQLiteTransport

private let domain = SharedPlace.domain

extension SharedPlace {
  /// What a device gets that has read up to a position.
  fileprivate func told(
    since position: FeedPosition?
  ) async throws -> (numbers: [UInt64], isContinuation: Bool, position: FeedPosition) {
    let inventory = try await transport().inventory(of: Self.domain, since: position)
    let end = try #require(inventory.position)
    return (inventory.segments.map(\.first), inventory.isContinuation, end)
  }
}

@Test func `a device that comes again gets only what is new`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let empty = try await place.told(since: nil)
  #expect(empty.numbers == [] && !empty.isContinuation)
  try await place.store(1, 2)
  let first = try await place.told(since: empty.position)
  #expect(first.numbers == [1, 2] && first.isContinuation)
  try await place.store(3)
  let second = try await place.told(since: first.position)
  #expect(second.numbers == [3] && second.isContinuation)
  let third = try await place.told(since: second.position)
  #expect(third.numbers == [] && third.isContinuation && third.position == second.position)
}

@Test func `a number is never given twice, not even after an erasure`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  try await place.store(2, zone: "gone")
  let before = try await place.told(since: nil).position
  let word = Confirmations([ReplicaID(high: 1, low: 1): VersionVector()])
  try await place.transport().erase("gone", of: domain, confirmedBy: word)
  try await place.store(3)
  let after = try await place.told(since: before)
  #expect(after.numbers == [3] && after.isContinuation && after.position.cursor == 3)
}

@Test func `readers that follow sixteen writers miss nothing`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await withThrowingTaskGroup(of: Set<UInt64>.self) { group in
    for writer: UInt64 in 0..<16 {
      group.addTask {
        let transport = place.transport()
        for number in 1...6 {
          let segment = try SharedPlace.segment(writer * 6 + UInt64(number), series: writer)
          try await transport.store(SharedPlace.release(segment))
          try await transport.flush(domain)
        }
        return []
      }
    }
    for _ in 0..<2 {
      group.addTask {
        let transport = place.transport()
        var position: FeedPosition?
        var found: Set<UInt64> = []
        while found.count < 96 {
          let inventory = try await transport.inventory(of: domain, since: position)
          #expect(position == nil || inventory.isContinuation)
          found.formUnion(inventory.segments.map(\.first))
          position = inventory.position
          try await Task.sleep(for: .milliseconds(5))
        }
        return found
      }
    }
    for try await found in group where !found.isEmpty { #expect(found == Set(1...96)) }
  }
}

/// What people do to an unused file: put a copy back.
enum Restoration: String, CaseIterable, Sendable {
  case overIt = "cat copy > shared.sqlite"
  case inItsPlace = "mv copy shared.sqlite"
}

@Test(arguments: Restoration.allCases)
func `a copy that was put back and went on differently is read from its start`(
  restoration: Restoration
) async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  let common = try await place.told(since: nil).position
  place.run("cp shared.sqlite copy")
  try await place.store(2)
  try await place.store(3)
  let later = try await place.told(since: nil).position
  place.run(restoration.rawValue)
  // Behind the end of the copy.
  #expect(try await place.told(since: later).isContinuation == false)
  try await place.store(4)
  try await place.store(5)
  // The same number again, but another life.
  let now = try await place.told(since: later)
  #expect(now.position.cursor == later.cursor)
  #expect(now.numbers == [1, 4, 5] && !now.isContinuation)
  // What the copy has in common with the file is still known.
  let continued = try await place.told(since: common)
  #expect(continued.numbers == [4, 5] && continued.isContinuation)
}

@Test func `another file in its place is read from its start`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  let known = try await place.told(since: nil).position
  place.run("rm shared.sqlite*")
  try await place.attach()
  try await place.store(9)
  let now = try await place.told(since: known)
  #expect(now.numbers == [9] && !now.isContinuation)
}

@Test(arguments: [
  FeedPosition(epoch: "", cursor: 1), FeedPosition(epoch: ".", cursor: 0),
  FeedPosition(epoch: "x.y", cursor: .max), FeedPosition(epoch: "'; DROP TABLE segment", cursor: 1),
])
func `a position from another remote does not count`(position: FeedPosition) async throws {
  let place = try SharedPlace()
  try await place.attach()
  try await place.store(1)
  let told = try await place.told(since: position)
  #expect(told.numbers == [1] && !told.isContinuation)
}
