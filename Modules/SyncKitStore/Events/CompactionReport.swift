import SyncKitModel

/// What compaction has done on a remote; in a dry run, what it would do first.
public struct CompactionReport: Hashable, Sendable {
  /// Segments of the domain on the remote afterwards; 0 when they were not counted.
  public var files = 0
  /// Their bytes, as far as the remote says.
  public var bytes = 0
  /// Segments that were written in place of several.
  public var merged = 0
  /// Segments that were removed because others hold what they held, or a snapshot stands for it.
  public var removed = 0
  /// Snapshots that were written.
  public var snapshots = 0

  /// Nothing done.
  public init() {}

  /// Whether anything was done.
  public var hasWork: Bool { merged + removed + snapshots > 0 }

  /// Adds what was done beside.
  package mutating func add(alongside other: CompactionReport) {
    files += other.files
    bytes += other.bytes
    removed += other.removed
    snapshots += other.snapshots
  }

  /// Takes a later look into account.
  package mutating func add(_ later: CompactionReport) {
    files = later.files
    bytes = later.bytes
    merged += later.merged
    removed += later.removed
    snapshots += later.snapshots
  }
}
