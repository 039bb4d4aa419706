import Synchronization
import Testing

@testable import SyncKitServer

/// What becomes of requests while the server stops.
struct GracefulStopTests {
  @Test func `an answer under way is given to its end, and the connection closes`() async throws {
    try await ShellServer.run { server in
      let client = try RawClient(port: server.port)
      await client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
      while server.metrics.reading.bytesReceived == 0 { await Task.yield() }
      await server.beginStop()
      let reading = await client.read()
      #expect(reading.body == "slow" && reading.isClosed, "\(reading.text)")
    }
  }

  @Test func `a large answer is given to its last byte`() async throws {
    try await ShellServer.run { server in
      let client = try RawClient(port: server.port)
      await client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let first = await client.read(until: "aaaa")
      await server.beginStop()
      let rest = await client.read(slowly: true)
      #expect(rest.isClosed)
      let count = first.body.utf8.count + rest.bytes.count
      #expect(count == ShellServer.largeCount, "\(count) bytes of \(ShellServer.largeCount)")
    }
  }

  @Test func `a stream of events ends as a whole`() async throws {
    try await ShellServer.run { server in
      let client = try RawClient(port: server.port)
      await client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = await client.read(until: "ready")
      await server.beginStop()
      let rest = await client.read()
      #expect(rest.isClosed && rest.text.hasSuffix("0\r\n\r\n"), "\(rest.text)")
    }
  }

  @Test func `a connection without a request is closed at once`() async throws {
    try await ShellServer.run { server in
      let client = try RawClient(port: server.port)
      await client.send("GET /name/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = await client.read(until: "\r\n\r\na")
      await server.beginStop()
      let rest = await client.read()
      #expect(rest.isClosed && rest.bytes.isEmpty, "\(rest.text)")
    }
  }

  @Test func `no new client gets in`() async throws {
    // Another test's server may take the port at once; not each time.
    for _ in 0..<3 {
      let isRefused = Mutex(false)
      try await ShellServer.run { server in
        let port = server.port
        await server.stop()
        isRefused.withLock { $0 = (try? RawClient(port: port)) == nil }
      }
      if isRefused.withLock({ $0 }) { return }
    }
    Issue.record("the port stays open")
  }
}
