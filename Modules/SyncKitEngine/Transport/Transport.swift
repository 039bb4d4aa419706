import SyncKitModel
import SyncKitStore

/// A remote where replicas leave segments for each other.
///
/// A transport stores what it is given and lists what it has. It never merges and never looks inside; its
/// correctness needs no lock, no order, no reliable listing and no clock. Retry, throttling, logging,
/// encryption and faults are wrappers: a transport around a transport.
///
/// Five methods make a transport. What a remote can do besides is a small protocol of its own:
/// ``ErasingTransport``, ``RemovingTransport``, ``IncrementalTransport``, ``PrefetchingTransport``,
/// ``DurableTransport``, ``TrialTransport``, ``ClearingTransport``, ``LiveTransport``. A wrapper conforms to
/// those that it forwards, and answers as a plain transport where its base is one.
///
/// ## What every transport promises
///
/// - **Absence means nothing.** What is missing, short or damaged is "not here yet".
/// - **Whole or not.** Another replica never takes half a segment for a segment.
/// - **Durable.** When ``flush(_:)`` has returned, what was stored survives power loss on the medium.
/// - **Repeatable.** Storing the same segment again changes nothing, nor does erasing again.
///
/// `TransportContract` in SyncKitTesting checks a conformance.
public protocol Transport: Sendable {
  /// Checks whether the remote is the known one, and sets it up when it is new.
  ///
  /// - Returns: The ids of the vault to which the store belongs from now on.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.marker`, `remote.vault`, `remote.layout`.
  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String>

  /// Lists the segments of a domain, all zones at once.
  func inventory(of domain: String) async throws -> Inventory

  /// Fetches a segment; nil when it has not arrived or is not what its name says.
  ///
  /// - Throws: ``SyncError`` `format.newer` when only newer versions can read it, `remote.unavailable` or
  ///   `remote.io` when the remote as a whole does not answer.
  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment?

  /// Stores a segment; at the latest ``flush(_:)`` makes it durable.
  func store(_ segment: OutboundSegment) async throws

  /// Makes durable what has been stored of a domain, all at once where that is cheaper.
  ///
  /// Called once at the end of each exchange that may write, also when nothing was stored: the remote may need
  /// to be put in order. A transport that makes each segment durable at once does nothing.
  func flush(_ domain: String) async throws
}

extension Transport {
  public func flush(_ domain: String) async throws {}
}
