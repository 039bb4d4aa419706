import SyncKitModel

/// How much history a remote keeps beside the snapshots that stand for it, so that a device that was in step a
/// while ago gets the changes themselves.
package struct RemoteHistory: Sendable {
  /// Changes that arrived within this time stay, in milliseconds: 30 days.
  package var age: Int64 = 30 * 86_400_000
  /// How many bytes all changes of a domain may take beyond the size of the snapshots: 1 MiB.
  package var slack = 1 << 20
  /// How exactly a device remembers when they came: within a day.
  package var pause: Int64 = 86_400_000
  /// A remote that lists only what is new is listed completely after this many bytes: 128 KiB.
  package var unseen: UInt64 = 128 << 10

  /// The usual amount.
  package init() {}

  /// No history: everything that a snapshot covers is removed.
  package static var none: RemoteHistory {
    var history = RemoteHistory()
    history.age = 0
    return history
  }

  /// The room for all changes beside snapshots of the given size, in bytes.
  package func budget(beside live: Int) -> Int { live + slack }
}

/// From when on a snapshot is several segments.
package struct SnapshotSizes: Sendable {
  /// A snapshot with at most this many bytes of blocks is a single segment: 64 KiB.
  package var undivided = 64 << 10
  /// The bytes of blocks in one part: 4 MiB.
  package var part = 4 << 20

  /// The usual sizes.
  package init() {}
}
