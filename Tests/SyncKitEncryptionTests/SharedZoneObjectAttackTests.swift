import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// Objects that a place and people who work for it put into a shared zone: none is taken, and nothing else is left out.
struct SharedZoneObjectAttackTests {
  private typealias Verdict = SharedWorld.Verdict
  private static let readOnly = Verdict.refused("crypto.read-only")
  private static let forged = Verdict.refused("crypto.forged")
  private static let misplaced = Verdict.refused("crypto.misplaced")

  /// What each other device does with a forged object, and that none of them shows anything of it or loses anything.
  private func expect(
    _ world: SharedWorld, _ forged: Segment, as sealed: Segment, _ wanted: Verdict,
    on devices: [SharingDevice]? = nil
  ) async throws {
    for device in devices ?? world.anna.devices + world.cara.devices {
      let texts = try device.texts
      #expect(
        try await world.verdict(device, on: forged, as: sealed) == wanted,
        "\(device.store.device.id)")
      try await device.sync()
      #expect(try device.texts == texts)
    }
  }

  /// The keys of a device with what another one has of the shared zone, as a place or a friend would give it.
  private func keys(
    _ device: SharingDevice, with other: SharingDevice, _ world: SharedWorld
  ) throws -> DeviceKeys {
    let zone = try #require(ShareBook(other.keys).foreign[world.name])
    let grant = zone.share.grant
    var keys = device.keys
    keys.accept(
      AcceptedShare(
        ShareGrant(
          card: grant.card, domain: grant.domain, zone: grant.zone, names: grant.names, title: "",
          mayWrite: true, number: grant.number, keys: zone.keys), share: "s", secret: "s",
        code: RecoveryCode(from: world.environment)), from: world.environment)
    return keys
  }

  @Test func `a reader's object is refused`() async throws {
    let world = try await SharedWorld.shared(benWrites: false)
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    try await expect(world, forged, as: sealed, Self.readOnly)
  }

  @Test func `a reader whom the server lets write is refused`() async throws {
    let world = try await SharedWorld.shared(benWrites: false)
    world.place.participant("ben", in: world.name) { $0.mayWrite = true }
    try await world.settle()
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .reader)
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    try await expect(world, forged, as: sealed, Self.readOnly)
  }

  @Test func `a writer who became a reader is refused, whatever the server says`() async throws {
    let world = try await SharedWorld.shared()
    let old = world.ben.first.keys
    world.set("ben", mayWrite: false, telling: false)
    try await world.settle()
    let forged = try world.segment()
    try await expect(
      world, forged, as: world.seal(forged, by: old), Self.readOnly)
  }

  @Test(arguments: [false, true])
  func `what a removed guest stores does not count, under old keys and new ones`(
    hasNewKeys: Bool
  ) async throws {
    let world = try await SharedWorld.shared()
    let before = world.ben.first.keys
    world.set("ben", mayWrite: nil)
    try await world.settle()
    let forged = try world.segment()
    let keys = hasNewKeys ? try keys(world.ben.first, with: world.cara.first, world) : before
    let share = ShareBook(keys).foreign[world.name]?.keys.keys.max()?.share
    #expect(share == (hasNewKeys ? 1 : 0))
    try await expect(world, forged, as: world.seal(forged, by: keys), .letGo)
  }

  @Test func `a removed guest whom the server lets take part again stays removed`() async throws {
    let world = try await SharedWorld.shared()
    let before = world.ben.first.keys
    world.set("ben", mayWrite: nil)
    try await world.settle()
    world.place.participant("ben", in: world.name) { ($0.isThere, $0.mayWrite) = (true, true) }
    try await world.settle()
    let forged = try world.segment()
    try await expect(world, forged, as: world.seal(forged, by: before), .letGo)
    #expect(world.entry(on: world.anna.first)?.parts.map(\.id) == ["cara"])
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .removed)
  }

  @Test func `a guest under a new name waits for ever`() async throws {
    let world = try await SharedWorld.shared()
    // The key to sign with is in no entry.
    let stranger = try keys(
      SharingPerson("x", devices: 1, world.place, world.environment).first, with: world.ben.first,
      world)
    let forged = try world.segment()
    try await expect(world, forged, as: world.seal(forged, by: stranger), .awaited)
  }

  @Test func `a guest's new name waits also where the place hides that the zone is shared`()
    async throws
  {
    let world = try SharedWorld()
    let laptop = world.anna.first
    try await laptop.sync()
    let phone = world.anna.devices[1]
    try await phone.sync()
    let unaware = phone.keys
    try await world.accept(world.invite(world.ben, mayWrite: false), by: world.ben)
    try await laptop.sync()
    try await world.ben.first.sync()
    // The statement of the invitation never comes to the phone, and no entry.
    phone.keys = unaware
    world.place.state.withLock { $0.hides = { $0 == "anna" && $1.isOnShelf } }
    let forged = try world.segment()
    try await expect(
      world, forged, as: world.seal(forged, by: world.ben.first.keys), .awaited, on: [phone])
  }

  @Test func `a device that was let go is passed over, and waits under a new name`() async throws {
    let world = try await SharedWorld.shared()
    let stolen = world.anna.devices[1].keys
    try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    try await world.settle()
    let (one, other) = (try world.segment(), try world.segment())
    try await expect(
      world, one, as: world.seal(one, by: stolen), .letGo, on: world.anna.devices)
    // Guests do not know whom the owner has let go, only who belongs to it.
    try await expect(
      world, one, as: world.seal(one, by: stolen), .awaited, on: world.cara.devices)
    let again = DeviceKeys(of: stolen.vault, from: world.environment)
    try await expect(world, other, as: world.seal(other, by: again), .awaited)
  }

  @Test func `a device that was let go does not come back with a guest's new keys`() async throws {
    let world = try await SharedWorld.shared()
    let stolen = world.anna.devices[1].keys
    try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    try await world.settle()
    let given = try #require(ShareBook(world.ben.first.keys).foreign[world.name])
    let newest = try #require(given.keys.keys.max())
    #expect(newest.epoch == 2)
    // It seals with the key that a guest has given it, and signs as the device that it was.
    let forged = try world.segment()
    let sealing = SealedSegments(stolen, environment: world.environment)
    let sealed = try Forgery(world, forged, key: newest, given.keys[newest] ?? [])
      .sealed(by: stolen.signing, sealing)
    try await expect(world, forged, as: sealed, .letGo, on: world.anna.devices)
  }

  @Test func `a guest's device that was let go has a card that counts no more`() async throws {
    let world = try await SharedWorld.shared()
    let stolen = world.ben.devices[1].keys
    try world.ben.beginEpoch(lettingGo: [world.ben.devices[1]])
    try await world.settle()
    let forged = try world.segment()
    try await expect(world, forged, as: world.seal(forged, by: stolen), .letGo)
    // Nor is it given what is sealed from then on.
    var thief = stolen
    thief = thief.noting(world.cara.first.keys.entries)
    let newest = try #require(world.entry(on: world.cara.first)?.keys.last)
    #expect(newest.share == 1)
    #expect(ShareBook(thief).foreign[world.name]?.keys[newest] == nil)
  }

  @Test func `a guest cannot sign as a device of the owner`() async throws {
    let world = try await SharedWorld.shared()
    let forged = try world.segment()
    let zone = try #require(ShareBook(world.ben.first.keys).foreign[world.name])
    let newest = try #require(zone.keys.keys.max())
    let sealing = SealedSegments(world.ben.first.keys, environment: world.environment)
    let sealed = try Forgery(world, forged, key: newest, zone.keys[newest] ?? []).sealed(
      by: PersonKey(world.ben.first.keys.vault.current).signing, sealing,
      as: world.anna.first.keys.signing.publicKey)
    try await expect(world, forged, as: sealed, Self.forged)
  }

  @Test func `who has no part has no key to seal with`() async throws {
    let world = try await SharedWorld.shared()
    let stranger = try SharingPerson("x", devices: 1, world.place, world.environment).first
    let forged = try world.segment()
    let zone = try #require(ShareBook(world.ben.first.keys).foreign[world.name])
    let newest = try #require(zone.keys.keys.max())
    let sealing = SealedSegments(stranger.keys, environment: world.environment)
    let sealed = try Forgery(
      world, forged, key: newest, world.environment.randomBytes(32)
    ).sealed(by: stranger.keys.signing, sealing)
    try await expect(world, forged, as: sealed, Self.forged)
  }

  @Test func `a record that says that it is an entry waits, and shows nothing`() async throws {
    let world = try await SharedWorld.shared()
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    var info = sealed.info
    info.seal = SegmentSeal(epoch: 1, suite: ShareShelf.suite)
    let coding = DeflateSegmentCoding()
    let changed = try coding.sealed(info, envelope: coding.envelope(of: sealed))
    try await expect(world, forged, as: changed, .awaited)
  }

  @Test func `a record on the shelf of a zone is no record`() async throws {
    let world = try await SharedWorld.shared()
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    var info = sealed.info
    info.series = ShareBook.series(of: world.name)
    let coding = DeflateSegmentCoding()
    let changed = try coding.sealed(info, envelope: coding.envelope(of: sealed))
    try await expect(world, forged, as: changed, .ignored)
  }

  @Test func `what is no entry on the shelf keeps nothing from being read`() async throws {
    let world = try await SharedWorld.shared()
    let coding = DeflateSegmentCoding()
    // An object that says that it is packed: it holds no envelope.
    var info = try world.segment().info
    let change = [UInt8](repeating: 7, count: 5_000)
    (info.domain, info.zone) = (world.name.domain, world.name.zone)
    info.series = ShareBook.series(of: world.name)
    info.seal = SegmentSeal(epoch: 1, suite: ShareShelf.suite)
    world.place.put(try coding.segment(info, changes: [change]))
    try world.ben.first.write("b", "of ben", in: world.trip)
    for person in [world.ben, world.anna, world.cara] {
      for outcome in try await person.sync() { #expect(outcome.error == nil) }
    }
    #expect(try world.anna.first.texts == ["of anna", "of ben"])
  }

  /// Where an object of another zone is put.
  enum Move: String, CaseIterable, Sendable {
    case listed, renamed, sealedForTheOther
  }

  @Test(arguments: Move.allCases)
  func `an object of one shared zone is not one of another`(_ move: Move) async throws {
    let world = try await SharedWorld.shared()
    let other = try world.anna.first.diary("other", "Other")
    let book = ShareBook(world.ben.first.keys)
    let name = world.anna.first.transport().place(of: other.zone, in: SharingDevice.domain)
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys, book)
    switch move {
    case .listed:
      world.place.put(sealed, at: name)
      let inventory = try await world.anna.first.transport(ForgetfulMemory())
        .inventory(of: SharingDevice.domain)
      #expect(inventory.refusal?.code == .misplaced)
    case .renamed:
      var info = sealed.info
      info.zone = name.zone
      let coding = DeflateSegmentCoding()
      let moved = try coding.sealed(info, envelope: coding.envelope(of: sealed))
      try await expect(world, forged, as: moved, Self.forged, on: world.anna.devices)
    case .sealedForTheOther:
      // A device of the owner that was let go puts the one into the other.
      let thief = SealedSegments(world.anna.devices[1].keys, environment: world.environment)
      let inner = try world.segment(other.zone)
      let whole = try thief.seal(inner)
      let moved = try Forgery(
        world, forged, key: ZoneKeyName(epoch: 1, share: 0),
        thief.cipher(name, of: SharingDevice.domain).newestKey
      ).sealed(by: world.anna.devices[1].keys.signing, thief, under: whole.info)
      try await expect(world, forged, as: moved, Self.misplaced, on: world.anna.devices)
    }
  }

  @Test func `an object of a guest's own zone is not one of the shared zone, nor the other way`()
    async throws
  {
    let world = try await SharedWorld.shared()
    let own = try world.ben.first.diary("own", "Own")
    let name = world.ben.first.transport().place(of: own.zone, in: SharingDevice.domain)
    let coding = DeflateSegmentCoding()
    let forged = try world.segment(own.zone)
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    #expect(sealed.info.zone == name.zone)
    var info = sealed.info
    (info.domain, info.zone) = (world.name.domain, world.name.zone)
    let moved = try coding.sealed(info, envelope: coding.envelope(of: sealed))
    try await expect(
      world, forged, as: moved, Self.forged, on: world.ben.devices + world.anna.devices)
    let shared = try world.segment()
    info = try world.seal(shared, by: world.ben.first.keys).info
    let envelope = try coding.envelope(of: world.seal(shared, by: world.ben.first.keys))
    (info.domain, info.zone) = (name.domain, name.zone)
    try await expect(
      world, shared, as: coding.sealed(info, envelope: envelope), Self.forged, on: world.ben.devices
    )
  }
}

/// Seals as no device does.
struct Forgery {
  let segment: Segment
  let key: ZoneKeyName
  let secret: [UInt8]
  let world: SharedWorld

  init(_ world: SharedWorld, _ segment: Segment, key: ZoneKeyName, _ secret: [UInt8]) {
    (self.world, self.segment, self.key, self.secret) = (world, segment, key, secret)
  }

  /// Seals with any key, under any name.
  func sealed(
    by author: SigningKey, _ sealing: SealedSegments, as named: [UInt8]? = nil,
    under other: SegmentInfo? = nil
  ) throws -> Segment {
    let vault = world.anna.first.keys.vault
    let names = Pseudonyms(vault).names(of: segment.info.zone, in: segment.info.domain)
    let name = names.name(of: SegmentReference(segment), in: segment.info.domain)
    let info =
      other
      ?? SegmentInfo(
        domain: names.domain, zone: names.zone, series: name.series, first: name.first,
        last: name.last, previous: ContentHash(high: 0, low: 0), head: name.head,
        base: VersionVector(), operations: 0, deletions: Int(key.share), newest: 0,
        seal: SegmentSeal(epoch: key.epoch, suite: SealedSegments.suite))
    var content = ByteWriter()
    content.write(block: segment.bytes)
    content.write(block: named ?? author.publicKey)
    content.write(block: author.sign(sealing.statement(info, segment.bytes, of: vault.id)))
    let padding = PaddedLength.of(content.bytes.count) - content.bytes.count
    content.write(raw: repeatElement(0, count: padding))
    let envelope = Envelope.seal(
      content.bytes,
      context: sealing.context(info, Envelope.length(of: content.bytes.count), of: vault.id),
      key: secret, salt: world.environment.randomBytes(32))
    return try DeflateSegmentCoding().sealed(info, envelope: envelope)
  }
}
