import SyncKitFormats
import NIOPosix
import SegmentFormat
import SyncKit
import SyncWire

/// Segments like those of devices, with changes of a usual length.
struct LoadSegments {
  static let domain = "load"

  private let coding = DeflateSegmentCoding()
  private let series: ReplicaID
  private var next: UInt64 = 1

  /// Makes segments of one series.
  init(series: UInt64, of run: UInt64) { self.series = ReplicaID(high: run, low: series) }

  /// The next segment, with the given number of changes of the given size.
  mutating func segment(changes count: Int = 10, bytes: Int = 120) throws -> Segment {
    let first = next
    next += UInt64(count)
    let changes = (0..<count).map { index in
      var word = (first &+ UInt64(index)) &* 0x9E37_79B9_7F4A_7C15 ^ series.low
      return (0..<bytes).map { byte -> UInt8 in
        // Half of it is random and half is not, as in real records.
        if byte % 2 == 0 { word = word &* 6_364_136_223_846_793_005 &+ 1 }
        return byte % 2 == 0 ? UInt8(truncatingIfNeeded: word >> 56) : UInt8(byte & 0x7F)
      }
    }
    let previous = ContentHash(high: first, low: 1)
    var head = previous
    for change in changes {
      head = head.bytes.withUnsafeBytes { before in
        change.withUnsafeBytes { coding.hash([before, $0]) }
      }
    }
    return try coding.segment(
      SegmentInfo(
        domain: Self.domain, zone: .home, series: series, first: first, last: next - 1,
        previous: previous, head: head, base: VersionVector(),
        operations: count, deletions: 0, newest: first), changes: changes)
  }

  /// The body of a request that stores segments.
  static func body(_ segments: [Segment]) -> [UInt8] {
    var body: [UInt8] = []
    for segment in segments { SegmentFrames.append(segment.bytes, to: &body) }
    return body
  }
}

extension LoadTarget {
  static let segmentsPath = "/domains/\(LoadSegments.domain)/segments"

  /// Stores segments.
  func store(_ segments: [Segment], _ token: String) async throws {
    _ = try await ask(
      "POST", Self.segmentsPath, token, LoadSegments.body(segments), WireProtocol.segments)
  }

  /// The request that stores segments.
  func storing(_ segments: [Segment], _ token: String) -> ClosedLoop.Request {
    ClosedLoop.Request(
      bytes: request(
        "POST", Self.segmentsPath, token, LoadSegments.body(segments), WireProtocol.segments))
  }

  /// The whole feed of an account, read page by page.
  func feed(_ token: String) async throws -> [FeedPage] {
    var pages: [FeedPage] = []
    var path = "/domains/\(LoadSegments.domain)/feed"
    while true {
      let page = try FeedPage(json: JSON(parsing: try await ask("GET", path, token)))
      pages.append(page)
      guard page.hasMore else { return pages }
      path = "\(Self.polling(behind: page))"
    }
  }

  /// The path of a poll from the end of a page.
  static func polling(behind page: FeedPage) -> String {
    "/domains/\(LoadSegments.domain)/feed?limit=\(WireProtocol.pageCount)"
      + "&epoch=\(page.epoch)&after=\(page.cursor)"
  }

  /// For each account the request of a device that has seen everything; each account has a little data.
  func polls(run: UInt64) async throws -> [ClosedLoop.Request] {
    var polls: [ClosedLoop.Request] = []
    for (number, token) in tokens.enumerated() {
      var segments = LoadSegments(series: UInt64(number), of: run)
      try await store((0..<20).map { _ in try segments.segment() }, token)
      guard let page = try await feed(token).last else { continue }
      polls.append(ClosedLoop.Request(bytes: request("GET", Self.polling(behind: page), token)))
    }
    return polls
  }
}
