import SyncKitModel
import SyncKitStore

/// Decides how the segments of one log on a remote are compacted: which to merge, which to remove.
///
/// Segments are merged like the levels of a log-structured tree: eight of a size become one of the next size.
/// So each change is rewritten about once for each factor of eight, and a log of any length takes only a few
/// files.
///
/// A segment may be removed only when **one** other contains all of its changes and more. So when several
/// devices compact at once, as two copies of one store do before they know of each other, none removes what
/// another one relies on: a segment that no other contains stays.
struct CompactionTiers {
  /// Segments all of whose changes another one holds, with that one.
  private(set) var superseded: [(reference: SegmentReference, by: SegmentReference)] = []
  /// The segments that are to become one, the oldest first; none when there are few enough.
  private(set) var merge: [SegmentReference] = []

  /// Looks at the segments of one branch of a series.
  ///
  /// - Parameters:
  ///   - references: What lies there, all of one chain of hashes.
  ///   - limits: How many segments of about one size there may not be.
  init(_ references: [SegmentReference], _ limits: CompactionLimits = CompactionLimits()) {
    var longest: [SegmentReference] = []
    let sorted = references.sorted {
      if $0.first != $1.first { return $0.first < $1.first }
      return $0.last != $1.last ? $0.last > $1.last : $0.location < $1.location
    }
    for reference in sorted {
      guard let holder = longest.last, holder.last >= reference.last else {
        longest.append(reference)
        continue
      }
      if holder.first == reference.first, holder.last == reference.last { continue }
      superseded.append((reference, holder))
    }
    merge = Self.merge(longest, limits)
  }

  private static func merge(
    _ segments: [SegmentReference], _ limits: CompactionLimits
  ) -> [SegmentReference] {
    // Only the newest ones, without a gap, and no more than fit into one.
    var run: [SegmentReference] = []
    var size = 0
    for segment in segments.reversed() {
      let length = segment.size ?? 0
      size += length
      if length >= limits.full || size > limits.most { break }
      if let next = run.last, next.first > segment.last + 1 { break }
      run.append(segment)
    }
    // As in a number with eight digits: as many of a size as there may not be carry over into the next.
    var count = 0
    var last = -1
    for size in 0...20 where last < run.count {
      let tail = run.prefix { tier($0) <= size }
      last = tail.count
      let carried = count > 0 && tier(run[count - 1].first...run[0].last) == size ? 1 : 0
      let units = tail[count...].count { tier($0) == size } + carried
      // Sizes that come in no order must not add up either.
      if units >= limits.fanout || tail.count >= limits.fanout * (size + 1) { count = tail.count }
    }
    return count < 2 ? [] : run[..<count].reversed()
  }

  private static func tier(_ segment: SegmentReference) -> Int {
    tier(segment.first...segment.last)
  }

  /// The power of eight below its number of changes.
  private static func tier(_ numbers: ClosedRange<UInt64>) -> Int {
    let changes = numbers.upperBound - numbers.lowerBound + 1
    return (UInt64.bitWidth - 1 - changes.leadingZeroBitCount) / 3
  }
}
