import SyncKitHTTP
import SegmentFormat
import SyncKit
import SyncKitTesting
import SyncKitServer
import SyncWire
import Testing

/// The transport against the server's real routes.
@Suite(.overEveryNetwork) struct RealServerTests {
  @Test(arguments: TransportContract.checks)
  func `it keeps the promises of a transport`(
    _ check: ContractCheck<TransportContract>
  ) async throws {
    try await RealServer.run { server in
      let places = Counter()
      try await check(
        TransportContract {
          let account = try await server.administration.makeAccount("Place \(places.next())").id
          let settings = try await server.device(of: account)
          return TestRemote(open: { try HTTPTransport(settings) })
        })
    }
  }

  private func phone(_ id: String, seed: UInt64) throws -> SyncStore {
    try SyncStore(
      RootedDomain(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: id, name: id), environment: .seeded(seed))
  }

  @Test func `two devices agree, and a quiet exchange sends nothing but two questions`()
    async throws
  {
    try await RealServer.run { server in
      let account = try await server.administration.makeAccount("Anna").id
      var engines: [SyncEngine] = []
      var stores: [SyncStore] = []
      for (index, id) in ["one", "two"].enumerated() {
        let store = try phone(id, seed: UInt64(index + 1))
        let transport = try HTTPTransport(await server.device(of: account, id))
        stores.append(store)
        engines.append(
          SyncEngine(
            store: store, remotes: [Remote("home", location: server.url, transport: transport)]))
        for number in 0..<200 {
          try store.write {
            try $0.save(RecordDraft("note", id: RecordID("\(id)-\(number)"), fields: ["text": "x"]))
          }
        }
      }
      for engine in engines + engines { try await engine.syncNow() }
      #expect(try stores[0].records("note").count == 400)
      #expect(try stores[0].verify().map(\.digest) == stores[1].verify().map(\.digest))
      for engine in engines {
        let report = try await engine.syncNow()
        #expect(report.pushed == 0 && report.pulled == 0)
      }
    }
  }

  @Test func `an account that is lost is filled again by its devices`() async throws {
    let store = try phone("one", seed: 1)
    try store.write { try $0.save(RecordDraft("note", id: "a", fields: ["text": "x"])) }
    for _ in 0..<2 {
      try await RealServer.run { server in
        let transport = try HTTPTransport(await server.person("Anna"))
        let engine = SyncEngine(
          store: store, remotes: [Remote("home", location: "the same", transport: transport)])
        try await engine.syncNow()
        let found = try await transport.inventory(of: "rooted").segments
        #expect(found.count == 1)
      }
    }
  }

  @Test func `news of one device reach the others of its account`() async throws {
    try await RealServer.run { server in
      let account = try await server.administration.makeAccount("Anna").id
      let listener = try HTTPTransport(await server.device(of: account, "one"))
      let writer = try HTTPTransport(await server.device(of: account, "two"))
      _ = try await writer.attach(
        RemoteIdentity(
          vault: [], isKnown: false, newVault: "0f0e0d0c-0b0a-4908-8706-050403020100"),
        domain: "books")
      var news = listener.news().makeAsyncIterator()
      #expect(try await news.next() == RemoteNews(domain: nil))
      try await writer.store(Author().segment(1))
      try await writer.flush("books")
      #expect(try await news.next() == RemoteNews(domain: "books"))
    }
  }

  @Test func `a revoked device gets no news and no data`() async throws {
    try await RealServer.run { server in
      let account = try await server.administration.makeAccount("Anna").id
      let lost = try HTTPTransport(await server.device(of: account, "lost"))
      let owner = try SyncServerClient(await server.device(of: account, "mine"))
      var news = lost.news().makeAsyncIterator()
      _ = try await news.next()
      try await owner.revoke(device: "lost")
      while let _ = try? await news.next() {}
      let error = await failure { _ = try await lost.inventory(of: "books") }
      #expect(error?.code == .remoteSignedOut && error?.code.exit == 77)
      let devices = try await owner.devices().map(\.device.id)
      #expect(devices == ["mine"])
    }
  }

  @Test func `a record is shared, edited by the guest, and taken away again`() async throws {
    try await RealServer.run { server in
      let anna = try await server.person("Anna")
      let ben = try await server.person("Ben")
      let owner = try phone("anna", seed: 1)
      let guest = try phone("ben", seed: 2)
      func engine(_ store: SyncStore, _ settings: ServerAccess) throws -> SyncEngine {
        SyncEngine(
          store: store,
          remotes: [Remote("home", location: server.url, transport: try HTTPTransport(settings))])
      }
      let (ours, theirs) = (try engine(owner, anna), try engine(guest, ben))
      try owner.write { try $0.save(RecordDraft("person", id: "p", fields: ["text": "Paul"])) }
      let paul = try #require(try owner.record("person", "p"))
      try owner.setScope(.synced, of: paul.key)
      try await ours.syncNow()
      try await theirs.syncNow()

      let annas = try SyncServerClient(anna)
      let bens = try SyncServerClient(ben)
      let zone = try #require(try owner.record("person", "p")).key.zone
      let share = try await annas.share(zone, of: "rooted", title: "Paul")
      #expect(try await annas.share(zone, of: "rooted", title: "Paul").id == share.id)
      let invitation = try await annas.invite("Ben", to: share.id, as: .writer)
      let own = await failure { _ = try await annas.accept(invitation: invitation.secret) }
      #expect(own?.code == .inputInvalid, "It was \(String(describing: own)).")
      let accepted = try await bens.accept(invitation: invitation.secret)
      #expect(accepted.owner.name == "Anna" && accepted.role == .writer)

      try await theirs.syncNow()
      let seen = try #require(try guest.record("person", "p"))
      #expect(seen["text"] == "Paul" && seen.scope == .shared && seen.access?.owner == "Anna")
      try guest.write { try $0.edit(seen.key, ["text": "Paula"]) }
      try await theirs.syncNow()
      try await ours.syncNow()
      #expect(try owner.record("person", "p")?["text"] == "Paula")
      #expect(try owner.record("person", "p")?.scope == .shared)

      let participant = try #require(
        try await annas.shares().first?.participants.first { $0.state == .accepted })
      _ = try await annas.setRole(.reader, of: participant.id, in: share.id)
      try await theirs.syncNow()
      #expect(throws: SyncError.self) {
        try guest.write { try $0.edit(seen.key, ["text": "mine"]) }
      }
      try await annas.remove(participant: participant.id, from: share.id)
      try owner.write { try $0.edit(seen.key, ["text": "a secret"]) }
      try await ours.syncNow()
      try await theirs.syncNow()
      let kept = try #require(try guest.record("person", "p"))
      #expect(kept["text"] == "Paula" && kept.access?.role == .removed)
    }
  }
}

/// A domain with records of its own and trees that can be shared.
private struct RootedDomain: SyncDomain {
  let schema = DomainSchema(
    "rooted",
    [
      RecordType("note", fields: [Field("text", .string)]),
      RecordType("person", placement: .root, isOptIn: true, fields: [Field("text", .string)]),
    ])
}
