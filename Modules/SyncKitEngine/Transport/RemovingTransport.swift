import SyncKitModel
import SyncKitStore

/// A transport that can remove segments, as compaction and pruning need.
///
/// Without it, the remote keeps every segment.
public protocol RemovingTransport: Transport {
  /// What ``remove(_:of:)`` does; where it does nothing, the engine looks for no removable segments.
  var removal: SegmentRemoval { get }

  /// Removes segments whose changes one other segment contains, or for which a snapshot stands, as the caller
  /// has seen.
  ///
  /// Skips segments that are gone, and segments that the transport finds not to be contained. A copy under
  /// another location stays.
  ///
  /// - Throws: ``SyncError`` as for storing; some may be removed then.
  func remove(_ references: [SegmentReference], of domain: String) async throws
}

/// How a transport removes segments that others contain, or for which a snapshot stands.
public enum SegmentRemoval: Sendable {
  /// It keeps everything.
  case never
  /// It removes what it is told to remove, in any order and at any time as others see it.
  case onRequest
  /// It verifies by itself, in one transaction, that one other segment contains everything that is removed,
  /// or that a complete snapshot stands for it; it keeps what it cannot verify.
  case proved
}
