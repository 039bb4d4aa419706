import SyncKitFormats
import Testing

@testable import SyncKitServer

/// Requests that two readers could understand in two ways, or that are none.
struct MalformedRequestTests {
  /// A request, and what is wrong with it.
  struct Wrong: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String

    init(_ what: String, _ text: String) {
      testDescription = what
      self.text = text
    }
  }

  static let wrong = [
    Wrong(
      "two lengths of two kinds",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    Wrong(
      "two lengths",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde"
    ),
    Wrong(
      "one length twice",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd"
    ),
    Wrong(
      "a length that is a list",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4, 4\r\n\r\nabcd"),
    Wrong(
      "a length with a sign",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: +4\r\n\r\nabcd"),
    Wrong(
      "a coding that is not the last word",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"
    ),
    Wrong(
      "an unknown coding",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    Wrong("lines that end in a line feed", "GET /who HTTP/1.1\nHost: localhost\n\n"),
    Wrong("a line feed among the fields", "GET /who HTTP/1.1\r\nHost: localhost\nA: b\r\n\r\n"),
    Wrong("a carriage return alone", "GET /who HTTP/1.1\r\nHost: localhost\rA: b\r\n\r\n"),
    Wrong("a folded field", "GET /who HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n"),
    Wrong("a space before a colon", "GET /who HTTP/1.1\r\nHost : localhost\r\n\r\n"),
    Wrong("a zero byte in the path", "GET /name/a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("an escaped zero byte", "GET /name/a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("a broken escape", "GET /name/a%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("an escape that ends", "GET /name/a%4 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("a zero byte in a field", "GET /who HTTP/1.1\r\nHost: localhost\r\nA: b\0\r\n\r\n"),
    Wrong("a raw letter beyond ASCII", "GET /name/é HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("an absolute target", "GET http://localhost/who HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("a target that is a star", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("no target", "GET  HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Wrong("no host", "GET /who HTTP/1.1\r\n\r\n"),
    Wrong("two hosts", "GET /who HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
    Wrong("a user before the host", "GET /who HTTP/1.1\r\nHost: a@localhost\r\n\r\n"),
    Wrong("another version", "GET /who HTTP/2.0\r\nHost: localhost\r\n\r\n"),
    Wrong("the old version", "GET /who\r\n\r\n"),
    Wrong("the first bytes of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Wrong("the first bytes of TLS", "\u{16}\u{03}\u{01}\0\u{05}hello\r\n\r\n"),
    Wrong(
      "a chunk without a number",
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"
    ),
    Wrong(
      "a head that is too large",
      "GET /who HTTP/1.1\r\nHost: localhost\r\nA: \(String(repeating: "a", count: 40_000))\r\n\r\n"),
    Wrong(
      "too many fields",
      "GET /who HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "A: b\r\n", count: 200))\r\n"),
  ]

  @Test func `each is refused, and its connection is closed`() async throws {
    try await ShellServer.run { server in
      for wrong in Self.wrong {
        let reading = try await RawClient.exchange(wrong.text, port: server.port)
        #expect(reading.status == 400, "\(wrong.testDescription): \(reading.text)")
        #expect(reading.isClosed, "\(wrong.testDescription): the connection stays open")
        #expect(
          reading.text.contains("\r\nCloudsync-Protocol: 1\r\n"), "\(wrong.testDescription)")
        let body = try? JSON(parsing: reading.body)
        #expect(body?["error"]?["code"]?.string == "bad-request", "\(wrong.testDescription)")
      }
      let after = try await RawClient.exchange(
        "GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: server.port)
      #expect(after.status == 200 && after.body == "127.0.0.1", "\(after.text)")
    }
  }

  @Test func `an unknown method is refused`() async throws {
    try await ShellServer.run { server in
      for method in ["TRACE", "BREW", "CONNECT"] {
        let reading = try await RawClient.exchange(
          "\(method) /who HTTP/1.1\r\nHost: localhost\r\n\r\n", port: server.port)
        #expect([400, 405].contains(reading.status), "\(method): \(reading.text)")
        #expect(reading.isClosed, "\(method): the connection stays open")
      }
    }
  }

  @Test func `a request that is smuggled in a refused body is never answered`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange(
        """
        POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n\
        0\r\n\r\nGET /who HTTP/1.1\r\nHost: localhost\r\n\r\n
        """, port: server.port)
      #expect(reading.text.split(separator: "HTTP/1.1 ").count == 1, "\(reading.text)")
    }
  }

  @Test func `what was asked before a malformed request is answered first`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange(
        "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\nBROKEN\r\n\r\n", port: server.port)
      let statuses = reading.text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == ["200", "400"], "\(reading.text)")
      #expect(reading.isClosed)
    }
  }

  @Test func `several requests in one piece are answered in their order`() async throws {
    try await ShellServer.run { server in
      func ask(_ name: String, _ field: String) -> String {
        "GET /name/\(name) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n"
      }
      let reading = try await RawClient.exchange(
        ask("one", "") + ask("two", "") + ask("three", "Connection: close\r\n"), port: server.port)
      let answers = reading.text.split(separator: "HTTP/1.1 ").map {
        $0.split(separator: "\r\n").last
      }
      #expect(answers == ["one", "two", "three"], "\(reading.text)")
    }
  }

  @Test func `an offer to change the protocol is passed over`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange(
        """
        GET /name/a HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\
        Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n
        """, port: server.port)
      #expect(reading.status == 200 && reading.body == "a", "\(reading.text)")
    }
  }

  @Test func `a client of HTTP 1.0 gets its answer and the end of the connection`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange("GET /name/a HTTP/1.0\r\n\r\n", port: server.port)
      #expect(reading.text.hasSuffix("\r\n\r\na") && reading.isClosed, "\(reading.text)")
    }
  }

  @Test func `a client that expects to be told to continue is told`() async throws {
    try await ShellServer.run { server in
      let client = try RawClient(port: server.port)
      await client.send(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nExpect: 100-continue\r\n"
          + "Connection: close\r\n\r\n")
      let first = await client.read(until: "\r\n\r\n")
      #expect(first.status == 100, "\(first.text)")
      await client.send("abcd")
      let second = await client.read()
      #expect(second.status == 200 && second.body == "abcd", "\(second.text)")
    }
  }
}
