import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// How segments come from a server.
@Suite(.overEveryNetwork) struct FetchTests {
  private static func reference(_ segment: Segment, _ cursor: UInt64) -> SegmentReference {
    let info = segment.info
    return SegmentReference(
      zone: info.zone, series: info.series, first: info.first, last: info.last, head: info.head,
      size: segment.bytes.count, location: String(cursor))
  }

  /// Answers with the segments that are asked for, `most` at a time.
  private static func server(_ segments: [UInt64: Segment], most: Int = 1_000) throws -> StandIn {
    try StandIn { request, _ in
      let cursors = (request.json?["cursors"]?.array ?? []).compactMap { $0.int }.prefix(most)
      var body: [UInt8] = []
      for cursor in cursors { SegmentFrames.append(segments[UInt64(cursor)]?.bytes, to: &body) }
      return .answer(
        200, ["Content-Type": WireProtocol.segments, "Cloudsync-Frames": "\(cursors.count)"], body)
    }
  }

  @Test func `what will be fetched next comes many at a time`() async throws {
    let author = Author()
    let segments = try (1...2_500).map { try author.segment(UInt64($0)).segment }
    let server = try Self.server(
      Dictionary(uniqueKeysWithValues: segments.enumerated().map { (UInt64($0 + 1), $1) }))
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let references = segments.enumerated().map { Self.reference($1, UInt64($0 + 1)) }
    await transport.expect(references, of: "books")
    for (reference, segment) in zip(references, segments) {
      let found = try await transport.fetch(reference, of: "books")
      #expect(found == segment, "Segment \(reference.first) is another one.")
    }
    #expect(server.requests.map { $0.json?["cursors"]?.array?.count } == [1_000, 1_000, 500])
  }

  @Test func `no request asks for more than eight megabytes`() async throws {
    let author = Author()
    let segments = try (1...5).map { try author.segment(UInt64($0), bytes: 3 << 20).segment }
    let server = try Self.server(
      Dictionary(uniqueKeysWithValues: segments.enumerated().map { (UInt64($0 + 1), $1) }))
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let references = segments.enumerated().map { Self.reference($1, UInt64($0 + 1)) }
    await transport.expect(references, of: "books")
    for (reference, segment) in zip(references, segments) {
      #expect(try await transport.fetch(reference, of: "books") == segment)
    }
    #expect(server.requests.map { $0.json?["cursors"]?.array?.count } == [2, 2, 1])
  }

  @Test func `a server may answer fewer than it was asked for`() async throws {
    let author = Author()
    let segments = try (1...7).map { try author.segment(UInt64($0)).segment }
    let server = try Self.server(
      Dictionary(uniqueKeysWithValues: segments.enumerated().map { (UInt64($0 + 1), $1) }), most: 3)
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let references = segments.enumerated().map { Self.reference($1, UInt64($0 + 1)) }
    await transport.expect(references, of: "books")
    for (reference, segment) in zip(references, segments) {
      #expect(try await transport.fetch(reference, of: "books") == segment)
    }
    #expect(server.requests.count == 3)
  }

  @Test func `what is fetched unasked, or out of order, comes all the same`() async throws {
    let author = Author()
    let segments = try (1...4).map { try author.segment(UInt64($0)).segment }
    let server = try Self.server(
      Dictionary(uniqueKeysWithValues: segments.enumerated().map { (UInt64($0 + 1), $1) }))
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let references = segments.enumerated().map { Self.reference($1, UInt64($0 + 1)) }
    #expect(try await transport.fetch(references[3], of: "books") == segments[3])
    await transport.expect(references, of: "books")
    for index in [2, 0, 3, 1] {
      #expect(try await transport.fetch(references[index], of: "books") == segments[index])
    }
  }

  @Test func `what the server has lost, or gives wrong, is not here yet`() async throws {
    let author = Author()
    let wanted = try author.segment(1).segment
    let other = try author.segment(2).segment
    let garbage = Segment(info: wanted.info, bytes: Array("nonsense".utf8))
    let foreign = try Author(domain: "films").segment(1).segment
    for answer in [nil, other, garbage, foreign] {
      let server = try Self.server(answer.map { [1: $0] } ?? [:])
      let found = try await HTTPTransport(.test(server.url)).fetch(
        Self.reference(wanted, 1), of: "books")
      server.stop()
      #expect(found == nil)
    }
  }

  @Test func `a location that is not a number is not asked for`() async throws {
    let server = try Self.server([:])
    defer { server.stop() }
    var reference = Self.reference(try Author().segment(1).segment, 1)
    reference.location = "../1"
    #expect(try await HTTPTransport(.test(server.url)).fetch(reference, of: "books") == nil)
    #expect(server.requests.count == 0)
  }

  static let broken: [(String, [UInt8], String)] = [
    ("a frame that is cut", [0, 0, 0, 9, 1, 2], "1"),
    ("a length that is cut", [0, 0], "1"),
    ("nothing", [], "0"),
    ("more than was asked for", [0, 0, 0, 0, 0, 0, 0, 0], "2"),
    ("another count than it says", [0, 0, 0, 0], "2"),
    ("a length of four gigabytes", [255, 255, 255, 255, 0], "1"),
  ]

  @Test(arguments: broken)
  func `invalid frames stop with 76`(
    _ name: String, _ body: [UInt8], _ count: String
  ) async throws {
    let server = try StandIn { _, _ in
      .answer(200, ["Content-Type": WireProtocol.segments, "Cloudsync-Frames": count], body)
    }
    defer { server.stop() }
    let reference = Self.reference(try Author().segment(1).segment, 1)
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).fetch(reference, of: "books")
    }
    #expect(error?.code == .remoteProtocol, "\(name): \(String(describing: error))")
  }
}
