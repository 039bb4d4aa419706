import SyncKit
import SyncWire

/// Segments on their way to a server, gathered until a request is worth it.
struct SegmentOutbox {
  private(set) var segments: [Segment] = []
  private var bytes = 0

  var isEmpty: Bool { segments.isEmpty }

  /// Whether another segment would make the request longer than one should be.
  func isFull(before segment: Segment) -> Bool {
    guard !segments.isEmpty else { return false }
    return segments.count >= WireProtocol.batchCount
      || bytes + segment.bytes.count + 4 > WireProtocol.batchBytes
  }

  mutating func add(_ segment: Segment) {
    segments.append(segment)
    bytes += segment.bytes.count + 4
  }

  /// Takes all out.
  mutating func take() -> [Segment] {
    defer { self = SegmentOutbox() }
    return segments
  }
}
