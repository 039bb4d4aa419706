import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization

/// A domain as an app would write it.
struct Books: SyncDomain {
  let schema = DomainSchema(
    "books",
    [
      RecordType(
        "book",
        fields: [
          Field("title", .string),
          Field("rating", .int),
          Field("tags", .set),
          Field("notes", .string, policy: KeepBothPolicy()),
          Field("opened", .instant, policy: ExtremePolicy.max, weight: .touch),
          Field("diary", .string, isLocal: true),
          .group("code", rebase: .remoteWins, [Field("isbn", .string), Field("source", .string)]),
        ]),
      RecordType(
        "loan", deleteRule: .deleteWins,
        fields: [Field("to", .string), Field("seen", .instant, weight: .touch)]),
    ])
}

/// A device of a test: a store in memory that meets remotes in memory.
final class TestDevice: Sendable {
  let store: SyncStore
  let storage: InMemoryStorage
  let engine: SyncEngine

  init(
    _ name: String, _ remotes: InMemoryTransport..., of domain: any SyncDomain = Books(),
    storage: InMemoryStorage = InMemoryStorage(), witness: (any ContinuityWitness)? = nil,
    clock: VirtualClock = VirtualClock(), rebase: [FieldName: RebasePolicy] = [:]
  ) throws {
    self.storage = storage
    let seed = name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
    let environment = SyncEnvironment.seeded(SeededRandom(seed: seed), clock: clock)
    store = try SyncStore(
      domain, storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: {
          clock.advance(by: 1)
          return environment.now()
        }, random: environment.random),
      witness: witness, rebase: rebase)
    engine = SyncEngine(
      store: store,
      remotes: remotes.enumerated().map {
        Remote(
          "remote\($0.offset)", location: "\(ObjectIdentifier($0.element))", transport: $0.element)
      })
  }

  /// Joins places that were begun apart, which are two vaults until a person joins them.
  func adoptAll() async throws {
    var options = SyncOptions()
    options.consent = .adopt
    try await engine.attach(options)
  }

  func save(_ id: RecordID, _ fields: [FieldName: Value]) throws {
    try store.write { try $0.save(RecordDraft("book", id: id, fields: fields)) }
  }

  func delete(_ id: RecordID) throws {
    try store.write { try $0.delete(RecordKey(collection: "book", id: id)) }
  }

  func book(_ id: RecordID) throws -> Record? { try store.record("book", id) }

  /// The ids of the books that exist.
  var ids: [RecordID] { get throws { try store.records("book").map(\.key.id) } }

  /// What must be equal on devices that have seen the same.
  var digests: [ContentHash] { get throws { try store.verify().map(\.digest) } }
}

/// A witness in memory.
final class TestWitness: ContinuityWitness {
  private let kept: Mutex<Witness?>

  init(_ witness: Witness? = nil) { kept = Mutex(witness) }

  func load() throws -> Witness? { kept.withLock { $0 } }
  func save(_ witness: Witness) throws { kept.withLock { $0 = witness } }
}
