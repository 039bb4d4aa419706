import Testing

@testable import SyncKitServer

/// Clients that take their time, by accident or not.
struct SlowClientTests {
  private let quick = ShellServer.settings { settings in
    settings.limits.head = .milliseconds(300)
    settings.limits.idle = .milliseconds(300)
    settings.limits.bodyGrace = .milliseconds(300)
    settings.limits.minimumRate = 1 << 20
    settings.limits.stall = .milliseconds(400)
    settings.limits.linger = .milliseconds(200)
  }

  @Test func `a silent one is told so and dropped`() async throws {
    try await ShellServer.run(quick) { server in
      let reading = await (try RawClient(port: server.port)).read()
      #expect(reading.status == 408 && reading.isClosed, "\(reading.text)")
    }
  }

  @Test func `one that sends its head in crumbs is dropped`() async throws {
    try await ShellServer.run(quick) { server in
      let client = try RawClient(port: server.port)
      let crumbs = Task {
        for letter in "GET /who HTTP/1.1\r\nHost: localhost\r\nX: " {
          await client.send(String(letter))
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
      let reading = await client.read()
      #expect(reading.status == 408 && reading.isClosed, "\(reading.text)")
      crumbs.cancel()
      await crumbs.value
      #expect(server.metrics.reading.refused["slow-request"] == 1)
    }
  }

  @Test func `one that sends its body in crumbs is dropped`() async throws {
    try await ShellServer.run(quick) { server in
      let client = try RawClient(port: server.port)
      await client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
      let crumbs = Task {
        for _ in 0..<40 where !Task.isCancelled {
          await client.send("a")
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
      let reading = await client.read()
      #expect(reading.status == 408 && reading.isClosed, "\(reading.text)")
      crumbs.cancel()
      await crumbs.value
    }
  }

  @Test func `one that keeps a connection for nothing is let go`() async throws {
    try await ShellServer.run(quick) { server in
      let client = try RawClient(port: server.port)
      await client.send("GET /name/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let reading = await client.read()
      #expect(reading.status == 200 && reading.isClosed, "\(reading.text)")
    }
  }

  @Test func `one that does not take its answer is let go, and others are served`() async throws {
    try await ShellServer.run(quick) { server in
      let lazy = try RawClient(port: server.port)
      await lazy.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      for _ in 0..<20 {
        let reading = try await RawClient.exchange(
          "GET /name/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
          port: server.port)
        #expect(reading.body == "a", "\(reading.text)")
      }
      for _ in 0..<1_000 where server.metrics.reading.refused["slow-reader"] == nil {
        try await Task.sleep(for: .milliseconds(20))
      }
      let reading = await lazy.read()
      #expect(reading.isClosed && reading.bytes.count < ShellServer.largeCount)
    }
  }

  @Test func `an answer that takes long is not the client's fault`() async throws {
    try await ShellServer.run(quick) { server in
      let reading = try await RawClient.exchange(
        "GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: server.port)
      #expect(reading.body == "slow", "\(reading.text)")
    }
  }

  @Test func `a stream of events is not over because its client says nothing`() async throws {
    try await ShellServer.run(quick) { server in
      let client = try RawClient(port: server.port)
      await client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      // Longer than any of the limits.
      let comments = String(repeating: "3\r\n:\n\n\r\n", count: 20)
      let reading = await client.read(until: comments)
      #expect(!reading.isClosed && reading.status == 200, "\(reading.text)")
      #expect(server.metrics.reading.eventStreams == 1)
    }
  }

  @Test func `a hundred that dribble do not keep others waiting`() async throws {
    try await ShellServer.run(
      ShellServer.settings { $0.limits.head = .seconds(5) }
    ) { server in
      var slow: [RawClient] = []
      for _ in 0..<100 {
        let client = try RawClient(port: server.port)
        await client.send("GET /who HTTP/1.1\r\n")
        slow.append(client)
      }
      for index in 0..<50 {
        let reading = try await RawClient.exchange(
          "GET /name/\(index) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
          port: server.port)
        #expect(reading.body == "\(index)", "\(reading.text)")
      }
      withExtendedLifetime(slow) {}
    }
  }
}
