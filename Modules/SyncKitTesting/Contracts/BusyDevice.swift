import SegmentFormat
import SyncKit

/// A device that writes the same forty notes over and over, and lets snapshots stand for what is old.
package struct BusyDevice: Sendable {
  /// Its store.
  package let store: SyncStore
  private let engine: SyncEngine

  private struct NoteDomain: SyncDomain {
    let schema: DomainSchema
  }

  /// Prepares a device.
  ///
  /// - Parameters:
  ///   - name: What it is called; others with the same clock have other names.
  ///   - transport: Its way to the remote that all of them share.
  ///   - domain: The domain's name.
  ///   - clock: A clock that goes on when something is written.
  ///   - storage: What its store is made of.
  ///   - history: How much history stays on the remote beside snapshots; usually none.
  /// - Throws: ``SyncError`` of the store.
  package init(
    _ name: String, _ transport: any Transport, of domain: String, clock: VirtualClock,
    storage: InMemoryStorage = InMemoryStorage(), history: RemoteHistory = .none
  ) throws {
    let schema = DomainSchema(domain, [RecordType("note", fields: [Field("text", .string)])])
    let seed = name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
    store = try SyncStore(
      NoteDomain(schema: schema), storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: .seeded(SeededRandom(seed: seed), clock: clock))
    engine = SyncEngine(
      store: store, remotes: [Remote("place", location: "place", transport: transport)])
    self.clock = clock
    self.history = history
  }

  private let history: RemoteHistory
  private let clock: VirtualClock

  /// Writes a note and syncs.
  package func write(_ number: Int) async throws {
    clock.advance(by: 60_000)
    try store.write {
      try $0.save(
        RecordDraft(
          "note", id: RecordID("note \(number % 40)"), fields: ["text": .string("text \(number)")]))
    }
    try await sync()
  }

  /// Syncs.
  @discardableResult
  package func sync(compacting: Bool = false) async throws -> SyncReport {
    var options = SyncOptions()
    options.limits.leastPruned = 4 << 10
    options.limits.history = history
    options.isCompaction = compacting
    return try await engine.syncNow(options)
  }

  /// What is equal on devices that know the same.
  package var digests: [ContentHash] { get throws { try store.verify().map(\.digest) } }

  /// Whether nothing is wrong in the store.
  package var isSound: Bool { get throws { try store.verify().allSatisfy(\.problems.isEmpty) } }
}
