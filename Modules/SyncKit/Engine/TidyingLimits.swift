/// From when on it is worth to merge segments; tests make it worth it sooner.
package struct TidyingLimits: Sendable {
  /// How many segments of about one size become one.
  package var fanout = 8
  /// A segment of so many bytes is not merged any more: 1 MiB.
  package var full = 1 << 20
  /// A merged segment is made of segments of at most so many bytes: 4 MiB.
  package var most = 4 << 20
  /// It unpacks to at most so many bytes of changes: 16 MiB.
  package var mostUnpacked = 16 << 20

  /// Segments that no snapshot covers make one worth while from so many bytes on: 16 KiB.
  package var leastCondensed = 16 << 10
  /// So many hashes of each series stay in a snapshot at least.
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
  func covered(beside live: Int) -> TidyingLimits {
    var limits = self
    limits.most = min(most, history.budget(beside: live) / 8)
    limits.full = min(full, limits.most / 2)
    return limits
  }

  /// Limits for somebody who asks for it: whatever its size, nothing stays beside another.
  var thorough: TidyingLimits {
    var limits = self
    limits.fanout = 1
    return limits
  }
}

/// How much history a remote keeps beside the snapshots that stand for it, so that a device that was in step a
/// while ago gets the changes themselves.
package struct RemoteHistory: Sendable {
  /// Changes stay that have come within so many milliseconds: 30 days.
  package var age: Int64 = 30 * 86_400_000
  /// All changes of a domain take at most so many bytes more than the snapshots beside them: 1 MiB.
  package var slack = 1 << 20
  /// How exactly a device remembers when they came: within a day.
  package var pause: Int64 = 86_400_000
  /// A remote that tells only what is new is looked at as a whole after so many bytes: 128 KiB.
  package var unseen: UInt64 = 128 << 10

  /// The usual amount.
  package init() {}

  /// None: what a snapshot covers goes.
  package static var none: RemoteHistory {
    var history = RemoteHistory()
    history.age = 0
    return history
  }

  /// What all changes may take beside snapshots of so many bytes.
  func budget(beside live: Int) -> Int { live + slack }
}

/// From when on a snapshot is several segments.
package struct SnapshotSizes: Sendable {
  /// One of at most so many bytes of blocks is a single segment: 64 KiB.
  package var undivided = 64 << 10
  /// So many bytes of blocks make a part: 4 MiB.
  package var part = 4 << 20

  /// The usual sizes.
  package init() {}
}
