import SyncKitFormats
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

/// Many large bodies at once, which must not take more memory than the server gives them.
struct LargeBodyTests {
  private static let megabyte = 1 << 20

  /// A request that stores a segment, cut in two within its body.
  private static func upload(
    _ segment: Segment, _ token: String
  ) -> (begin: [UInt8], end: [UInt8]) {
    var body: [UInt8] = []
    SegmentFrames.append(segment.bytes, to: &body)
    let head =
      "POST /v1/domains/\(TestSegments.domain)/segments HTTP/1.1\r\nHost: localhost\r\n"
      + "Authorization: Bearer \(token)\r\nContent-Type: \(WireProtocol.segments)\r\n"
      + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let cut = body.count - 10
    return (Array(head.utf8) + body[..<cut], Array(body[cut...]))
  }

  /// Waits until the server holds at least that many bytes.
  private static func wait(
    for bytes: ClosedRange<Int>, _ server: TestServer
  ) async throws {
    for _ in 0..<2_000 where !bytes.contains(server.state.bodies.held) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(bytes.contains(server.state.bodies.held), "it holds \(server.state.bodies.held)")
  }

  @Test func `a request that does not fit is told to try again, and the others go on`() async throws
  {
    let bodies = BodyBudget(total: 5 * Self.megabyte, each: 3 * Self.megabyte)
    try await TestServer.run(bodies: bodies) { server in
      let port = try #require(server.base.split(separator: ":").last.flatMap { Int($0) })
      let people = try await [
        server.person("Ada"), server.person("Ben"), server.person("Cem"),
      ]
      var waiting: [(client: RawClient, end: [UInt8])] = []
      for (number, person) in people.prefix(2).enumerated() {
        let segment = try TestSegments(series: ReplicaID(high: 5, low: UInt64(number)))
          .noise(1, size: 2 * Self.megabyte)
        let (begin, end) = Self.upload(segment, person.token)
        let client = try RawClient(port: port)
        await client.send(begin)
        waiting.append((client, end))
        let held = (number + 1) * 2 * Self.megabyte
        try await Self.wait(for: (held - 1_000)...(held + 100_000), server)
      }
      // A third does not fit, nor does a second of one who has its share.
      for person in [people[2], people[0]] {
        let (begin, end) = Self.upload(
          try TestSegments(series: ReplicaID(high: 6, low: 6)).noise(1, size: 2 * Self.megabyte),
          person.token)
        let client = try RawClient(port: port)
        async let reading = client.read()
        await client.send(begin + end)
        let refusal = await reading
        #expect(refusal.status == 503, "\(refusal.text.prefix(200))")
        #expect(refusal.text.lowercased().contains("retry-after: 2"))
        #expect(try JSON(parsing: refusal.body)["error"]?["code"]?.string == "unavailable")
        #expect(bodies.held <= 5 * Self.megabyte)
      }
      // Small ones find room beside them.
      let small = try await server.push([TestSegments().segment(1)], people[2].token)
      #expect(small.map(\.status) == [.stored])
      for (client, end) in waiting {
        await client.send(end)
        let answer = await client.read()
        #expect(answer.status == 200, "\(answer.text.prefix(200))")
      }
      try await Self.wait(for: 0...0, server)
      let again = try await server.push(
        [TestSegments(series: ReplicaID(high: 6, low: 6)).noise(1, size: 2 * Self.megabyte)],
        people[2].token)
      #expect(again.map(\.status) == [.stored])
    }
  }

  @Test func `a client that announces much and sends nothing takes no room`() async throws {
    let bodies = BodyBudget(total: Self.megabyte, each: Self.megabyte)
    try await TestServer.run(bodies: bodies) { server in
      let port = try #require(server.base.split(separator: ":").last.flatMap { Int($0) })
      let ada = try await server.person("Ada")
      let clients = try (0..<20).map { _ in try RawClient(port: port) }
      for client in clients {
        // A body of 70 MiB of which one segment of as much is begun.
        await client.send(
          "POST /v1/domains/tests/segments HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(ada.token)\r\nContent-Type: \(WireProtocol.segments)\r\n"
            + "Content-Length: 73400320\r\n\r\n")
        await client.send([4, 0x5F, 0xFF, 0xFC, 1, 2, 3])
      }
      let results = try await server.push([TestSegments().noise(1, size: 500_000)], ada.token)
      #expect(results.map(\.status) == [.stored])
      #expect(bodies.held < 20_000, "it holds \(bodies.held)")
    }
  }

  @Test func `an answer counts until it is taken`() async throws {
    let bodies = BodyBudget(total: 24 * Self.megabyte, each: 16 * Self.megabyte)
    try await TestServer.run(bodies: bodies) { server in
      let port = try #require(server.base.split(separator: ":").last.flatMap { Int($0) })
      let ada = try await server.person("Ada")
      let stored = try await server.push(
        [TestSegments().noise(1, size: 12 * Self.megabyte)], ada.token)
      let cursor = try #require(stored.first?.cursor)
      try await Self.wait(for: 0...0, server)
      let request =
        "GET /v1/domains/tests/segments/\(cursor) HTTP/1.1\r\nHost: localhost\r\n"
        + "Authorization: Bearer \(ada.token)\r\nConnection: close\r\n\r\n"
      let slow = try RawClient(port: port)
      await slow.send(request)
      try await Self.wait(for: (12 * Self.megabyte)...(13 * Self.megabyte), server)
      let refused = try await RawClient.exchange(request, port: port)
      #expect(refused.status == 503, "\(refused.status)")
      let taken = await slow.read()
      #expect(taken.status == 200 && taken.bytes.count > 12 * Self.megabyte)
      try await Self.wait(for: 0...0, server)
      let next = try await RawClient.exchange(request, port: port)
      #expect(next.status == 200)
    }
  }

  @Test func `segments are found wherever a body is cut`() throws {
    let frames: [[UInt8]?] = [[1], nil, Array(repeating: 7, count: 300), [2, 3], nil]
    var bytes: [UInt8] = []
    for frame in frames { SegmentFrames.append(frame, to: &bytes) }
    for length in 1...bytes.count {
      var reader = SegmentFrameReader()
      for start in stride(from: 0, to: bytes.count, by: length) {
        try reader.add(bytes[start..<min(start + length, bytes.count)])
      }
      #expect(reader.count == 5)
      let found = try reader.finish()
      #expect(found == frames, "in pieces of \(length)")
    }
    for count in 1..<bytes.count {
      var reader = SegmentFrameReader()
      try reader.add(bytes[..<count])
      // Only between two segments a body may end.
      let ends = [5, 9, 313, 319]
      let isWhole = (try? reader.finish()) != nil
      #expect(isWhole == ends.contains(count), "after \(count)")
    }
  }
}
