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

  /// The usual limits.
  package init() {}

  /// Limits for somebody who asks for it: whatever its size, nothing stays beside another.
  var thorough: TidyingLimits {
    var limits = self
    limits.fanout = 1
    return limits
  }
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
