import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// How a transport reads what a server numbers.
@Suite(.overEveryNetwork) struct FeedTests {
  private static func page(
    _ segments: ArraySlice<FeedEntry>, epoch: String = "e1", continues: Bool, more: Bool
  ) -> JSON {
    FeedPage(
      epoch: epoch, cursor: segments.last?.cursor ?? 0, isContinuation: continues, hasMore: more,
      segments: Array(segments), erased: [:], access: [:]
    ).json
  }

  private static func entries(_ numbers: ClosedRange<UInt64>) throws -> [FeedEntry] {
    let author = Author()
    return try numbers.map { FeedEntry(try author.segment($0).segment, cursor: $0) }
  }

  @Test func `a feed of several pages is one inventory`() async throws {
    let all = try Self.entries(1...7)
    let server = try StandIn { _, number in
      .json(
        Self.page(
          all[(number * 3)..<min(number * 3 + 3, 7)], continues: number > 0, more: number < 2))
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(of: "my books")
    #expect(inventory.segments.map(\.first) == [1, 2, 3, 4, 5, 6, 7])
    #expect(inventory.position == FeedPosition(epoch: "e1", cursor: 7))
    #expect(!inventory.isContinuation)
    #expect(
      server.requests.map(\.path) == [
        "/v1/domains/my%20books/feed?limit=5000",
        "/v1/domains/my%20books/feed?limit=5000&epoch=e1&after=3",
        "/v1/domains/my%20books/feed?limit=5000&epoch=e1&after=6",
      ])
  }

  @Test func `a page that ends within a place is gone on with from there`() async throws {
    let all = try Self.entries(1...5)
    let server = try StandIn { _, number in
      let part = all[(number * 2)..<min(number * 2 + 2, 5)]
      let page = FeedPage(
        epoch: "e1", cursor: number < 2 ? 7 : 9, isContinuation: number > 0, hasMore: number < 2,
        segments: Array(part), erased: [:], access: [:], inside: number < 2 ? "9-\(number)" : nil)
      return .json(page.json)
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    #expect(inventory.segments.map(\.first) == [1, 2, 3, 4, 5])
    #expect(inventory.position == FeedPosition(epoch: "e1", cursor: 9))
    #expect(
      server.requests.map(\.path) == [
        "/v1/domains/books/feed?limit=5000",
        "/v1/domains/books/feed?limit=5000&epoch=e1&after=7&inside=9-0",
        "/v1/domains/books/feed?limit=5000&epoch=e1&after=7&inside=9-1",
      ])
  }

  @Test func `a feed that stays within one place for ever is broken`() async throws {
    let server = try StandIn { _, number in
      let page = FeedPage(
        epoch: "e1", cursor: 7, isContinuation: number > 0, hasMore: true, segments: [],
        erased: [:], access: [:], inside: "9-\(number)")
      return .json(page.json)
    }
    defer { server.stop() }
    await #expect(throws: SyncError.self) {
      try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
  }

  @Test func `what has arrived since a position is listed as its continuation`() async throws {
    let all = try Self.entries(8...9)
    let server = try StandIn { _, _ in .json(Self.page(all[...], continues: true, more: false)) }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(
      of: "books", since: FeedPosition(epoch: "e1", cursor: 7))
    #expect(inventory.segments.count == 2 && inventory.isContinuation)
    #expect(server.requests.first?.path.hasSuffix("epoch=e1&after=7") == true)
  }

  @Test func `a position of another life of the server leads to all that is there`() async throws {
    let all = try Self.entries(1...2)
    let server = try StandIn { _, _ in
      .json(Self.page(all[...], epoch: "e2", continues: false, more: false))
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(
      of: "books", since: FeedPosition(epoch: "e1", cursor: 700))
    #expect(inventory.segments.count == 2 && !inventory.isContinuation)
    #expect(inventory.position == FeedPosition(epoch: "e2", cursor: 2))
  }

  @Test func `a server that is restored while it is read is read from the start`() async throws {
    let all = try Self.entries(1...4)
    let server = try StandIn { _, number in
      switch number {
      case 0: .json(Self.page(all[..<2], continues: false, more: true))
      case 1: .json(Self.page(all[..<1], epoch: "e2", continues: false, more: false))
      default: .json(Self.page(all[..<3], epoch: "e2", continues: false, more: false))
      }
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    #expect(inventory.segments.map(\.first) == [1, 2, 3])
    #expect(inventory.position?.epoch == "e2")
  }

  @Test func `erased zones and parts in zones are told`() async throws {
    let replica = ReplicaID(high: 1, low: 2)
    let said = Confirmations([replica: VersionVector()])
    let part = ZoneAccess(role: .reader, owner: "Anna", participants: 2)
    let page = FeedPage(
      epoch: "e", cursor: 0, isContinuation: false, hasMore: false, segments: [],
      erased: ["gone": said], access: ["anna": part])
    let server = try StandIn { _, _ in .json(page.json) }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    #expect(inventory.erased == ["gone": said])
    #expect(inventory.access == ["anna": part])
  }
}
