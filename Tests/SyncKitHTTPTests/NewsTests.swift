import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// What a transport hears of a server.
@Suite(.overEveryNetwork) struct NewsTests {
  private static func stream(_ text: String, holds: Bool = false) -> StandIn.Reply {
    var reply = StandIn.Reply.answer(
      200, ["Content-Type": WireProtocol.events, "Content-Length": ""], Array(text.utf8))
    reply.holds = holds
    return reply
  }

  private static func heard(
    _ url: String, patience: Duration = .seconds(20)
  ) async -> (news: [RemoteNews], error: SyncError?) {
    var news: [RemoteNews] = []
    do {
      for try await one in try HTTPTransport(.test(url, patience: patience)).news() {
        news.append(one)
      }
      return (news, nil)
    } catch {
      return (news, error as? SyncError)
    }
  }

  @Test func `news come as the server tells them`() async throws {
    let server = try StandIn { _, _ in
      Self.stream(
        """
        : hello
        event: ready
        data: {}

        event: news
        id: 4
        data: {"domain": "books"}

        : still here

        event: something-newer
        data: 1

        event: news
        data: {"domain":
        data:  "films"}


        """)
    }
    defer { server.stop() }
    let (news, _) = await Self.heard(server.url)
    #expect(news.map(\.domain) == [nil, "books", "films"])
    #expect(server.requests.first?.headers["accept"] == WireProtocol.events)
    #expect(server.requests.first?.path == "/v1/events")
  }

  @Test func `a stream that falls silent has ended`() async throws {
    let server = try StandIn { _, _ in Self.stream("event: ready\ndata:\n\n", holds: true) }
    defer { server.stop() }
    let (news, error) = await Self.heard(server.url, patience: .milliseconds(300))
    #expect(news.count == 1)
    #expect(error?.code == .remoteUnavailable, "It was \(String(describing: error)).")
  }

  @Test func `a revoked token ends the listening`() async throws {
    let server = try StandIn { _, _ in .refusal(.unauthenticated) }
    defer { server.stop() }
    let (news, error) = await Self.heard(server.url)
    #expect(news.count == 0 && error?.code == .remoteSignedOut)
    #expect(server.requests.count == 1)
  }

  static let broken: [(String, String)] = [
    ("news of nothing", "event: news\ndata: {}\n\n"),
    ("news that are no JSON", "event: news\ndata: books\n\n"),
    ("a line without an end", "data: " + String(repeating: "x", count: 200_000)),
    (
      "an event without an end",
      String(repeating: "data: " + String(repeating: "x", count: 1_000) + "\n", count: 100)
    ),
  ]

  @Test(arguments: broken)
  func `a stream that breaks the protocol is given up`(_ name: String, _ text: String) async throws
  {
    let server = try StandIn { _, _ in Self.stream(text) }
    defer { server.stop() }
    let (_, error) = await Self.heard(server.url)
    #expect(error?.code == .remoteProtocol, "\(name): \(String(describing: error))")
  }

  @Test func `a listener that does not take the news is cut off, not fed from memory`() async throws
  {
    let flood = String(repeating: "event: news\ndata: {\"domain\":\"books\"}\n\n", count: 10_000)
    let server = try StandIn { _, _ in Self.stream(flood) }
    defer { server.stop() }
    let stream = try HTTPTransport(.test(server.url)).news()
    while server.requests.isEmpty { await Task.yield() }
    var count = 0
    do { for try await _ in stream { count += 1 } } catch {}
    #expect(count <= 10_000)
  }
}

/// A network of one's own: it answers every request with a stream of news in small parts.
private struct Whisper: RequestCarrier {
  let text: String

  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    let parts = AsyncThrowingStream<[UInt8], any Error> { continuation in
      for byte in text.utf8 { continuation.yield([byte]) }
      continuation.finish(throwing: CarrierFailure.unreachable("it rains", wasSent: true))
    }
    return CarriedAnswer(
      status: 200,
      headers: [
        (WireProtocol.header.lowercased(), "\(WireProtocol.version)"),
        ("content-type", WireProtocol.events),
      ], parts: parts)
  }
}

extension NewsTests {
  @Test func `news come over any carrier, byte by byte, until it breaks`() async throws {
    var access = try ServerAccess.test("https://sync.example.org")
    access.carrier = { _ in Whisper(text: "event: news\ndata: {\"domain\": \"books\"}\n\n") }
    var domains: [String?] = []
    let error = await #expect(throws: SyncError.self) {
      for try await news in try HTTPTransport(access).news() { domains.append(news.domain) }
    }
    #expect(domains == ["books"])
    #expect(error?.code == .remoteUnavailable)
    #expect(error?.cause == "it rains")
  }
}
