import SyncKitFormats
import SegmentFormat
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

/// Segments whose head and checksum are in order, and that no device can read.
@Suite struct UnreadableSegmentTests {
  /// A segment whose changes lead to another hash than its head says, large as a bomb or small.
  private func unreadable(_ first: UInt64, size: Int = 100) throws -> Segment {
    let info = SegmentInfo(
      domain: TestSegments.domain, zone: .home, series: ReplicaID(high: 66, low: 6), first: first,
      last: first, previous: ContentHash(high: 1, low: 1), head: ContentHash(high: first, low: 2),
      base: VersionVector(), operations: 1, deletions: 0, newest: first)
    return try DeflateSegmentCoding().segment(info, changes: [[UInt8](repeating: 0, count: size)])
  }

  @Test func `a check names the account and the device that stored it, and a host removes it`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let token = try await server.made(ada.token, "program", "sync")
      let id = try #require(TokenText(token)).id
      _ = try await server.push([TestSegments().segment(1)], ada.token)
      let bad = try await server.push([unreadable(1, size: 40 << 20)], ada.token)
      let worse = try await server.push([unreadable(2)], token)
      #expect((bad + worse).map(\.status) == [.stored, .stored])
      let findings = try await server.administration.check()
      #expect(findings.segments == 3 && findings.other.isEmpty)
      #expect(findings.damaged.map(\.cursor) == (bad + worse).compactMap(\.cursor))
      #expect(findings.damaged.map(\.account) == ["Ada", "Ada"])
      #expect(findings.damaged.map(\.device) == ["A device", "A device"])
      #expect(findings.damaged.map(\.token) == [nil, id])
      #expect(findings.problems.last?.contains("the token \(id) that 'A device' made") == true)
      #expect(try await server.administration.clear(findings.damaged) == 2)
      let notes = try await server.administration.notes(limit: 2)
      #expect(notes.map(\.action) == ["segment.clear", "segment.clear"])
      #expect(notes.map(\.account?.name) == ["Ada", "Ada"])
      #expect(try await server.administration.check().problems.isEmpty)
      #expect(try await server.feed(ada.token).segments.count == 1)
    }
  }

  @Test func `an owner removes what no device can read, and nothing else`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let ben = try await server.person("Ben")
      let good = try await server.push([TestSegments().segment(1)], ada.token)
      let bad = try await server.push([unreadable(1), unreadable(2)], ada.token)
      let cursors = (good + bad).compactMap(\.cursor)
      func clear(_ token: String) async throws -> [Int64] {
        let answer = try await server.ask(
          "POST", "/v1/domains/tests/segments/clear", token,
          ["cursors": .array(cursors.map { .int(Int64($0)) } + [99])])
        return answer["cursors"]?.array?.compactMap(\.int) ?? []
      }
      #expect(try await clear(ben.token).isEmpty)
      #expect(try await server.feed(ada.token).segments.count == 3)
      #expect(try await clear(ada.token) == bad.compactMap { $0.cursor.map { Int64($0) } })
      #expect(try await clear(ada.token).isEmpty)
      #expect(try await server.feed(ada.token).segments.map(\.cursor) == good.compactMap(\.cursor))
      let state = try AccountState(json: try await server.ask("GET", "/v1/account", ada.token))
      #expect(state.usedBytes == Int64(try TestSegments().segment(1).bytes.count))
      #expect(try await server.administration.check().problems.isEmpty)
      // What was in the way can be stored again.
      let again = try await server.push([unreadable(1)], ada.token)
      #expect(again.map(\.status) == [.stored])
    }
  }
}
