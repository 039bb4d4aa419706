import SyncKitModel
import SyncKitStore

/// Chooses among several segments with the same changes, which exist because authors compact them.
///
/// A device that lacks one change fetches the small segment with it, a device that lacks all fetches the
/// large one.
struct SegmentChoice {
  /// The segments that continue what is known, in order; each item is one segment with all its copies.
  private(set) var chosen: [[SegmentReference]] = []
  /// What need be fetched only when the chosen ones do not bring it: they were cut off, or it is
  /// another branch of a series.
  private(set) var spare: [[SegmentReference]] = []

  /// Chooses.
  ///
  /// - Parameters:
  ///   - wanted: Segments of which something is not known here.
  ///   - last: The number of the last change that is known of a series.
  init(
    _ wanted: [[SegmentReference]], knowing last: (ZoneID, ReplicaID) throws -> UInt64
  ) rethrows {
    let items = wanted.filter { !$0.isEmpty }
    let groups = Dictionary(grouping: items) { $0[0].log }
    for (log, group) in groups.sorted(by: { $0.key < $1.key }) {
      // The longest of those that begin alike come last, and so does what begins latest.
      let sorted = group.sorted { left, right in
        let (left, right) = (left[0], right[0])
        if left.first != right.first { return left.first < right.first }
        return left.last != right.last ? left.last < right.last : left.head > right.head
      }
      choose(sorted, from: try last(log.zone, log.series) + 1)
    }
  }

  private mutating func choose(_ sorted: [[SegmentReference]], from start: UInt64) {
    var next = start
    var index = 0
    var open: [[SegmentReference]] = []
    while true {
      while index < sorted.count, sorted[index][0].first <= next {
        open.append(sorted[index])
        index += 1
      }
      while let top = open.last, top[0].last < next {
        spare.append(top)
        open.removeLast()
      }
      if let best = open.popLast() {
        chosen.append(best)
        next = best[0].last + 1
      } else if index < sorted.count {
        next = sorted[index][0].first
      } else {
        return
      }
    }
  }
}
