import SyncKitModel
import SyncKitStore

/// From when on it is worth to merge segments; tests make it worth it sooner.
package struct CompactionLimits: Sendable {
  /// How many segments of about one size become one.
  package var fanout = 8
  /// From this size on a segment is no longer merged: 1 MiB.
  package var full = 1 << 20
  /// The most bytes of the segments that form a merged one: 4 MiB.
  package var most = 4 << 20
  /// The most bytes of changes to which it unpacks: 16 MiB.
  package var mostUnpacked = 16 << 20

  /// Segments without a snapshot make one worthwhile from this size on, in bytes: 16 KiB.
  package var leastPruned = 16 << 10
  /// The fewest hashes of each log in a snapshot.
  package var keptHashes: UInt64 = 256
  /// From when on a snapshot is several segments.
  package var snapshotSizes = SnapshotSizes()
  /// Whether snapshots are written, and what they cover is removed.
  package var usesSnapshots = true
  /// How many of the changes that snapshots cover stay all the same.
  package var history = RemoteHistory()

  /// The usual limits.
  package init() {}

  /// Limits for what a snapshot covers: it is merged only so far that a part of it can go when it is old.
  func covered(beside live: Int) -> CompactionLimits {
    var limits = self
    limits.most = min(most, history.budget(beside: live) / 8)
    limits.full = min(full, limits.most / 2)
    return limits
  }

  /// Limits for an explicit compaction: all segments are merged, whatever their size.
  var thorough: CompactionLimits {
    var limits = self
    limits.fanout = 1
    return limits
  }
}
