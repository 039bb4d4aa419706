import SyncKitHTTP
import LoopbackServer
import SyncKit
import Testing

/// What every network promises: requests as they are said, answers in parts, and an end when it is asked for.
@Suite(.overEveryNetwork) struct CarrierTests {
  private static func carrier(_ server: StandIn) throws -> any RequestCarrier {
    let access = try ServerAccess.test(server.url)
    return try access.carrier(access)
  }

  private static func get(_ path: String = "/") -> CarriedRequest {
    CarriedRequest(method: "GET", path: path, headers: [("X-A", "b")])
  }

  @Test func `a request arrives as it was said, with nothing added that says something`()
    async throws
  {
    let server = try StandIn { _, _ in .answer(204) }
    defer { server.stop() }
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var request = CarriedRequest(
      method: "PUT", path: "/a%2Fb/../c?d=e%20f", headers: [("X-A", "b")],
      body: body)
    #expect(try await Self.carrier(server).carry(request).status == 204)
    request.method = "DELETE"
    request.body = []
    #expect(try await Self.carrier(server).carry(request).status == 204)
    let seen = server.requests
    #expect(seen.map(\.method) == ["PUT", "DELETE"])
    #expect(seen.map(\.path) == ["/a%2Fb/../c?d=e%20f", "/a%2Fb/../c?d=e%20f"])
    #expect(seen.first?.body == body && seen.last?.body == [])
    for request in seen {
      #expect(request.headers["x-a"] == "b")
      for name in ["accept", "user-agent", "expect", "content-type"] {
        #expect(request.headers[name] == nil)
      }
    }
  }

  @Test func `a long answer comes in parts, also to a slow reader`() async throws {
    let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let server = try StandIn { _, _ in .answer(200, ["X-B": "c"], body) }
    defer { server.stop() }
    let carrier = try Self.carrier(server)
    defer { withExtendedLifetime(carrier) {} }
    let answer = try await carrier.carry(Self.get())
    #expect(answer.first("x-b") == "c")
    var (whole, parts): ([UInt8], Int) = ([], 0)
    for try await part in answer.body {
      if parts == 0 { try await Task.sleep(for: .milliseconds(50)) }
      whole += part
      parts += 1
    }
    #expect(whole == body && parts > 1)
  }

  @Test func `a task that was cancelled before waits for nothing`() async throws {
    let server = try StandIn { _, _ in .silence }
    defer { server.stop() }
    let carrier = try Self.carrier(server)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await carrier.carry(Self.get())
    }
    await #expect(throws: (any Error).self) { try await task.value }
  }

  @Test func `a task that is cancelled while it waits waits no longer`() async throws {
    let server = try StandIn { _, _ in .silence }
    defer { server.stop() }
    let carrier = try Self.carrier(server)
    let task = Task { _ = try await carrier.carry(Self.get()) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
  }

  @Test func `a head without an end is not HTTP`() async throws {
    let server = try StandIn { _, _ in
      var reply = StandIn.Reply.hangUp
      reply.bytes = Array("HTTP/1.1 200 OK\r\n".utf8)
      for number in 0..<20_000 { reply.bytes += Array("X-\(number): \(number)\r\n".utf8) }
      return reply
    }
    defer { server.stop() }
    let error = await #expect(throws: CarrierFailure.self) {
      _ = try await Self.carrier(server).carry(Self.get())
    }
    #expect(error == .notHTTP)
  }
}
