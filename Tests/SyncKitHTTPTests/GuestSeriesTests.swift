import SyncKitHTTP
import SegmentFormat
import SyncKit
import SyncKitTesting
import SyncKitServer
import SyncWire
import Testing

/// What a guest has written stays the guest's, whichever device sends it to the server.
@Suite(.overEveryNetwork) struct GuestSeriesTests {
  @Test func `a guest goes on in its series after the owner has filled a wiped server again`()
    async throws
  {
    let family = try Family()
    try await RealServer.run { server in
      let meeting = try await Meeting(family, server)
      try await meeting.share(with: meeting.ben, "Ben")
      try await meeting.theirs.syncNow()
      try family.edit("ben's first")
      try await meeting.theirs.syncNow()
      try await meeting.ours.syncNow()
      #expect(try family.owner.record("person", "p")?["text"] == "ben's first")
    }
    try await RealServer.run { server in
      // The owner comes first, and brings what the guest wrote before anything is shared again.
      let meeting = try await Meeting(family, server)
      try await meeting.share(with: meeting.ben, "Ben")
      try await meeting.theirs.syncNow()
      try family.edit("ben's second")
      try await meeting.theirs.syncNow()
      try await meeting.ours.syncNow()
      #expect(try family.owner.record("person", "p")?["text"] == "ben's second")
    }
  }

  @Test func `what the owner sends of a guest who already takes part is the guest's at once`()
    async throws
  {
    let family = try Family()
    try await RealServer.run { server in
      let meeting = try await Meeting(family, server)
      try await meeting.share(with: meeting.ben, "Ben")
      try await meeting.theirs.syncNow()
      // As after a restore: the owner brings a series of the guest's that the server has lost.
      let zone = try #require(try family.owner.record("person", "p")).key.zone
      let author = Author(
        domain: "rooted", zone: zone, series: ReplicaID(high: 5, low: 5))
      let introduced = try author.introduction(of: "Ben-1")
      try await meeting.store([introduced], as: meeting.anna)
      try await meeting.store([author.segment(2)], as: meeting.ben)
      let found = try await HTTPTransport(meeting.anna).inventory(of: "rooted").segments
      #expect(found.filter { $0.series == author.series }.count == 2)
    }
  }

  @Test func `no account takes over a series by naming a device like its author's`()
    async throws
  {
    let family = try Family()
    try await RealServer.run { server in
      let meeting = try await Meeting(family, server)
      try await meeting.share(with: meeting.ben, "Ben")
      try await meeting.theirs.syncNow()
      try family.edit("ben's first")
      try await meeting.theirs.syncNow()
      try await meeting.ours.syncNow()
    }
    try await RealServer.run { server in
      let meeting = try await Meeting(family, server)
      let account = try await server.administration.makeAccount("Mallory").id
      let mallory = try await server.device(of: account, "Ben-1")
      try await meeting.share(with: meeting.ben, "Ben")
      try await meeting.share(with: mallory, "Mallory")
      let zone = try #require(try family.owner.record("person", "p")).key.zone
      let found = try await HTTPTransport(mallory).inventory(of: "rooted").segments
      let series = Set(found.filter { $0.zone == zone }.map(\.series))
      #expect(series.count == 2)
      for series in series.sorted() {
        let author = Author(domain: "rooted", zone: zone, series: series)
        let refused = await failure {
          try await meeting.store([author.segment(1_000)], as: mallory)
        }
        #expect(refused?.code == .remoteDenied, "It was \(String(describing: refused)).")
      }
      // A series of its own it may begin.
      try await meeting.store(
        [Author(domain: "rooted", zone: zone).segment(1)], as: mallory)
    }
  }
}

/// An owner and a guest whose stores outlive a server.
private struct Family {
  let owner: SyncStore
  let guest: SyncStore

  init() throws {
    owner = try Self.store("Anna-1", 1)
    guest = try Self.store("Ben-1", 2)
    try owner.write { try $0.save(RecordDraft("person", id: "p", fields: ["text": "Paul"])) }
    let paul = try #require(try owner.record("person", "p"))
    try owner.setScope(.synced, of: paul.key)
  }

  private static func store(_ device: String, _ seed: UInt64) throws -> SyncStore {
    try SyncStore(
      PersonDomain(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: device, name: device), environment: .seeded(seed))
  }

  /// The guest edits the shared record.
  func edit(_ text: String) throws {
    let paul = try #require(try guest.record("person", "p"))
    try guest.write { try $0.edit(paul.key, ["text": .string(text)]) }
  }
}

/// Both of them at one server; the owner has been there once.
private struct Meeting {
  let anna: ServerAccess
  let ben: ServerAccess
  let ours: SyncEngine
  let theirs: SyncEngine
  private let zone: ZoneID

  init(_ family: Family, _ server: RealServer) async throws {
    anna = try await server.person("Anna")
    ben = try await server.person("Ben")
    ours = SyncEngine(
      store: family.owner,
      remotes: [Remote("home", location: "o", transport: try HTTPTransport(anna))])
    theirs = SyncEngine(
      store: family.guest,
      remotes: [Remote("home", location: "g", transport: try HTTPTransport(ben))])
    try await ours.syncNow()
    zone = try #require(try family.owner.record("person", "p")).key.zone
  }

  func share(with guest: ServerAccess, _ name: String) async throws {
    let owner = try SyncServerClient(anna)
    let share = try await owner.share(zone, of: "rooted", title: "Paul")
    let invitation = try await owner.invite(name, to: share.id, as: .writer)
    _ = try await SyncServerClient(guest).accept(invitation: invitation.secret)
  }

  func store(_ segments: [OutboundSegment], as who: ServerAccess) async throws {
    let transport = try HTTPTransport(who)
    for segment in segments { try await transport.store(segment) }
    try await transport.flush("rooted")
  }
}

extension Author {
  /// The first segment of a series, in which it says which device it is of.
  fileprivate func introduction(of device: String) throws -> OutboundSegment {
    let change = Change(
      stamp: Stamp(time: 1, replica: series), batch: BatchID(from: .seeded(3)),
      context: VersionVector(),
      operations: [
        RecordOperation(
          .create, "_device", RecordID(series.description),
          [FieldWrite(name: "device", value: .string(device))])
      ])
    let bytes = change.encoded(series: series, after: VersionVector()) { _ in 1 }
    let info = SegmentInfo(
      domain: domain, zone: zone, series: series, first: 1, last: 1,
      previous: ContentHash(high: 1, low: 1), head: bytes.withUnsafeBytes { coding.hash([$0]) },
      base: VersionVector(), operations: 0, deletions: 0, newest: 1)
    let segment = try coding.segment(info, changes: [bytes])
    return try #require(EgressPolicy(published: [zone]).release(segment))
  }
}

private struct PersonDomain: SyncDomain {
  let schema = DomainSchema(
    "rooted",
    [RecordType("person", placement: .root, isOptIn: true, fields: [Field("text", .string)])])
}
