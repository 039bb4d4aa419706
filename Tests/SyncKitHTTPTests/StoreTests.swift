import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Synchronization
import Testing

/// How segments go to a server.
@Suite(.overEveryNetwork) struct StoreTests {
  /// A server that keeps what it is given, up to a number of segments in one request.
  private final class Shelf: Sendable {
    private let kept = Mutex<[[UInt8]]>([])

    var segments: [[UInt8]] { kept.withLock { $0 } }

    /// Stores what is new and answers for all.
    func take(_ body: [UInt8], _ status: StoreResult.Status = .stored) -> StandIn.Reply {
      let frames = ((try? SegmentFrames.split(body)) ?? []).compactMap { $0 }
      let results = kept.withLock { kept in
        frames.map { frame in
          if kept.contains(frame) { return StoreResult(.known, cursor: 1) }
          kept.append(frame)
          return StoreResult(status, cursor: 1)
        }
      }
      return .json(["results": .array(results.map(\.json))])
    }
  }

  private static func count(_ request: StandIn.Request) -> Int {
    ((try? SegmentFrames.split(request.body)) ?? []).count
  }

  @Test func `small segments go together, at the latest with the flush`() async throws {
    let shelf = Shelf()
    let server = try StandIn { request, _ in shelf.take(request.body) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let author = Author()
    for number in 1...2_100 { try await transport.store(author.segment(UInt64(number))) }
    try await transport.flush("books")
    try await transport.flush("books")
    #expect(server.requests.map(Self.count) == [1_000, 1_000, 100])
    #expect(shelf.segments.count == 2_100)
    #expect(
      server.requests.allSatisfy { $0.headers["content-type"] == WireProtocol.segments })
  }

  @Test func `no request is longer than eight megabytes, unless one segment is`() async throws {
    let shelf = Shelf()
    let server = try StandIn { request, _ in shelf.take(request.body) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let author = Author()
    for (number, megabytes) in [3, 3, 3, 9, 1].enumerated() {
      try await transport.store(author.segment(UInt64(number + 1), bytes: megabytes << 20))
    }
    try await transport.flush("books")
    #expect(server.requests.map(Self.count) == [2, 1, 1, 1])
  }

  @Test func `what is too much for the server goes in halves`() async throws {
    let shelf = Shelf()
    let server = try StandIn { request, _ in
      Self.count(request) > 3 ? .refusal(.tooLarge) : shelf.take(request.body)
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let author = Author()
    for number in 1...10 { try await transport.store(author.segment(UInt64(number))) }
    try await transport.flush("books")
    #expect(shelf.segments.count == 10)
    #expect(server.requests.map(Self.count) == [10, 5, 2, 3, 5, 2, 3])
  }

  @Test func `a proxy that takes less than the server is met with halves too`() async throws {
    let shelf = Shelf()
    let server = try StandIn { request, _ in
      Self.count(request) > 1
        ? .text(413, "text/html", "<h1>413</h1>", ours: false) : shelf.take(request.body)
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    for number in 1...2 { try await transport.store(Author().segment(UInt64(number))) }
    try await transport.flush("books")
    #expect(shelf.segments.count == 2)
  }

  @Test func `one segment that is too large is an error`() async throws {
    let server = try StandIn { _, _ in .refusal(.tooLarge) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    try await transport.store(Author().segment(1))
    let error = await failure { try await transport.flush("books") }
    #expect(error?.code == .remoteTooLarge && error?.code.exit == 73)
  }

  @Test func `a request whose answer is lost is sent again and has one effect`() async throws {
    let shelf = Shelf()
    let server = try StandIn { request, number in
      let reply = shelf.take(request.body)
      return number == 0 ? .hangUp : reply
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    try await transport.store(Author().segment(1))
    try await transport.flush("books")
    #expect(server.requests.count == 2 && shelf.segments.count == 1)
    #expect(server.requests.first?.body == server.requests.last?.body)
  }

  @Test func `an answer that comes too late counts as lost`() async throws {
    let shelf = Shelf()
    let server = try StandIn { request, number in
      let reply = shelf.take(request.body)
      return number == 0 ? .silence : reply
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url, patience: .milliseconds(500)))
    try await transport.store(Author().segment(1))
    try await transport.flush("books")
    #expect(shelf.segments.count == 1)
  }

  @Test func `a segment that is refused is named, and the others are stored`() async throws {
    let server = try StandIn { request, _ in
      let results = (0..<Self.count(request)).map { index in
        index == 1
          ? StoreResult(.refused, error: WireError(.forbidden, "a reader"))
          : StoreResult(.stored, cursor: UInt64(index))
      }
      return .json(["results": .array(results.map(\.json))])
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let author = Author(zone: "annas")
    for number in 1...3 { try await transport.store(author.segment(UInt64(number))) }
    let error = await failure { try await transport.flush("books") }
    #expect(error?.code == .remoteDenied && error?.code.exit == 77)
    #expect(error?.cause?.contains("annas/\(author.series) 2-2: a reader") == true)
    // What was not taken is on this device alone.
    #expect(error?.isSafe == false)
    // It is reported once; the next exchange starts without it.
    try await transport.flush("books")
  }

  @Test func `a segment of an erased zone is not a failure`() async throws {
    let server = try StandIn { _, _ in .json(["results": [StoreResult(.erased).json]]) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    try await transport.store(Author(zone: "gone").segment(1))
    try await transport.flush("books")
    // Nothing is sent that would create the zone again.
    #expect(server.requests.map(\.method) == ["POST"])
  }

  @Test func `a full account is 73 and a full disk of the server 69`() async throws {
    for (code, expected): (WireError.Code, SyncError.Code) in [
      (.quota, .remoteQuota), (.unavailable, .remoteUnavailable),
    ] {
      let server = try StandIn { _, _ in .refusal(code) }
      let transport = try HTTPTransport(.test(server.url))
      try await transport.store(Author().segment(1))
      let error = await failure { try await transport.flush("books") }
      server.stop()
      #expect(error?.code == expected, "It was \(String(describing: error)).")
    }
  }

  static let broken: [(String, JSON)] = [
    ("fewer results than segments", ["results": []]),
    ("no results", [:]),
    ("a result of another kind", ["results": [["status": "perhaps"]]]),
  ]

  @Test(arguments: broken)
  func `an answer that does not account for every segment is broken`(
    _ name: String, _ answer: JSON
  ) async throws {
    let server = try StandIn { _, _ in .json(answer) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    try await transport.store(Author().segment(1))
    let error = await failure { try await transport.flush("books") }
    #expect(error?.code == .remoteProtocol, "\(name): \(String(describing: error))")
  }

  @Test func `what a run that broke off has left is not sent by the next one`() async throws {
    let server = try StandIn { request, _ in
      request.method == "GET" ? .json(["roots": []]) : .answer(204)
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    try await transport.store(Author(zone: "private-by-now").segment(1))
    _ = try await transport.attach(
      RemoteIdentity(vault: [], isKnown: false, newVault: ""), domain: "books")
    try await transport.flush("books")
    #expect(server.requests.allSatisfy { $0.method != "POST" })
  }

  @Test func `erasing says which replicas have removed the zone`() async throws {
    let server = try StandIn { _, _ in .answer(204) }
    defer { server.stop() }
    let said = Confirmations([ReplicaID(high: 1, low: 2): VersionVector()])
    try await HTTPTransport(.test(server.url)).erase("a/b", of: "books", confirmedBy: said)
    let request = try #require(server.requests.first)
    #expect(request.method == "PUT" && request.path == "/v1/domains/books/zones/a%2Fb/erasure")
    let sent = try #require(request.json?["confirmations"])
    #expect(try ErasureConfirmations(json: sent).confirmations == said)
  }
}
