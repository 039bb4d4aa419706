/// The chain of a segment that was read whole: it tells which other segments this one holds.
package struct SegmentChain {
  private let info: SegmentInfo
  /// The chained hash of each change.
  private let hashes: [ContentHash]

  /// Reads a segment; nil when its changes do not lead to its head.
  package init?(_ segment: Segment, _ coding: any SegmentCoding) {
    info = segment.info
    guard let changes = try? coding.changes(of: segment), info.first <= info.last,
      UInt64(changes.count) == info.last - info.first + 1
    else { return nil }
    var last = info.previous
    hashes = changes.map { change in
      last = coding.chain(last, change)
      return last
    }
    guard last == info.head else { return nil }
  }

  /// The chained hash of one of the segment's changes.
  package func hash(at seq: UInt64) -> ContentHash? {
    (info.first...info.last).contains(seq) ? hashes[Int(seq - info.first)] : nil
  }

  /// Whether all changes of another segment are in this one, byte for byte.
  package func holds(_ other: SegmentReference) -> Bool {
    guard other.zone == info.zone, other.series == info.series, other.first >= info.first,
      other.first <= other.last, other.last <= info.last
    else { return false }
    // One hash makes all before it equal.
    return hashes[Int(other.last - info.first)] == other.head
  }

  /// Whether another segment is a part of this one, and not the same again.
  package func outgrows(_ other: SegmentReference) -> Bool {
    holds(other) && other.last - other.first < info.last - info.first
  }
}
