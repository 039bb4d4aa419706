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

  /// Answers an opening only when it is told to, and notes what is asked for.
  private static let hesitant = """
    import os, struct, sys, time
    notes = open("asked", "a", buffering=1)

    def send(packet):
        sys.stdout.buffer.write(struct.pack(">I", len(packet)) + packet)
        sys.stdout.buffer.flush()

    while len(head := sys.stdin.buffer.read(4)) == 4:
        packet = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
        if packet[0] == 1:
            send(bytes([2, 0, 0, 0, 3]))
        elif packet[0] in (3, 11):
            print("open", file=notes)
            while not os.path.exists("go"):
                time.sleep(0.01)
            send(bytes([102]) + packet[1:5] + struct.pack(">I", 2) + b"h1")
        elif packet[0] == 4:
            print("close " + packet[9:].decode(), file=notes)
            send(bytes([101]) + packet[1:5] + struct.pack(">IIII", 0, 0, 0, 0)[:12])
        else:
            send(bytes([105]) + packet[1:5] + struct.pack(">II", 4, 0o40755 if packet[0] == 17 else 0o100644))
    """

  @Test(arguments: [true, false]) func whatWasOpenedForACancelledCallIsClosed(
    isFolder: Bool
  ) async throws {
    let place = try SFTPPlace(.plain)
    let command = ["sh", "-c", "cd '\(place.server.folder)' && exec python3 -c '\(Self.hesitant)'"]
    let store = SFTPBlobStore(server: SFTPServer(place.access(command)), path: "x")
    func asked() -> String { String(decoding: place.read("asked"), as: UTF8.self) }
    func comes(_ text: String) async throws -> Bool {
      for _ in 0..<1_000 {
        if asked() == text { return true }
        try await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
    let call = Task {
      if isFolder {
        _ = try await store.list("", .folder)
      } else {
        _ = try await store.get("1.seg", upTo: 10)
      }
    }
    #expect(try await comes("open\n"))
    call.cancel()
    _ = await call.result
    place.run("touch go")
    #expect(try await comes("open\nclose h1\n"), "\(asked())")
  }
}
