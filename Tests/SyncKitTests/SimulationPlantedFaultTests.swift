import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A simulation that finds nothing proves nothing, unless it finds what was hidden on purpose.
struct SimulationPlantedFaultTests {
  /// Whether one of a few worlds notices.
  private func isNoticed(_ plant: (inout SimulationParts) -> Void) async -> Bool {
    for seed in 1..<6 as Range<UInt64> {
      var plan = SimulationPlan(seed: seed, operations: 120)
      plan.faults = []
      var parts = SimulationParts()
      plant(&parts)
      if await Simulation(plan, parts: parts).run().failure != nil { return true }
    }
    return false
  }

  @Test func `a world without a planted fault is sound`() async {
    #expect(await !isNoticed { _ in })
  }

  @Test func `a transport that drops a segment and lists it is noticed`() async {
    #expect(await isNoticed { $0.transport = { inner, _ in DroppingTransport(inner: inner) } })
  }

  @Test func `a storage that loses a committed transaction is noticed`() async {
    #expect(await isNoticed { $0.storage = { inner, _ in ForgetfulStorage(inner: inner) } })
  }

  @Test func `a storage that does not index conflicts is noticed`() async {
    #expect(
      await isNoticed {
        $0.storage = { inner, device in
          // What goes into the index of conflicts is thrown away.
          device == 1
            ? AlteredStorage(inner: inner, writes: { $0 != .conflict })
            : inner as any Storage
        }
      })
  }

  @Test func `a coding that swaps two changes is noticed`() async {
    #expect(
      await isNoticed {
        $0.coding = { device in
          device == 1 ? SwappingCoding() : DeflateSegmentCoding() as any SegmentCoding
        }
      })
  }

  @Test func `a device that removes a segment which nothing else holds is noticed`() async {
    #expect(await isNoticed { $0.transport = { inner, _ in RemovingTransport(inner: inner) } })
  }

  @Test func `a policy that depends on the device is noticed`() async {
    #expect(
      await isNoticed {
        $0.titlePolicy = { device in
          device == 1 ? ImmutablePolicy() : NewestPolicy() as any ConflictPolicy
        }
      })
  }
}

/// Lists everything, but one segment in five cannot be read, ever.
private struct DroppingTransport: Transport {
  let inner: any Transport

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await inner.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await inner.inventory(of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    reference.head.low % 5 == 0 ? nil : try await inner.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws { try await inner.store(segment) }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await inner.erase(zone, of: domain, confirmedBy: confirmations)
  }
}

/// Removes with the first segment that is to go another one, of changes.
private struct RemovingTransport: Transport {
  let inner: any Transport

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await inner.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await inner.inventory(of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await inner.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws { try await inner.store(segment) }

  var removal: SegmentRemoval { inner.removal }

  func remove(_ references: [SegmentReference], of domain: String) async throws {
    let other = try await inner.inventory(of: domain).segments.filter {
      !$0.series.isSnapshot && !references.contains($0)
    }.max { $0.first < $1.first }
    try await inner.remove(references + (other.map { [$0] } ?? []), of: domain)
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await inner.erase(zone, of: domain, confirmedBy: confirmations)
  }
}

/// Says that it has committed; one time in thirty it has not.
private final class ForgetfulStorage: Storage {
  private let inner: InMemoryStorage
  private let writes = Mutex(0)

  init(inner: InMemoryStorage) { self.inner = inner }

  var fingerprint: String? { inner.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try inner.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    let number = writes.withLock { count in
      count += 1
      return count
    }
    return try (number % 30 == 0 ? InMemoryStorage(copying: inner) : inner).write(body)
  }
}

/// Gives the first two changes of a segment in the wrong order.
private struct SwappingCoding: SegmentCoding {
  private let inner = DeflateSegmentCoding()

  func hash(_ parts: [UnsafeRawBufferPointer]) -> ContentHash { inner.hash(parts) }

  func segment(_ info: SegmentInfo, changes: [[UInt8]]) throws -> Segment {
    try inner.segment(info, changes: changes)
  }

  func read(_ bytes: [UInt8]) throws -> Segment { try inner.read(bytes) }

  func changes(of segment: Segment) throws -> [[UInt8]] {
    var changes = try inner.changes(of: segment)
    if changes.count > 1 { changes.swapAt(0, 1) }
    return changes
  }
}
