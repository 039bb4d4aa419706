import SyncKit
import SyncWire

/// Which segments will be asked for, in which order, and those that have come and wait for it.
///
/// At most one batch waits, so that memory is bounded whatever there is to fetch.
struct SegmentInbox {
  private var expected: [SegmentReference] = []
  private var next = 0
  private var arrived: [UInt64: [UInt8]] = [:]

  /// Forgets what was expected for what is expected now.
  mutating func expect(_ references: [SegmentReference]) {
    expected = references
    next = 0
    arrived = [:]
  }

  /// What has come under a number; it is given out once.
  mutating func take(_ cursor: UInt64) -> [UInt8]? { arrived.removeValue(forKey: cursor) }

  /// What to fetch with a segment: those that come after it, as far as one batch goes.
  mutating func batch(with reference: SegmentReference, cursor: UInt64) -> [UInt64] {
    arrived = [:]
    if next >= expected.count || expected[next] != reference {
      guard let location = expected.indices.first(where: { expected[$0] == reference }) else {
        return [cursor]
      }
      next = location
    }
    var cursors: [UInt64] = []
    var bytes = 0
    while next < expected.count, cursors.count < WireProtocol.batchCount {
      bytes += (expected[next].size ?? 0) + 4
      if !cursors.isEmpty, bytes > WireProtocol.batchBytes { break }
      if let cursor = UInt64(expected[next].location) { cursors.append(cursor) }
      next += 1
    }
    return cursors.isEmpty ? [cursor] : cursors
  }

  /// Takes in what has come: as many frames, from the front, as the server has answered.
  mutating func fill(_ cursors: [UInt64], _ frames: [[UInt8]?]) {
    for (cursor, frame) in zip(cursors, frames) { arrived[cursor] = frame }
    // What did not fit this time is fetched with the next batch.
    next = max(0, next - (cursors.count - frames.count))
  }
}
