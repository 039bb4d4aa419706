import SyncKitModel
import SyncKitStore

/// A transport that can check beforehand whether a sync could store something.
///
/// A trial takes the same way as storing, to the same remote, and leaves nothing behind when it returns or
/// throws. A remote that cannot be written to without a trace cannot support this protocol.
public protocol TrialTransport: Transport {
  /// Finds out whether segments of a domain could be stored now; follows an attach.
  ///
  /// - Throws: ``SyncError`` as ``Transport/store(_:)`` and ``Transport/flush(_:)`` would.
  func tryStoring(_ sample: StoreSample, of domain: String) async throws
}

/// What a trial stands for: segments that wait to be stored.
public struct StoreSample: Hashable, Sendable {
  /// How many bytes they have; 0 when nothing waits.
  public var bytes: Int
  /// How many they are.
  public var segments: Int
  /// The zones that are stored into, each with the series that wait.
  public var zones: [ZoneID: Set<ReplicaID>]

  /// Describes what waits.
  public init(bytes: Int = 0, segments: Int = 0, zones: [ZoneID: Set<ReplicaID>] = [:]) {
    self.bytes = bytes
    self.segments = segments
    self.zones = zones
  }
}
