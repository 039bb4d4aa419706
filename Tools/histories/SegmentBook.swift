import SegmentFormat
import SyncKit
import SyncWire
import Synchronization

/// The segments of a run: how they are made, their content, and the numbers that a guest has seen.
final class SegmentBook: Sendable {
  private struct State {
    var contents: [String: [UInt8]] = [:]
    var cursors: Set<UInt64> = []
  }

  private let state = Mutex(State())

  /// A segment with one new change.
  static func make(_ zone: ZoneID, _ series: ReplicaID, _ number: UInt64) throws -> Segment {
    let coding = DeflateSegmentCoding()
    let change = (0..<100).map { UInt8(truncatingIfNeeded: UInt64($0) &* 31 ^ number ^ series.low) }
    let previous = ContentHash(high: number, low: 1)
    let head = previous.bytes.withUnsafeBytes { previous in
      change.withUnsafeBytes { coding.hash([previous, $0]) }
    }
    return try coding.segment(
      SegmentInfo(
        domain: HistoryClient.domain, zone: zone, series: series, first: number, last: number,
        previous: previous, head: head, base: VersionVector(),
        operations: 1, deletions: 0, newest: number), changes: [change])
  }

  /// The name of a segment in a history.
  static func name(_ info: SegmentInfo) -> String {
    "\(info.zone)/\(info.series)/\(info.first)-\(info.last)-\(info.head)"
  }

  /// The name of an entry of the feed in a history.
  static func name(_ entry: FeedEntry) -> String {
    "\(entry.zone)/\(entry.series)/\(entry.first)-\(entry.last)-\(entry.head)"
  }

  /// Notes a segment before it is stored.
  func add(_ segments: [Segment]) {
    state.withLock { state in
      for segment in segments { state.contents[Self.name(segment.info)] = segment.bytes }
    }
  }

  /// The content of a segment; nil for one that no client has made.
  func bytes(_ name: String) -> [UInt8]? { state.withLock { $0.contents[name] } }

  /// Notes numbers that a guest has seen.
  func learn(_ entries: [FeedEntry]) {
    state.withLock { $0.cursors.formUnion(entries.map(\.cursor)) }
  }

  /// Numbers of the shared zone that a guest has seen, in order.
  var cursors: [UInt64] { state.withLock { $0.cursors.sorted() } }
}
