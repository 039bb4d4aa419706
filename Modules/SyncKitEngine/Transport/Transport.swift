import SyncKitModel
import SyncKitStore

/// A remote where replicas leave segments for each other.
///
/// A transport stores what it is given and lists what it has. It never merges and never looks inside; its
/// correctness needs no lock, no order, no reliable listing and no clock. Retry, throttling, logging,
/// encryption and faults are wrappers: a transport around a transport.
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

  /// Lists what has arrived since a position that this remote gave for this domain, as far as it can tell;
  /// else, or without one, all that is there.
  func inventory(of domain: String, since position: FeedPosition?) async throws -> Inventory

  /// Says what will be fetched next, in this order: a hint that lets a transport fetch much at once.
  func expect(_ references: [SegmentReference], of domain: String) async

  /// Fetches a segment; nil when it has not arrived or is not what its name says.
  ///
  /// - Throws: ``SyncError`` `format.newer` when only newer versions can read it, `remote.unavailable` or
  ///   `remote.io` when the remote as a whole does not answer.
  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment?

  /// Whether ``store(_:)`` itself makes a segment durable, so that what was stored before a failure is there.
  var storesAtOnce: Bool { get }

  /// Stores a segment; at the latest ``flush(_:)`` makes it durable.
  func store(_ segment: OutboundSegment) async throws

  /// Removes everything of a zone for good, and leaves word of each replica that has done so too.
  ///
  /// The word is there before the first segment goes, and stays.
  func erase(_ zone: ZoneID, of domain: String, confirmedBy: Confirmations) async throws

  /// What ``remove(_:of:)`` does; where it does nothing, the engine need not look for removable segments.
  var removal: SegmentRemoval { get }

  /// Removes segments whose changes one other segment contains, or for which a snapshot stands, as the caller
  /// has seen.
  ///
  /// Skips segments that are gone, and segments that the transport finds not to be contained. A copy under
  /// another location stays.
  ///
  /// - Throws: ``SyncError`` as for storing; some may be removed then.
  func remove(_ references: [SegmentReference], of domain: String) async throws

  /// Brings to the medium what has been stored of a domain, all at once where that is cheaper.
  ///
  /// Called once at the end of each exchange that may write, also when nothing was stored: what lies
  /// on the remote may need to be put in order. A transport that stores at once does nothing.
  func flush(_ domain: String) async throws
}

extension Transport {
  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory { try await inventory(of: domain) }

  public func expect(_ references: [SegmentReference], of domain: String) async {}

  public var storesAtOnce: Bool { false }

  public var removal: SegmentRemoval { .never }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {}

  public func flush(_ domain: String) async throws {}
}
