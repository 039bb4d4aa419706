import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct EventTests {
  /// A stream of news as a client reads it; ends with the connection.
  private static func words(
    _ server: TestServer, _ token: String
  ) async throws -> AsyncThrowingStream<String, any Error> {
    var request = HTTPClientRequest(url: server.base + "/v1/events")
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    let response = try await server.client.execute(request, timeout: .seconds(60))
    guard response.status.code == 200,
      response.headers.first(name: "Content-Type") == WireProtocol.events
    else { throw TestFailure("the stream gave \(response.status.code)") }
    return AsyncThrowingStream { continuation in
      let task = Task {
        var text = ""
        do {
          for try await part in response.body {
            text += String(buffer: part)
            while let end = text.firstRange(of: "\n\n") {
              continuation.yield(String(text[..<end.lowerBound]))
              text = String(text[end.upperBound...])
            }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  @Test func `a device gets news of what the other one stores`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let stream = try await Self.words(server, ada.token)
      var words = stream.makeAsyncIterator()
      #expect(try await words.next() == "event: ready\ndata: {}")
      _ = try await server.push([try TestSegments().segment(1)], ada.token)
      #expect(try await words.next() == "event: news\nid: 1\ndata: {\"domain\":\"tests\"}")
    }
  }

  @Test func `a guest gets news of the zone it takes part in, and others get none`() async throws {
    try await TestServer.run { server in
      let owner = try await server.person("Owner")
      let guest = try await server.person("Guest")
      let other = try await server.person("Other")
      _ = try await server.push([try TestSegments(zone: "bike").segment(1)], owner.token)
      var heard = try await Self.words(server, guest.token).makeAsyncIterator()
      var silent = try await Self.words(server, other.token).makeAsyncIterator()
      _ = try await heard.next()
      _ = try await silent.next()
      try await server.share("bike", of: owner, with: guest, as: .reader)
      #expect(try await heard.next()?.hasPrefix("event: news") == true, "of the grant")
      _ = try await server.push([try TestSegments(zone: "bike").segment(2)], owner.token)
      #expect(try await heard.next()?.hasPrefix("event: news") == true, "of the segment")
      // The first thing that the other one hears is its own.
      let mine = try TestSegments(domain: "mine").segment(1)
      _ = try await server.push([mine], other.token, domain: "mine")
      #expect(try await silent.next()?.contains("\"mine\"") == true)
    }
  }

  @Test func `a stream ends when its token does`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let code = try PairingCode(json: try await server.ask("POST", "/v1/pairings", ada.token))
      let phone = try await server.join(code.code, "phone")
      let narrow = try await server.token(.read, of: ada)
      var device = try await Self.words(server, phone.token).makeAsyncIterator()
      var program = try await Self.words(server, narrow).makeAsyncIterator()
      _ = try await device.next()
      _ = try await program.next()
      _ = try await server.ask("DELETE", "/v1/devices/phone", ada.token)
      #expect(try await device.next() == nil)
      // By another process than the one that serves.
      let id = try #require(TokenText(narrow)).id
      try await server.administration.revoke(token: id)
      #expect(try await program.next() == nil)
    }
  }

  @Test func `all streams end when the server does, and no new one begins`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      var words = try await Self.words(server, ada.token).makeAsyncIterator()
      _ = try await words.next()
      server.state.news.close()
      #expect(try await words.next() == nil)
      #expect(try await server.get("/v1/events", ada.token).status == 503)
    }
  }

  @Test func `a client that goes away is forgotten`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let client = HTTPClient()
      var request = HTTPClientRequest(url: server.base + "/v1/events")
      request.headers.add(name: "Authorization", value: "Bearer \(ada.token)")
      let response = try await client.execute(request, timeout: .seconds(60))
      for try await _ in response.body { break }
      #expect(server.state.news.count == 1)
      try await client.shutdown()
      for _ in 0..<3_000 where server.state.news.count > 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(server.state.news.count == 0)
    }
  }

  @Test func `a slow listener has one word a domain waiting`() async throws {
    try await TestServer.run { server in
      let identity = Identity(
        account: "a", accountName: "A", device: nil, token: "t", scope: .read, expires: nil)
      let listener = try #require(server.state.news.listen(identity))
      for _ in 0..<100 {
        listener.tell("one")
        listener.tell("two")
      }
      #expect(await listener.next() == .news(["one", "two"], id: 1))
      listener.beat()
      #expect(await listener.next() == .beat)
      server.state.news.leave(listener)
      #expect(await listener.next() == nil)
    }
  }
}
