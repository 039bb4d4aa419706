import RealPlaces
import SFTPTransport
import SegmentFormat
import SyncKit
import Testing

/// A connection may end at any moment.
@Suite struct BrokenConnections {
  @Test func aConnectionThatBrokeBetweenCallsIsOpenedAgain() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    for number in 1...3 {
      #expect(try await store.put("a/\(number).seg", [1], replacing: false))
      try place.server.cut()
    }
    #expect(try await store.list("a", .tree).blobs.count == 3)
  }

  @Test func aCallInWhichItBreaksIsTriedAgain() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    let bytes = SFTPPlace.bytes(24 << 20)
    try await store.prepare(creating: false)
    let writing = Task { try await store.put("a/large.seg", bytes, replacing: false) }
    // Until some of it has come.
    for _ in 0..<5_000 where place.files().isEmpty { await Task.yield() }
    try place.server.cut()
    _ = try await writing.value
    #expect(place.read("a/large.seg") == bytes)
    #expect(try await store.get("a/large.seg", upTo: 32 << 20) == bytes)
    // What the first try left is gone, since the second one has removed it.
    #expect(place.files() == ["a/large.seg"])
  }

  @Test func callsThatShareItAllGoOn() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let bytes = SFTPPlace.bytes(50_000 + number)
          _ = try await store.put("a/\(number).seg", bytes, replacing: false)
          let found = try await store.get("a/\(number).seg", upTo: 1 << 20)
          #expect(found == bytes)
        }
      }
      group.addTask {
        for _ in 0..<2_000 where place.files().count < 5 { await Task.yield() }
        try place.server.cut()
      }
      try await group.waitForAll()
    }
    #expect(try await store.list("a", .tree).blobs.count == 40)
    #expect(place.files().count == 40)
  }

  @Test func aServerThatStaysAwayIsGivenUpAfterThreeTries() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    try await store.prepare(creating: false)
    place.server.stop()
    #expect(await code { _ = try await store.list("", .folder) } == .remoteUnavailable)
    #expect(place.pauseCount <= 2)
  }

  @Test func aCancelledCallEndsAndLeavesTheConnection() async throws {
    let place = try SFTPPlace()
    let store = place.store()
    try await store.prepare(creating: false)
    let bytes = SFTPPlace.bytes(8 << 20)
    let writing = Task { try await store.put("a/large.seg", bytes, replacing: false) }
    for _ in 0..<5_000 where place.files().isEmpty { await Task.yield() }
    writing.cancel()
    _ = try? await writing.value
    let left = try await store.list("a", .tree)
    #expect(left.notes.isEmpty)
    #expect(place.files() == left.blobs.map(\.name))
  }
}
