import SyncKitFormats
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct QuotaTests {
  @Test func `what does not fit is refused whole, and taking back makes room`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let made = TestSegments(zone: "list")
      let segments = try [made.segment(1), made.segment(2), made.segment(3)]
      try await server.administration.setQuota(
        of: ada.account.id, maximumBytes: Int64(segments[0].bytes.count * 2), maximumRecords: nil)
      var bytes: [UInt8] = []
      for segment in segments { SegmentFrames.append(segment.bytes, to: &bytes) }
      let refused = try await server.send(
        "POST", "/v1/domains/tests/segments", token: ada.token, body: bytes,
        type: WireProtocol.segments)
      #expect(refused.status == 507)
      #expect(refused.error == "quota")
      #expect(try await server.feed(ada.token).segments.count == 0)
      let two = try await server.push(Array(segments[..<2]), ada.token)
      #expect(two.map(\.status) == [.stored, .stored])
      _ = try await server.ask(
        "PUT", "/v1/domains/tests/zones/list/erasure", ada.token, ["confirmations": []])
      let state = try AccountState(json: try await server.ask("GET", "/v1/account", ada.token))
      #expect(state.usedBytes == 0)
      #expect(state.usedRecords == 0)
      let more = try await server.push([try TestSegments(zone: "other").segment(1)], ada.token)
      #expect(more.map(\.status) == [.stored])
    }
  }

  @Test func `records count too, and what is known costs nothing again`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      try await server.administration.setQuota(
        of: ada.account.id, maximumBytes: nil, maximumRecords: 10)
      let segment = try TestSegments().segment(1, count: 10)
      for _ in 0..<3 { _ = try await server.push([segment], ada.token) }
      let state = try AccountState(json: try await server.ask("GET", "/v1/account", ada.token))
      #expect(state.usedRecords == 10)
      #expect(state.maximumRecords == 10)
      #expect(state.maximumBytes == nil)
      await #expect(throws: TestFailure.self) {
        try await server.push([try TestSegments().segment(11)], ada.token)
      }
    }
  }

  @Test func `a guest fills the owner's room and meets its end`() async throws {
    try await TestServer.run { server in
      let owner = try await server.person("Owner")
      let guest = try await server.person("Guest")
      _ = try await server.push([try TestSegments(zone: "bike").segment(1)], owner.token)
      try await server.share("bike", of: owner, with: guest, as: .writer)
      try await server.administration.setQuota(
        of: owner.account.id, maximumBytes: nil, maximumRecords: 2)
      let made = TestSegments(zone: "bike", series: ReplicaID(high: 9, low: 9))
      let first = try await server.push([try made.segment(1)], guest.token)
      #expect(first.map(\.status) == [.stored])
      await #expect(throws: TestFailure.self) {
        try await server.push([try made.segment(2)], guest.token)
      }
    }
  }
}
