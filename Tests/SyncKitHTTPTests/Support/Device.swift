import CurlNetwork
import HTTPNetwork
import SyncKitHTTP
import SegmentFormat
import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization
import Testing

/// A token as a server would give it.
let goodToken = TokenText(.token, from: .seeded(7)).text

/// The waits that a transport has asked for, none of which is waited.
final class Waits: Sendable {
  private let all = Mutex<[Duration]>([])

  var durations: [Duration] { all.withLock { $0 } }

  func note(_ duration: Duration) { all.withLock { $0.append(duration) } }
}

extension ServerAccess {
  /// How tests reach a stand-in: no wait is a real one, and what never comes is missed after `patience`.
  static func test(
    _ url: String, waits: Waits = Waits(), token: String? = goodToken,
    patience: Duration = .seconds(20)
  ) throws -> ServerAccess {
    var settings = ServerAccess(
      address: try #require(ServerAddress(url)), environment: .seeded(1),
      wait: { waits.note($0) }, carrier: Network.current.carrier, token: { token })
    settings.connectTimeout = .seconds(5)
    settings.idleTimeout = patience
    return settings
  }
}

/// Makes segments as a device does.
struct Author {
  let coding = DeflateSegmentCoding()
  var domain = "books"
  var zone: ZoneID = .home
  var series = ReplicaID(high: 0x0102_0304_0506_0708, low: 7)

  func segment(_ first: UInt64, bytes count: Int = 40) throws -> OutboundSegment {
    // Bytes that no compression makes shorter.
    var random = SeededRandom(seed: first)
    let change = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let info = SegmentInfo(
      domain: domain, zone: zone, series: series, first: first, last: first,
      previous: ContentHash(high: first, low: 1),
      head: change.withUnsafeBytes { coding.hash([$0]) },
      base: VersionVector(), operations: 1, deletions: 0, newest: first)
    let segment = try coding.segment(info, changes: [change])
    return try #require(EgressPolicy(published: [zone]).release(segment))
  }
}

extension FeedEntry {
  /// The entry of a segment.
  init(_ segment: Segment, cursor: UInt64) {
    let info = segment.info
    self.init(
      cursor: cursor, zone: info.zone, series: info.series, first: info.first, last: info.last,
      head: info.head, size: segment.bytes.count)
  }
}

/// The error of something that must fail.
func failure(
  _ body: () async throws -> Void, _ location: SourceLocation = #_sourceLocation
) async -> SyncError? {
  do {
    try await body()
    Issue.record("It did not fail.", sourceLocation: location)
  } catch let error as SyncError {
    return error
  } catch {
    Issue.record("It failed with \(error).", sourceLocation: location)
  }
  return nil
}
