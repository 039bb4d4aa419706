import SyncKitModel
import SyncKitStore

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
