import RealPlaces
import SFTPTransport
import SegmentFormat
import SyncKit
import Testing

/// Some servers let one file be open at a time and refuse the second with "permission denied".
@Suite struct OneOpenFile {
  /// Stands between the client and a real server, and refuses as such a server does; it notes each refusal.
  private static let proxy = """
    import struct, subprocess, sys, threading
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    notes = open(sys.argv[1], "a", buffering=1)
    lock, opening, handles = threading.Lock(), set(), set()

    def packets(stream):
        while len(head := stream.read(4)) == 4:
            yield stream.read(struct.unpack(">I", head)[0])

    def send(stream, packet):
        stream.write(struct.pack(">I", len(packet)) + packet)
        stream.flush()

    def answers():
        for packet in packets(server.stdout):
            with lock:
                number = packet[1:5]
                if number in opening and packet[0] in (101, 102):
                    opening.discard(number)
                    if packet[0] == 102:
                        handles.add(packet[5:])
                send(sys.stdout.buffer, packet)
        sys.stdout.buffer.close()

    threading.Thread(target=answers, daemon=True).start()
    for packet in packets(sys.stdin.buffer):
        with lock:
            if packet[0] == 3:
                if opening or handles or b"secret" in packet:
                    print("refused", file=notes)
                    said = struct.pack(">II", 3, 6) + b"denied" + struct.pack(">I", 0)
                    send(sys.stdout.buffer, b"\\x65" + packet[1:5] + said)
                    continue
                opening.add(packet[1:5])
            if packet[0] == 4:
                handles.discard(packet[5:])
        send(server.stdin, packet)
    server.stdin.close()
    server.wait()
    """

  private static func store(_ place: SFTPPlace) -> SFTPBlobStore {
    let command =
      ["python3", "-c", proxy, "\(place.server.place)/refused"] + place.server.command
    return SFTPBlobStore(server: SFTPServer(place.access(command)), path: place.server.path)
  }

  private static func refusals(_ place: SFTPPlace) -> Int {
    place.run("cp '\(place.server.place)/refused' refusals")
    defer { place.run("rm refusals") }
    return place.read("refusals").count { $0 == UInt8(ascii: "\n") }
  }

  @Test func allSegmentsCome() async throws {
    let place = try SFTPPlace(.plain)
    for number in 0..<40 { place.write("a/\(number).seg", SFTPPlace.bytes(100_000 + number)) }
    let store = Self.store(place)
    func fetch() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let found = try await store.get("a/\(number).seg", upTo: 1 << 20)
            #expect(found == SFTPPlace.bytes(100_000 + number), "\(number)")
          }
        }
        try await group.waitForAll()
      }
    }
    try await fetch()
    let refusals = Self.refusals(place)
    #expect(refusals > 0)
    // From then on nothing is refused.
    try await fetch()
    #expect(Self.refusals(place) == refusals)
  }

  @Test func allSegmentsAreStored() async throws {
    let place = try SFTPPlace(.plain)
    let store = Self.store(place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = try await store.put(
            "a/\(number).seg", SFTPPlace.bytes(50_000 + number), replacing: false)
        }
      }
      try await group.waitForAll()
    }
    #expect(Self.refusals(place) > 0)
    for number in 0..<20 {
      #expect(place.read("a/\(number).seg") == SFTPPlace.bytes(50_000 + number))
    }
  }

  @Test func aFileThatMayNotBeReadIsNotHereYet() async throws {
    let place = try SFTPPlace(.plain)
    for name in ["1", "2", "secret"] { place.write("a/\(name).seg", SFTPPlace.bytes(100_000)) }
    let store = Self.store(place)
    async let first = store.get("a/1.seg", upTo: 1 << 20)
    async let denied = store.get("a/secret.seg", upTo: 1 << 20)
    async let second = store.get("a/2.seg", upTo: 1 << 20)
    #expect(try await first == SFTPPlace.bytes(100_000))
    #expect(try await denied == nil)
    #expect(try await second == SFTPPlace.bytes(100_000))
    #expect(try await store.get("a/secret.seg", upTo: 1 << 20) == nil)
  }
}
