import SegmentFormat
import SyncKit
import Synchronization

/// What a device leaves on a remote that keeps everything: changes one by one, a snapshot of them in several
/// parts, and a change behind it.
package struct SnapshotSample: Sendable {
  /// The zone that all of it is of.
  package let zone: ZoneID
  /// What the snapshot stands for, the oldest first.
  package let covered: [OutboundSegment]
  /// Its parts, the head first.
  package let parts: [OutboundSegment]
  /// An earlier snapshot, for which the other one stands as well.
  package let earlier: [OutboundSegment]
  /// Changes behind the snapshot.
  package let later: [OutboundSegment]

  /// Makes one.
  ///
  /// - Parameters:
  ///   - domain: The domain that the segments are of.
  ///   - seed: Other seeds make other devices.
  /// - Throws: ``ContractViolation`` when the engine writes no snapshots.
  package init(of domain: String, seed: UInt64 = 1) async throws {
    let fields = (0..<8).map { Field(FieldName("text\($0)"), .string) }
    let store = try SyncStore(
      SampleDomain(
        schema: DomainSchema(domain, [RecordType("person", placement: .root, fields: fields)])),
      storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(seed)", name: "Device \(seed)"), environment: .seeded(seed))
    try store.write { try $0.save(RecordDraft("person", id: "paul", fields: [:])) }
    let record = try store.record("person", "paul")
    guard let key = record?.key else { throw ContractViolation("a record is not there") }
    let keeper = Keeper(zone: key.zone)
    let engine = SyncEngine(
      store: store, remotes: [Remote("keeper", location: "memory", transport: keeper)])
    var options = SyncOptions()
    options.limits.leastPruned = 1
    options.limits.fanout = .max
    options.limits.history = .none
    var random = SeededRandom(seed: seed)
    for number in 0..<200 {
      _ = try await engine.syncNow(options)
      if keeper.snapshots.count >= 2, !keeper.changes.behind.isEmpty { break }
      // Cannot be packed, so that the state takes several parts.
      let letters = (0..<12_000).map { _ in UInt8.random(in: 33...126, using: &random) }
      let field = fields[number % fields.count].name
      try store.write {
        try $0.edit(key, [field: .string(String(decoding: letters, as: UTF8.self))])
      }
    }
    guard keeper.snapshots.count >= 2, !keeper.changes.behind.isEmpty else {
      throw ContractViolation("no two snapshots were written")
    }
    zone = key.zone
    earlier = keeper.snapshots[keeper.snapshots.count - 2]
    parts = keeper.snapshots[keeper.snapshots.count - 1]
    (covered, later) = keeper.changes
  }
}

private struct SampleDomain: SyncDomain {
  let schema: DomainSchema
}

/// Keeps what it is given of one zone, in order.
private final class Keeper: ErasingTransport, RemovingTransport {
  private let zone: ZoneID
  private let kept = Mutex<[OutboundSegment]>([])

  init(zone: ZoneID) { self.zone = zone }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    [identity.newVault]
  }

  func inventory(of domain: String) async throws -> Inventory {
    Inventory(
      segments: kept.withLock { kept in
        kept.enumerated().map { index, outbound in
          SegmentReference(outbound.segment, location: "\(index)")
        }
      })
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    Int(reference.location).flatMap { index in kept.withLock { $0[index].segment } }
  }

  func store(_ segment: OutboundSegment) async throws {
    guard segment.segment.info.zone == zone else { return }
    kept.withLock { $0.append(segment) }
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {}

  var removal: SegmentRemoval { .onRequest }

  func remove(_ references: [SegmentReference], of domain: String) async throws {}

  /// The snapshots in the order in which they came, the head of each first.
  var snapshots: [[OutboundSegment]] {
    kept.withLock { kept in
      var order: [ReplicaID] = []
      var parts: [ReplicaID: [OutboundSegment]] = [:]
      for outbound in kept where outbound.segment.info.series.isSnapshot {
        let series = outbound.segment.info.series
        if parts[series] == nil { order.append(series) }
        parts[series, default: []].append(outbound)
      }
      return order.compactMap { series in
        parts[series]?.sorted { $0.segment.info.first < $1.segment.info.first }
      }
    }
  }

  /// The changes before the last snapshot, and those behind it.
  var changes: (before: [OutboundSegment], behind: [OutboundSegment]) {
    kept.withLock { kept in
      let end = kept.lastIndex { $0.segment.info.series.isSnapshot } ?? kept.count
      func changes(_ part: ArraySlice<OutboundSegment>) -> [OutboundSegment] {
        part.filter { !$0.segment.info.series.isSnapshot }
      }
      return (changes(kept[..<end]), changes(kept[end...]))
    }
  }
}
