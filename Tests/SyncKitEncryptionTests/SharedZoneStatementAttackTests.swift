import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// What a place and people who work for it say of who takes part in a shared zone: entries, cards, invitations and shares.
struct SharedZoneStatementAttackTests {
  // MARK: Entries

  /// An entry that lies in a shared zone and is not to be taken.
  enum EntryForgery: String, CaseIterable, Sendable {
    case isSignedByAGuest, hasTheCardOfAGuest, hasACardThatNoOwnerSigned, isOfAnotherZone
    case isOfAnotherVault, isOlder, wasChanged, isCutOff, isOfADeviceThatWasLetGo, hasNoNumber
  }

  @Test(arguments: EntryForgery.allCases)
  func `an entry that no device of the owner has stated is none`(
    _ forgery: EntryForgery
  )
    async throws
  {
    let world = try await SharedWorld.shared(caraWrites: false)
    let old = try #require(ShareBook(world.anna.first.keys).own[world.name])
    let stolen = world.anna.devices[1].keys
    if forgery == .isOfADeviceThatWasLetGo {
      try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    } else {
      world.set("ben", mayWrite: false)
    }
    try await world.settle()
    let devices = world.anna.devices + world.ben.devices + world.cara.devices
    let before = devices.map { world.entry(on: $0) }
    try #require(before.first != old.entry)
    for bytes in try forged(forgery, world, old, stolen) {
      try await ShareShelf(ForwardingTransport(world.place.view(of: "ben"))).store(
        bytes, in: world.name)
    }
    for person in [world.anna, world.ben, world.cara] {
      for outcome in try await person.sync() { #expect(outcome.error == nil) }
    }
    #expect(devices.map { world.entry(on: $0) } == before)
    for device in devices { #expect(try device.texts == ["of anna"]) }
  }

  private func forged(
    _ forgery: EntryForgery, _ world: SharedWorld, _ old: ShareBook.OwnZone, _ stolen: DeviceKeys
  ) throws -> [[UInt8]] {
    var entry = try #require(world.entry(on: world.ben.first))
    let held = try #require(ShareBook(world.anna.first.keys).own[world.name]?.bytes)
    let ben = PersonKey(world.ben.first.keys.vault.current)
    let anna = PersonKey(world.anna.first.keys.vault.current)
    entry.number += 5
    for index in entry.parts.indices { entry.parts[index].mayWrite = true }
    let names = old.names
    switch forgery {
    case .isSignedByAGuest: return [entry.sealed(by: ben, names, from: world.environment)]
    case .hasTheCardOfAGuest:
      entry.card = try #require(world.ben.first.keys.card)
      return [entry.sealed(by: ben, names, from: world.environment)]
    case .hasACardThatNoOwnerSigned:
      // The owner's name, and the guest's keys.
      var writer = ByteWriter()
      let card = try #require(world.anna.first.keys.card)
      for block in [card.vault, card.owner] { writer.write(block: block) }
      writer.write(varint: card.epoch)
      for block in [ben.signing.publicKey, ben.box.publicKey] { writer.write(block: block) }
      writer.write(block: ben.signing.sign(writer.bytes))
      #expect(throws: SyncError.self) { try writer.bytes.reading { try PersonCard(&$0) } }
      let real = card.bytes
      return [
        entry.sealed(by: ben, names, from: world.environment).replacing(real, with: writer.bytes)
      ]
    case .isOfAnotherZone:
      let other = Pseudonyms(world.anna.first.keys.vault).names(
        of: "other", in: SharingDevice.domain)
      let half = ZoneNames(domain: other.domain, zone: other.zone, key: names.key)
      return [other, half].map { entry.sealed(by: anna, $0, from: world.environment) }
    case .isOfAnotherVault:
      let same = try #require(
        VaultKeys(
          id: [UInt8](repeating: 1, count: 16), owner: world.anna.first.keys.vault.owner,
          root: world.anna.first.keys.vault.root, epochs: world.anna.first.keys.vault.epochs))
      entry.card = PersonCard(of: same, in: same.current, by: world.anna.owner)
      return [entry.sealed(by: anna, names, from: world.environment)]
    case .isOlder: return [old.bytes]
    case .wasChanged:
      return stride(from: 0, to: held.count, by: 131).map { index in
        var bytes = held
        bytes[index] ^= 1
        return bytes
      }
    case .isCutOff: return [[], Array(held.prefix(40)), Array(held.dropLast())]
    case .isOfADeviceThatWasLetGo:
      entry.card = try #require(stolen.card)
      entry.number = ShareEntry.mostEntries
      return [entry.sealed(by: PersonKey(stolen.vault.current), names, from: world.environment)]
    case .hasNoNumber:
      entry.number = ShareEntry.mostEntries + 1
      return [entry.sealed(by: anna, names, from: world.environment)]
    }
  }

  @Test func `a device that was let go states nothing before the others have stated again`()
    async throws
  {
    let world = try await SharedWorld.shared()
    let stolen = world.anna.devices[1].keys
    let names = try #require(ShareBook(stolen).own[world.name]).names
    try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    var entry = try #require(world.entry(on: world.anna.first))
    let friend = try SharingPerson("x", devices: 1, world.place, world.environment).first.keys
    entry.parts.append(
      ShareEntry.Part(id: "friend", card: try #require(friend.card), mayWrite: true))
    entry.number += 5
    let bytes = entry.sealed(
      by: PersonKey(stolen.vault.current), names, from: world.environment)
    try await ShareShelf(ForwardingTransport(world.place.view(of: "anna"))).store(
      bytes, in: world.name)
    #expect(try await world.anna.first.sync(stating: false).error == nil)
    #expect(world.entry(on: world.anna.first)?.parts.map(\.id) == ["ben", "cara"])
    // A new device has kept no other entry: it takes the keys alone from this one, and keeps nothing of it.
    let newcomer = try world.anna.join()
    #expect(try await newcomer.sync(stating: false).error == nil)
    #expect(world.entry(on: newcomer) == nil)
    #expect(try newcomer.texts == ["of anna"])
    try await world.settle()
    for device in world.anna.devices + world.ben.devices + world.cara.devices {
      #expect(world.entry(on: device)?.parts.map(\.id) == ["ben", "cara"])
    }
  }

  @Test func `an entry that another process has kept is not replaced by an older one`()
    async throws
  {
    let world = try await SharedWorld.shared()
    let old = world.ben.first.keys
    world.set("cara", mayWrite: nil)
    try await world.settle()
    let new = world.ben.first.keys
    #expect(new.entries != old.entries)
    #expect(new.noting(old.entries) == new)
    #expect(old.noting(new.entries).entries == new.entries)
  }

  // MARK: Cards

  /// Takes part with a card that the server has put in place of the guest's.
  private func admitted(
    _ card: (SharedWorld, RecoveryCode) throws -> [UInt8]?
  ) async throws
    -> SharedWorld
  {
    let world = try SharedWorld()
    let code = try await world.invite(world.ben)
    try await world.accept(code, by: world.ben)
    let shown = try card(world, code)
    world.place.participant("ben", in: world.name) { $0.card = shown }
    // The guest would show its own again.
    for _ in 0..<2 { try await world.anna.sync() }
    return world
  }

  @Test func `a card that the server puts in the guest's place is not taken without the code`()
    async throws
  {
    let world = try await admitted { world, _ in
      world.cara.first.keys.shownCard(for: RecoveryCode(from: world.environment))
    }
    #expect(world.entry(on: world.anna.first)?.parts.isEmpty == true)
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    #expect(try await world.verdict(world.anna.first, on: forged, as: sealed) == .awaited)
    let sent = try #require(world.anna.first.keys.membership.invitations["ben"])
    let card = try #require(world.cara.first.keys.card)
    #expect(
      sent.card(shown: ShownCard(card, by: RecoveryCode(from: world.environment)).bytes) == nil)
  }

  @Test func `a proof of another card, or one that was changed, is none`() async throws {
    let world = try await admitted { world, code in
      let cara = try #require(world.cara.first.keys.card?.bytes)
      let ben = try #require(world.ben.first.keys.card?.bytes)
      // The card of one with the proof of the other.
      return world.ben.first.keys.shownCard(for: code)?.replacing(ben, with: cara)
    }
    #expect(world.entry(on: world.anna.first)?.parts.isEmpty == true)
  }

  @Test func `the owner's own card takes no part`() async throws {
    let world = try await admitted { $0.anna.first.keys.shownCard(for: $1) }
    #expect(world.entry(on: world.anna.first)?.parts.isEmpty == true)
  }

  /// A card that the server shows for a guest who takes part already.
  enum Renewal: String, CaseIterable, Sendable {
    case ofAnotherPerson, ofAnEarlierEpoch, ofNoOne
  }

  @Test(arguments: Renewal.allCases)
  func `a guest who takes part is replaced by no other card`(_ renewal: Renewal) async throws {
    let world = try await SharedWorld.shared()
    let sent = try #require(world.anna.first.keys.membership.invitations["ben"])
    let old = world.ben.first.keys.shownCard(for: sent.code)
    try world.ben.beginEpoch()
    try await world.settle()
    let before = try #require(world.entry(on: world.anna.first)?.parts)
    try #require(before.first?.card.epoch == 2)
    let shown: [UInt8]?
    switch renewal {
    case .ofAnotherPerson:
      // Of a later epoch, and by a thief of the link who has its code.
      try world.cara.beginEpoch()
      try world.cara.beginEpoch()
      shown = world.cara.first.keys.shownCard(for: sent.code)
    case .ofAnEarlierEpoch: shown = old
    case .ofNoOne: shown = Array("no card".utf8)
    }
    world.place.participant("ben", in: world.name) { $0.card = shown }
    try await world.anna.first.state()
    let parts = world.entry(on: world.anna.first)?.parts ?? []
    #expect(parts.first { $0.id == "ben" }?.card == before.first { $0.id == "ben" }?.card)
  }

  @Test func `a guest shows its newer card also where the server has put another person's`()
    async throws
  {
    let world = try await SharedWorld.shared()
    let ben = world.ben.first.keys
    let share = try #require(ben.membership.shares[world.name])
    try world.cara.beginEpoch()
    let other = world.cara.first.keys.shownCard(for: share.code)
    let own = ben.shownCard(for: share.code)
    #expect(share.renewal(by: ben, shown: other)?.card == own)
    #expect(share.renewal(by: ben, shown: own) == nil)
  }

  @Test func `a card with another guest's keys takes nothing from that guest`() async throws {
    let world = try SharedWorld()
    try await world.accept(world.invite(world.cara), by: world.cara)
    try await world.settle()
    // A reader signs a card of its own with the other's key to sign, and its own to seal to.
    let code = try await world.invite(world.ben, as: "a-reader", mayWrite: false)
    try await world.accept(code, by: world.ben, as: "a-reader")
    let victim = PersonKey(world.cara.first.keys.vault.current).signing.publicKey
    let ben = PersonKey(world.ben.first.keys.vault.current)
    let card = try world.card(
      of: world.ben, signing: victim, box: ben.box.publicKey)
    world.place.participant("a-reader", in: world.name) {
      $0.card = ShownCard(card, by: code).bytes
    }
    try await world.settle()
    #expect(world.entry(on: world.anna.first)?.parts.map(\.id) == ["a-reader", "cara"])
    try world.anna.beginEpoch()
    try await world.settle()
    try world.cara.first.write("c", "of cara", in: world.trip)
    try world.anna.first.write("d", "later", in: world.trip)
    try await world.settle()
    #expect(try world.anna.devices[1].texts == ["later", "of anna", "of cara"])
    #expect(try world.cara.first.texts == ["later", "of anna", "of cara"])
    #expect(try world.cara.first.store.access(to: world.trip.zone)?.role == .writer)
  }

  // MARK: Invitations

  @Test func `an invitation that the server moves or swaps opens nothing`() async throws {
    let world = try SharedWorld()
    let code = try await world.invite(world.ben)
    let other = try await world.invite(world.cara)
    let shelf = world.place.objects.filter {
      $0.segment.info.zone == world.name.zone && $0.isOnShelf
    }
    let name = SharedZoneName(domain: world.name.domain, zone: "aaaaaaaaaaaaaaaaaaaaaaaaaa")
    let coding = DeflateSegmentCoding()
    for object in shelf {
      let bytes = try coding.envelope(of: object.segment)
      #expect(ShareInvitation.open(bytes, code: code, at: name) == nil)
      try await ShareShelf(ForwardingTransport(world.place.view(of: "ben"))).store(bytes, in: name)
    }
    let transport = world.ben.first.transport()
    #expect(try await transport.open(code, at: name, share: "s", secret: "x") == nil)
    let wrong = RecoveryCode(from: world.environment)
    #expect(try await transport.open(wrong, at: world.name, share: "s", secret: "x") == nil)
    // Only the other's invitation is there.
    world.place.objects.removeAll { object in
      guard object.isOnShelf, let bytes = try? coding.envelope(of: object.segment) else {
        return false
      }
      return ShareInvitation.open(bytes, code: other, at: world.name) == nil
    }
    #expect(try await transport.open(code, at: world.name, share: "s", secret: "x") == nil)
    #expect(try await transport.open(other, at: world.name, share: "s", secret: "x") != nil)
  }

  @Test func `an invitation that has ended is not revived`() async throws {
    let world = try SharedWorld()
    let code = try await world.invite(world.ben)
    let before = world.place.objects
    world.set("ben", mayWrite: nil)
    try await world.anna.sync()
    // The server keeps what it had, lets the guest accept, and says that the guest takes part.
    world.place.objects += before.filter { one in
      !world.place.objects.contains { $0.listed.head == one.listed.head }
    }
    world.place.participant("ben", in: world.name) { ($0.isThere, $0.mayWrite) = (true, true) }
    try await world.accept(code, by: world.ben)
    try world.anna.first.write("later", "not for ben", in: world.trip)
    try await world.settle()
    #expect(world.entry(on: world.anna.first)?.parts.isEmpty == true)
    #expect(world.entry(on: world.anna.first)?.ended == ["ben"])
    #expect(try !world.ben.first.texts.contains("not for ben"))
    let forged = try world.segment()
    let sealed = try world.seal(forged, by: world.ben.first.keys)
    #expect(try await world.verdict(world.anna.first, on: forged, as: sealed) != .taken)
  }

  @Test func `letting a device go ends open invitations, since it knows their codes`() async throws
  {
    let world = try SharedWorld()
    let code = try await world.invite(world.ben)
    try await world.accept(world.invite(world.cara), by: world.cara)
    try await world.settle()
    // Without anyone to let go they stay.
    try world.anna.beginEpoch()
    #expect(world.anna.first.keys.membership.invitations["ben"]?.mayWrite == true)
    try await world.settle()
    try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    let sent = world.anna.first.keys.membership.invitations
    #expect(try #require(sent["ben"]).mayWrite == nil)
    #expect(sent["cara"]?.mayWrite == true)
    // Whoever has the code from the stolen device shows a card with it.
    world.place.participant("ben", in: world.name) {
      ($0.person, $0.card) = ("ben", world.ben.first.keys.shownCard(for: code))
    }
    try await world.settle()
    #expect(world.entry(on: world.anna.first)?.parts.map(\.id) == ["cara"])
    #expect(world.entry(on: world.anna.first)?.ended == ["ben"])
  }

  @Test func `a device that was let go invites nobody, and takes part nowhere`() async throws {
    let world = try await SharedWorld.shared()
    var stolen = world.anna.devices[1].keys
    try world.anna.beginEpoch(lettingGo: [world.anna.devices[1]])
    try await world.settle()
    let before = world.anna.first.keys.membership
    stolen.state(
      SentInvitation(
        participant: "friend", domain: SharingDevice.domain, zone: world.trip.zone, title: "",
        name: "", mayWrite: true, code: RecoveryCode(from: world.environment)),
      from: world.environment)
    stolen.set("cara", mayWrite: nil, from: world.environment)
    stolen.accept(
      try #require(world.ben.first.keys.membership.shares[world.name]), from: world.environment)
    stolen.verify(try #require(world.ben.first.keys.card), from: world.environment)
    // Under the name that it had, and under a new one.
    var again = DeviceKeys(of: stolen.vault, from: world.environment)
    again.state(
      SentInvitation(
        participant: "friend", domain: SharingDevice.domain, zone: world.trip.zone, title: "",
        name: "", mayWrite: true, code: RecoveryCode(from: world.environment)),
      from: world.environment)
    var keys = world.anna.first.keys
    keys.learn(stolen.statements + again.statements)
    #expect(keys.membership.invitations == before.invitations)
    #expect(keys.membership.shares == before.shares && keys.membership.verified == before.verified)
  }

  @Test
  func `who was let go in one of two epochs at once invites nobody with the key of the other`()
    throws
  {
    let world = try SharedWorld()
    let (laptop, phone) = (world.anna.first, world.anna.devices[1])
    let tablet = try world.anna.join()
    let all = world.anna.devices
    func lettingGo(_ gone: SharingDevice, _ keys: DeviceKeys) throws -> DeviceKeys {
      var keys = keys
      try keys.beginEpoch(
        by: world.anna.owner,
        lettingGo: keys.membership.members.filter { $0.key == gone.keys.signing.publicKey },
        objects: [:], slots: { _ in [] }, from: world.environment)
      return keys
    }
    try #require(all.count == 3)
    let (one, other) = (try lettingGo(phone, laptop.keys), try lettingGo(laptop, tablet.keys))
    var thief = phone.keys
    thief.learn(one.statements + other.statements)
    try #require(thief.vault.epoch == 2)
    // It draws a new key to sign with.
    var stranger = DeviceKeys(of: thief.vault, from: world.environment)
    stranger.state(
      SentInvitation(
        participant: "friend", domain: SharingDevice.domain, zone: world.trip.zone, title: "",
        name: "", mayWrite: true, code: RecoveryCode(from: world.environment)),
      from: world.environment)
    var keys = other
    keys.learn(one.statements)
    try #require(keys.membership.isSplit)
    keys.learn(stranger.statements)
    #expect(keys.membership.invitations.isEmpty)
  }

  @Test
  func `what is written after a removal is not sealed for who was removed, whatever is hidden`()
    async throws
  {
    let world = try await SharedWorld.shared()
    world.set("ben", mayWrite: nil)
    let phone = world.anna.devices[1]
    // The place shows the phone no share and no entry, as if it were shared somewhere else.
    let shares = world.place.state.withLock { $0.shares }
    world.place.state.withLock { $0.hides = { $0 == "anna" && $1.isOnShelf } }
    world.place.state.withLock { $0.shares = [:] }
    try phone.write("later", "not for ben", in: world.trip)
    let heads = Set(world.place.objects.map(\.listed.head))
    #expect(try await phone.sync().error == nil)
    let new = world.place.objects.filter { !heads.contains($0.listed.head) }.map(\.segment)
    try #require(!new.isEmpty)
    for sealed in new {
      #expect(throws: SyncError.self) {
        try SealedSegments(world.ben.first.keys, environment: world.environment).open(
          sealed, of: SharingDevice.domain)
      }
    }
    // Once the place is honest again, the others read it.
    world.place.state.withLock { ($0.shares, $0.hides) = (shares, { _, _ in false }) }
    try await world.settle()
    #expect(try world.cara.first.texts == ["not for ben", "of anna"])
    #expect(try world.ben.first.texts == ["of anna"])
  }

  // MARK: The guest's own data

  /// Which zone of the guest's own an inviter aims at.
  enum Aim: String, CaseIterable, Sendable {
    case hasItsName, liesInItsPlace, liesInThePlaceOfTheHome, liesInThePlaceOfErasures
    case liesInAnotherDomain, liesAmongTheKeys
  }

  @Test(arguments: Aim.allCases)
  func `nothing of a guest's own is sealed for who invites`(_ aim: Aim) async throws {
    let world = try SharedWorld()
    let guest = world.ben.first
    let own = try guest.diary("own", "Own")
    try guest.write("secret", "of ben alone", in: own)
    // Whoever accepts has the record, and so have the other devices before they learn of the share.
    if aim == .hasItsName { try await world.ben.sync() }
    let pseudonyms = Pseudonyms(guest.keys.vault)
    let domain = SharingDevice.domain
    let (zone, names): (ZoneID, ZoneNames)
    let key = world.environment.randomBytes(32)
    switch aim {
    case .hasItsName:
      (zone, names) = (own.zone, ZoneNames(domain: world.name.domain, zone: "x", key: key))
    case .liesInItsPlace:
      let place = pseudonyms.names(of: own.zone, in: domain)
      (zone, names) = ("z", ZoneNames(domain: place.domain, zone: place.zone, key: key))
    case .liesInThePlaceOfTheHome:
      let place = pseudonyms.names(of: .home, in: domain)
      (zone, names) = ("z", ZoneNames(domain: place.domain, zone: place.zone, key: key))
    case .liesInThePlaceOfErasures:
      let place = pseudonyms.names(of: ErasureWord.zone, in: domain)
      (zone, names) = ("z", ZoneNames(domain: place.domain, zone: place.zone, key: key))
    case .liesInAnotherDomain:
      let place = pseudonyms.names(of: own.zone, in: domain)
      (zone, names) = ("z", ZoneNames(domain: place.domain, zone: place.zone, key: key))
    case .liesAmongTheKeys:
      (zone, names) = ("z", ZoneNames(domain: KeyPlace.domain, zone: "statements", key: key))
    }
    let keys = [ZoneKeyName(epoch: 9, share: 9): world.environment.randomBytes(32)]
    let grant = ShareGrant(
      card: try #require(world.anna.first.keys.card),
      domain: aim == .liesInAnotherDomain ? "other-domain" : domain, zone: zone, names: names,
      title: "", mayWrite: true, number: 0, keys: keys)
    let code = RecoveryCode(from: world.environment)
    let place = SharedZoneName(domain: names.domain, zone: names.zone)
    try await ShareShelf(ForwardingTransport(world.place.view(of: "anna"))).store(
      ShareInvitation.seal(grant, code: code, from: world.environment), in: place)
    world.place.state.withLock {
      $0.shares[place] = (
        "anna", [SharedPlace.Participant(id: "ben", person: "ben", mayWrite: true)]
      )
    }
    let opened = try #require(
      try await guest.transport().open(code, at: place, share: "s", secret: "x"))
    world.accept(opened, by: world.ben)
    try guest.write("secret2", "of ben alone, later", in: own)
    for _ in 0..<2 { try await guest.sync() }
    // The inviter has what it has given, and the place gives it all that there is.
    let inviter = ShareBook(world.anna.first.keys)
    #expect(inviter.foreign.isEmpty)
    for object in world.place.objects where !object.isOnShelf {
      let name = SharedZoneName(domain: object.segment.info.domain, zone: object.segment.info.zone)
      guard let epoch = object.segment.info.seal?.epoch, name.domain != world.name.domain else {
        continue
      }
      #expect(epoch == 1, "it is sealed with the guest's own key")
    }
    // What it has stored is where it was, and its other devices have it.
    try await world.ben.devices[1].sync()
    for device in world.ben.devices {
      #expect(try device.texts == ["of ben alone", "of ben alone, later"])
    }
    let sealed = try await guest.transport().sealing.seal(world.segment(own.zone))
    #expect(
      sealed.info.zone == pseudonyms.zone(own.zone, of: domain) && sealed.info.seal?.epoch == 1)
  }

  // MARK: Withdrawals

  @Test func `a withdrawal by the server alone takes nothing away`() async throws {
    let world = try await SharedWorld.shared()
    try world.ben.first.write("b", "of ben", in: world.trip)
    try await world.settle()
    let before = world.place.objects
    let pseudonyms = Pseudonyms(world.ben.first.keys.vault)
    let words = [
      ReplicaID(high: 1, low: 2),
      pseudonyms.withdrawal(of: world.trip.zone, in: SharingDevice.domain),
    ]
    for word in words {
      try await world.place.view(of: "anna").erase(
        world.name.zone, of: world.name.domain,
        confirmedBy: Confirmations([word: VersionVector()]))
      for device in world.ben.devices + world.cara.devices {
        try await device.sync()
        #expect(try device.texts == ["of anna", "of ben"])
        #expect(try device.store.access(to: world.trip.zone)?.role == .removed)
      }
    }
    world.place.state.withLock { ($0.objects, $0.erased) = (before, [:]) }
    try await world.settle()
    try world.anna.first.write("c", "later", in: world.trip)
    try await world.settle()
    #expect(try world.ben.first.texts == ["later", "of anna", "of ben"])
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .writer)
  }

  @Test func `a server that says that a guest has left takes nothing away`() async throws {
    let world = try await SharedWorld.shared()
    try await world.settle()
    world.place.state.withLock {
      $0.pretends = { person, _ in
        person == "anna"
          ? ZoneAccess(role: .owner, participants: 2) : ZoneAccess(role: .left, owner: "anna")
      }
    }
    for device in world.ben.devices + world.cara.devices {
      try await device.sync()
      #expect(try device.texts == ["of anna"])
      #expect(try device.store.access(to: world.trip.zone)?.role == .removed)
    }
    world.place.state.withLock { $0.pretends = { _, _ in nil } }
    try await world.settle()
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .writer)
    // The person's own word does, on all devices and whatever the server says.
    var keys = world.ben.first.keys
    keys.leave(world.name, from: world.environment)
    world.ben.first.keys = keys
    world.ben.meet()
    try await world.settle()
    for device in world.ben.devices { #expect(try device.texts == []) }
    #expect(try world.cara.first.texts == ["of anna"])
  }

  @Test func `a server gives no one another person's zone, and takes none from its owner`()
    async throws
  {
    let world = try await SharedWorld.shared(benWrites: false)
    world.place.state.withLock {
      $0.pretends = { person, _ in ZoneAccess(role: person == "anna" ? .reader : .owner) }
    }
    let newcomer = try world.anna.join()
    try await world.settle()
    for device in world.anna.devices {
      #expect(try device.store.access(to: world.trip.zone)?.role == .owner)
    }
    #expect(try world.ben.first.store.access(to: world.trip.zone)?.role == .reader)
    #expect(try world.cara.first.store.access(to: world.trip.zone)?.role == .writer)
    try newcomer.write("n", "newcomer", in: world.trip)
    try await world.settle()
    #expect(try world.ben.first.texts == ["newcomer", "of anna"])
  }

  @Test func `who takes part cannot tell the word of a withdrawal before it is said`() async throws
  {
    let world = try await SharedWorld.shared()
    let entry = try #require(world.entry(on: world.ben.first))
    let word = Pseudonyms(world.anna.first.keys.vault).withdrawal(
      of: world.trip.zone, in: SharingDevice.domain)
    #expect(entry.withdrawal == SHA256.hash(word.bytes))
    #expect(!world.ben.first.keys.bytes.holds(word.bytes))
  }
}

extension SharedWorld {
  /// A card that its owner signs with keys that are not the person's.
  func card(of person: SharingPerson, signing: [UInt8], box: [UInt8]) throws -> PersonCard {
    let vault = person.first.keys.vault
    var signed = ByteWriter()
    signed.write(raw: "cloudsync/1/card".utf8)
    signed.write(block: vault.id)
    signed.write(fixed: vault.epoch)
    signed.write(block: signing)
    signed.write(block: box)
    var card = ByteWriter()
    card.write(block: vault.id)
    card.write(block: vault.owner)
    card.write(varint: vault.epoch)
    card.write(block: signing)
    card.write(block: box)
    card.write(block: person.owner.key.sign(signed.bytes))
    return try card.bytes.reading { try PersonCard(&$0) }
  }
}

extension [UInt8] {
  /// The same bytes with others in the place of some.
  func replacing(_ part: [UInt8], with other: [UInt8]) -> [UInt8] {
    guard !part.isEmpty, count >= part.count else { return self }
    for start in 0...(count - part.count) where self[start..<start + part.count].elementsEqual(part)
    {
      return Array(self[..<start]) + other + Array(self[(start + part.count)...])
    }
    return self
  }
}
