public import SyncKit

/// A server in a simulated world: a remote whose other end runs for real.
///
/// SyncKitTesting knows no server; a program that has one hands it in with ``SimulationParts``. It lives
/// on the world's clock and on streams of random numbers of its own, and answers one request at a time.
public protocol SimulatedServer: AnyObject, Sendable {
  /// The way of a device to the server.
  func transport(for device: Int, coding: any SegmentCoding) async throws -> any Transport

  /// Gives the faults of the coming step their own stream of random numbers.
  func begin(_ random: SeededRandom, _ faults: Set<SimulatedFault>)

  /// Lets something happen to the server itself between two steps.
  ///
  /// - Returns: What has happened, and the segments that it has lost by that; nil for nothing.
  func suffer() async throws -> (what: String, lost: [Segment])?

  /// Ends all faults: there is room again, every device is let in again.
  func heal() async throws

  /// Every segment that lies there.
  func segments() async throws -> [Segment]

  /// How many requests have brought something to store.
  var stores: Int { get }

  /// How often each fault has struck.
  var counts: [SimulatedFault: Int] { get }

  /// Stops it and removes what it has left on the disk.
  func close() async
}

/// A way to a remote that looks at what goes out, for remotes that are not simulated themselves.
struct WatchedTransport: ErasingTransport, RemovingTransport, PrefetchingTransport,
  IncrementalTransport
{
  let inner: ForwardingTransport
  let world: WatchBook
  let coding: any SegmentCoding

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await inner.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await inner.inventory(of: domain)
  }

  func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory { try await inner.inventory(of: domain, since: position) }

  func expect(_ references: [SegmentReference], of domain: String) async {
    await inner.expect(references, of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await inner.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws {
    try world.look(at: segment.segment, coding)
    try await SealedContent.$segment.withValue(segment.segment) { try await inner.store(segment) }
  }

  var removal: SegmentRemoval { inner.removal }

  func remove(_ references: [SegmentReference], of domain: String) async throws {
    try await inner.remove(references, of: domain)
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await SealedContent.$segment.withValue(nil) {
      try await inner.erase(zone, of: domain, confirmedBy: confirmations)
    }
  }

  func flush(_ domain: String) async throws { try await inner.flush(domain) }
}
