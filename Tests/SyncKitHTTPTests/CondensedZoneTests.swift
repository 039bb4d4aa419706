import SyncKitHTTP
import SegmentFormat
import SyncKit
import SyncKitTesting
import SyncKitServer
import SyncWire
import Testing

/// Zones on a server in which a snapshot stands for what is gone.
@Suite(.overEveryNetwork) struct CondensedZoneTests {
  private struct PersonDomain: SyncDomain {
    let schema = DomainSchema(
      "rooted",
      [
        RecordType(
          "person", placement: .root, isOptIn: true,
          fields: [Field("text", .string), Field("note", .string)])
      ])
  }

  /// A store that meets the server.
  private struct Party {
    let store: SyncStore
    let engine: SyncEngine

    init(_ name: String, _ seed: UInt64, _ access: ServerAccess) throws {
      store = try SyncStore(
        PersonDomain(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
        device: Device(id: name, name: name), environment: .seeded(seed))
      engine = SyncEngine(
        store: store,
        remotes: [Remote("home", location: name, transport: try HTTPTransport(access))])
    }

    func sync(from least: Int = 2 << 10) async throws {
      var options = SyncOptions()
      options.limits.leastPruned = least
      options.limits.history = .none
      _ = try await engine.syncNow(options)
    }

    func edit(_ text: String) async throws {
      let person = try #require(try store.record("person", "p"))
      try store.write { try $0.edit(person.key, ["text": .string(text)]) }
      try await sync()
    }

    var text: Value? { get throws { try store.record("person", "p")?["text"] } }
  }

  private func changes(_ access: ServerAccess) async throws -> [SegmentReference] {
    try await HTTPTransport(access).inventory(of: "rooted").segments
      .filter { !$0.series.isSnapshot && $0.zone != .home }
  }

  @Test func `a zone is shared after its past has gone, and the guest begins with the snapshot`()
    async throws
  {
    try await RealServer.run { server in
      let (anna, ben) = (try await server.person("Anna"), try await server.person("Ben"))
      let owner = try Party("anna", 1, anna)
      let guest = try Party("ben", 2, ben)
      try owner.store.write {
        try $0.save(RecordDraft("person", id: "p", fields: ["text": "0", "note": "stays"]))
      }
      let paul = try #require(try owner.store.record("person", "p"))
      try owner.store.setScope(.synced, of: paul.key)
      for number in 1...150 { try await owner.edit("\(number)") }
      let before = try await changes(anna)
      #expect(!before.contains { $0.first == 1 }, "the first changes are still there")

      let client = try SyncServerClient(anna)
      let share = try await client.share(paul.key.zone, of: "rooted", title: "Paul")
      let invitation = try await client.invite("Ben", to: share.id, as: .writer)
      _ = try await SyncServerClient(ben).accept(invitation: invitation.secret)
      try await guest.sync()
      #expect(try guest.text == "150")
      #expect(try guest.store.record("person", "p")?["note"] == "stays")

      // Now that two accounts depend on it nothing goes any more.
      let then = try await changes(anna)
      for number in 151...250 {
        try await (number.isMultiple(of: 5) ? guest : owner).edit("\(number)")
        if number.isMultiple(of: 5) { try await owner.sync() } else { try await guest.sync() }
      }
      let now = try await changes(anna)
      let end = then.map(\.last).max() ?? 0
      let covered = Set(
        now.filter { $0.series == then.first?.series }.flatMap { $0.first...$0.last })
      #expect(covered.isSuperset(of: end + 1...(covered.max() ?? 0)), "changes have gone")
      #expect(try owner.text == "250" && guest.text == "250")
      #expect(
        try owner.store.verify().filter { $0.zone == paul.key.zone }.map(\.digest)
          == guest.store.verify().filter { $0.zone == paul.key.zone }.map(\.digest))
    }
  }

  @Test func `a server that was emptied is filled again from stores that began with a snapshot`()
    async throws
  {
    let clock = VirtualClock()
    let storage = InMemoryStorage()
    @Sendable func device(
      _ name: String, of account: String, at server: RealServer,
      storage: InMemoryStorage = InMemoryStorage()
    ) async throws -> BusyDevice {
      try BusyDevice(
        name, HTTPTransport(await server.device(of: account, name)), of: "books", clock: clock,
        storage: storage)
    }
    try await RealServer.run { server in
      let account = try await server.administration.makeAccount("Anna").id
      let first = try await device("first", of: account, at: server)
      for number in 0..<150 { try await first.write(number) }
      let second = try await device("second", of: account, at: server, storage: storage)
      try await second.sync()
      #expect(try second.store.history().count < 150, "it did not begin with a snapshot")
    }
    // The first device is lost with the server.
    try await RealServer.run { server in
      let account = try await server.administration.makeAccount("Anna").id
      let second = try await device("second", of: account, at: server, storage: storage)
      try await second.sync()
      let third = try await device("third", of: account, at: server)
      for device in [third, second, third] { try await device.sync() }
      #expect(try third.digests == second.digests && third.isSound)
      #expect(try second.store.records("note").count == 40)
    }
  }
}
