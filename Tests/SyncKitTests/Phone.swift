import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// People whose records stay on the device until they are published.
struct People: SyncDomain {
  let schema = DomainSchema(
    "people",
    [
      RecordType(
        "person", placement: .root, isOptIn: true,
        fields: [
          Field("name", .string), Field("note", .string, policy: KeepBothPolicy()),
          Field("color", .string, isLocal: true),
        ]),
      RecordType(
        "entry", placement: .parent, parents: ["person"], fields: [Field("value", .string)]),
      RecordType("secret", placement: .local, fields: [Field("text", .string)]),
    ])
}

final class Phone: Sendable {
  let name: String
  let store: SyncStore
  let engine: SyncEngine
  let remoteNames: [String]

  init(
    _ name: String, _ remotes: InMemoryTransport..., clock: VirtualClock = VirtualClock(),
    storage: InMemoryStorage = InMemoryStorage(), witness: (any ContinuityWitness)? = nil,
    rebase: [FieldName: RebasePolicy] = [:], egress: EgressRules? = nil,
    detachment: UnsentEdits.Reason? = nil
  ) throws {
    self.name = name
    let seed = name.utf8.reduce(UInt64(11)) { $0 &* 31 &+ UInt64($1) }
    let environment = SyncEnvironment.seeded(SeededRandom(seed: seed), clock: clock)
    store = try SyncStore(
      People(), storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: {
          clock.advance(by: 1)
          return environment.now()
        }, random: environment.random), witness: witness, rebase: rebase,
      egress: egress, detachment: detachment)
    let places = remotes.enumerated().map {
      Remote("r\($0.offset)", location: "\(ObjectIdentifier($0.element))", transport: $0.element)
    }
    engine = SyncEngine(store: store, remotes: places)
    remoteNames = places.map(\.name)
  }

  @discardableResult
  func add(_ id: RecordID, _ name: String) throws -> RecordKey {
    try store.write {
      try $0.save(RecordDraft("person", id: id, fields: ["name": .string(name)])).key
    }.result
  }

  func entry(_ id: RecordID, of person: RecordID, _ value: String) throws {
    let parent = try key("person", person)
    try store.write {
      try $0.save(
        RecordDraft("entry", id: id, parent: parent, fields: ["value": .string(value)]))
    }
  }

  func set(_ scope: Record.Scope, _ id: RecordID) throws {
    try store.setScope(scope, of: key("person", id))
  }

  func key(_ collection: CollectionName, _ id: RecordID) throws -> RecordKey {
    try #require(try store.record(collection, id)).key
  }

  func edit(_ person: RecordID, _ fields: [FieldName: Value]) throws {
    let key = try key("person", person)
    try store.write { try $0.edit(key, fields) }
  }

  func person(_ id: RecordID) throws -> Record? { try store.record("person", id) }
  var entries: [String] {
    get throws { try store.records("entry").compactMap { $0["value"].string } }
  }
  var owed: [PendingErasure] { get throws { try store.pendingErasures(remotes: remoteNames) } }
}

/// All bytes that lie on a remote, unpacked.
func leaked(_ text: String, on remote: InMemoryTransport) async throws -> Bool {
  let coding = DeflateSegmentCoding()
  for reference in try await remote.inventory(of: "people").segments {
    guard let segment = try await remote.fetch(reference, of: "people") else { continue }
    let parts = try coding.changes(of: segment) + [segment.bytes]
    if parts.contains(where: { String(decoding: $0, as: UTF8.self).contains(text) }) { return true }
  }
  return false
}
