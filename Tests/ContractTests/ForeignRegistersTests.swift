import CommandFoundation
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import CloudSyncCommands

/// A foreign program writes whatever it likes into records of every domain.
///
/// Nothing of it may take the place of a field, and every field can be set again.
struct ForeignRegistersTests {
  @Test(arguments: DomainRegistry.names)
  func `no foreign register shadows a field of a domain, and every field can be set again`(
    name: String
  ) async throws {
    let domain = try DomainRegistry.domain(name)
    let remote = InMemoryTransport()
    let clock = VirtualClock()
    let store = try SyncStore(
      domain, storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device", name: "device"),
      environment: .seeded(SeededRandom(seed: 11), clock: clock))
    let engine = SyncEngine(
      store: store, remotes: [Remote("memory", location: "memory:", transport: remote)])
    for draft in try #require(domainDrafts[name]) {
      clock.advance(by: 1)
      try store.write { try $0.save(draft) }
    }
    for type in domain.schema.collections where type.isOptIn && type.placement == .root {
      for record in try store.records(type.name) { try store.setScope(.synced, of: record.key) }
    }
    try await engine.syncNow()

    let registers = domain.schema.collections.flatMap { Self.attack(on: $0).keys }
    let foreign = try ForeignProgram(
      domain.schema, registers: registers, at: remote, clock: clock)
    try await foreign.sync()
    var before: [Record] = []
    for type in domain.schema.collections where type.placement != .local {
      for record in try store.records(type.name) {
        before.append(record)
        try foreign.write(record.key, Self.attack(on: type))
      }
    }
    #expect(!before.isEmpty)
    try await foreign.sync()
    try await engine.syncNow()

    for record in before {
      let type = try #require(domain.schema[record.key.collection])
      let found = try #require(try store.record(type.name, record.key.id))
      // What is of this device stays, and so do the elements of sets, which have registers of their own.
      let safe = record.fields.filter { name, _ in
        type.field(name)?.isLocal == true || type.field(name)?.type == .set
      }
      #expect(found.fields == safe, "\(record.key)")
      clock.advance(by: 1)
      try store.write { try $0.edit(record.key, record.fields) }
      let shown = try #require(try store.record(type.name, record.key.id))
      for (field, value) in record.fields {
        #expect(shown[field] == value, "\(record.key) \(field)")
      }
    }

    // What is unknown stays as the foreign program wrote it.
    try await engine.syncNow()
    try await foreign.sync()
    for record in before {
      #expect(try foreign.registers(of: record.key)[Self.unknown] == "kept", "\(record.key)")
    }
  }

  private static let unknown: FieldName = "unknownToAll"

  /// Registers that try to be fields: named like members of groups, like fields of the device and like
  /// sets, and values of another type in each field and group.
  private static func attack(on type: RecordType) -> [FieldName: Value] {
    var registers: [FieldName: Value] = [unknown: "kept"]
    for field in type.fields {
      for member in field.members { registers[member.name] = "shadow" }
    }
    let all = type.fields + type.fields.flatMap(\.members)
    let free = Set(all.filter { $0.type == .any }.map(\.name))
    let names = Set(all.map(\.name)).subtracting(free).sorted()
    for field in type.fields where field.type != .any {
      if field.type == .set {
        registers[field.name] = "shadow"
      } else if field.members.isEmpty {
        registers[field.name] = field.type == .map ? "shadow" : .map(ValueMap([("a", 1)]))
      } else {
        // Members of another type, and such that are called like every other field.
        registers[field.name] = .map(ValueMap(names.map { ($0, .list(["shadow"])) }))
      }
    }
    return registers
  }
}
