import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitText
import Testing

@testable import SyncKitEncryption

/// The vectors of Tools/encryption_vectors.py for what people share: the same keys and salts give the same bytes, its bytes
/// are read, and what it has made wrong is refused.
struct ShareVectorTests {
  private let vectors: VectorTests
  /// A person whose vault is in the vectors: the first shares, the others are guests.
  private struct Person {
    let keys: VaultKeys
    let owner: VaultOwner

    /// The card of an epoch.
    func card(_ epoch: Int) -> PersonCard {
      PersonCard(of: keys, in: keys.epochs[epoch - 1], by: owner)
    }

    func key(_ epoch: Int) -> PersonKey { PersonKey(keys.epochs[epoch - 1]) }
  }
  private let persons: [Person]

  init() throws {
    let vectors = try VectorTests()
    self.vectors = vectors
    persons =
      try [Person(keys: vectors.keys, owner: vectors.owner)]
      + vectors.all("persons").map { person in
        let owner = try #require(VaultOwner(seed: person["owner"].secret))
        let epochs = (person["epochs"]?.array ?? []).enumerated().map {
          VaultKeys.EpochKey(number: UInt64($0.offset + 1), key: Optional($0.element).secret)
        }
        let keys = try #require(
          VaultKeys(
            id: person["vault"].secret, owner: owner.key.publicKey, root: person["root"].secret,
            epochs: epochs))
        return Person(keys: keys, owner: owner)
      }
  }

  private var sharer: Person { persons[0] }

  private func person(_ vector: JSON?) throws -> Person {
    persons[try number(vector, "person")]
  }

  private func number(_ vector: JSON?, _ name: String) throws -> Int {
    Int(try #require(vector?[name]?.int))
  }

  /// The names of a vector's zone.
  private func names(_ vector: JSON, of person: Person) -> ZoneNames {
    Pseudonyms(person.keys).names(
      of: ZoneID(vector["zone"].words), in: vector["domain"].words)
  }

  private func place(_ names: ZoneNames) -> SharedZoneName {
    SharedZoneName(domain: names.domain, zone: names.zone)
  }

  private func keyNames(_ vector: JSON) throws -> [ZoneKeyName] {
    try (vector["keys"]?.array ?? []).map { pair in
      let parts = (pair.array ?? []).compactMap(\.int)
      try #require(parts.count == 2)
      return ZoneKeyName(epoch: UInt64(parts[0]), share: UInt64(parts[1]))
    }
  }

  private func key(_ name: ZoneKeyName, _ names: ZoneNames, of person: Person) -> [UInt8] {
    person.keys.zone(
      names.zone, of: names.domain, in: person.keys.epochs[Int(name.epoch) - 1],
      share: name.share)
  }

  private func words(_ vector: JSON, _ name: String) -> [String] {
    (vector[name]?.array ?? []).map { Optional($0).words }
  }

  private func secrets(_ vector: JSON, _ name: String) -> [[UInt8]] {
    (vector[name]?.array ?? []).map { Optional($0).secret }
  }

  // MARK: Cards

  @Test func `cards are read, and made again`() throws {
    for vector in try vectors.all("cards") {
      let card = try person(vector).card(number(vector, "epoch"))
      let bytes = vector["card"].secret
      #expect(card.bytes == bytes)
      #expect(try bytes.reading { try PersonCard(&$0) } == card)
    }
  }

  @Test func `a card that its owner has not signed is refused`() throws {
    for vector in try vectors.all("refusedCards") {
      #expect(throws: SyncError.self, "\(vector["why"].words)") {
        try vector["card"].secret.reading { try PersonCard(&$0) }
      }
    }
  }

  @Test func `a card is shown by whoever has the code`() throws {
    for vector in try vectors.all("shownCards") {
      let code = RecoveryCode(secret: vector["code"].secret)
      let isShown = vector["isShown"]?.bool == true
      let shown = try #require(ShownCard(vector["shown"].secret))
      #expect(shown.isShown(by: code) == isShown, "\(vector["why"].words)")
      guard isShown else { continue }
      let card = try person(vector).card(number(vector, "epoch"))
      #expect(shown.card == card && ShownCard(card, by: code).bytes == vector["shown"].secret)
    }
  }

  // MARK: The shelf

  @Test func `the series of entries and the word of a withdrawal have the same names`() throws {
    for vector in try vectors.all("shelves") {
      let series = ShareBook.series(of: place(names(vector, of: sharer)))
      #expect(series.bytes == vector["series"].secret)
      let word = Pseudonyms(sharer.keys).withdrawal(
        of: ZoneID(vector["zone"].words), in: vector["domain"].words)
      #expect(word.bytes == vector["withdrawal"].secret)
      #expect(SHA256.hash(word.bytes) == vector["hash"].secret)
    }
  }

  private func grant(_ vector: JSON, of person: Person, _ epoch: Int) throws -> ShareGrant {
    let names = names(vector, of: person)
    let keys = try keyNames(vector)
    return ShareGrant(
      card: person.card(epoch), domain: vector["domain"].words, zone: ZoneID(vector["zone"].words),
      names: names, title: vector["title"].words, mayWrite: vector["mayWrite"]?.bool == true,
      number: UInt64(try number(vector, "number")),
      keys: Dictionary(
        uniqueKeysWithValues: keys.map { ($0, key($0, names, of: person)) }))
  }

  @Test func `invitations are opened, and sealed to the same bytes`() throws {
    for vector in try vectors.all("invitations") {
      let grant = try grant(vector, of: sharer, number(vector, "epoch"))
      let code = RecoveryCode(secret: vector["code"].secret)
      let sealed = vector["sealed"].secret
      #expect(
        ShareInvitation.seal(grant, code: code, from: vectors.drawing(vector["salt"].secret))
          == sealed)
      #expect(ShareInvitation.open(sealed, code: code, at: place(grant.names)) == grant)
    }
  }

  @Test func `an invitation that says what it cannot, or lies elsewhere, is refused`() throws {
    for vector in try vectors.all("refusedInvitations") {
      let place = SharedZoneName(
        domain: vector["placeDomain"].words, zone: ZoneID(vector["placeZone"].words))
      let code = RecoveryCode(secret: vector["code"].secret)
      #expect(
        ShareInvitation.open(vector["sealed"].secret, code: code, at: place) == nil,
        "\(vector["why"].words)")
    }
  }

  // MARK: Entries

  private func entry(_ vector: JSON) throws -> ShareEntry {
    let word = Pseudonyms(sharer.keys).withdrawal(
      of: ZoneID(vector["zone"].words), in: vector["domain"].words)
    return ShareEntry(
      card: sharer.card(try number(vector, "epoch")),
      number: UInt64(try number(vector, "number")), keys: try keyNames(vector),
      devices: secrets(vector, "devices"),
      parts: try (vector["parts"]?.array ?? []).map { part in
        ShareEntry.Part(
          id: part["id"].words, card: try person(part).card(number(part, "epoch")),
          mayWrite: part["mayWrite"]?.bool == true)
      }, ended: words(vector, "ended"), former: secrets(vector, "former"),
      kept: Set(
        try secrets(vector, "kept").map { head in try head.reading { try $0.hash() } }),
      withdrawal: SHA256.hash(word.bytes))
  }

  @Test func `entries are opened, and sealed to the same bytes`() throws {
    for vector in try vectors.all("entries") {
      let names = names(vector, of: sharer)
      let environment = vectors.drawing(vector["drawn"].secret)
      var entry = try entry(vector)
      entry.sealKeys(
        place(names), of: sharer.keys.id, { key($0, names, of: sharer) }, from: environment)
      let signer = sharer.key(try number(vector, "epoch"))
      let sealed = vector["sealed"].secret
      #expect(entry.sealed(by: signer, names, from: environment) == sealed)
      let opened = ShareEntry.open(sealed, of: sharer.keys.id, sharer.keys.owner, names)
      #expect(opened == entry)
    }
  }

  @Test func `whoever has a part in an entry finds the keys of the zone, and no one else`() throws {
    for vector in try vectors.all("entries") {
      let names = names(vector, of: sharer)
      let entry = try #require(
        ShareEntry.open(vector["sealed"].secret, of: sharer.keys.id, sharer.keys.owner, names))
      let parts = vector["parts"]?.array ?? []
      let all = Dictionary(
        uniqueKeysWithValues: entry.keys.map { ($0, key($0, names, of: sharer)) })
      for (place, guest) in persons.enumerated() {
        let part = try parts.first { try number($0, "person") == place }
        // The device has the secrets of all epochs of its person.
        let found = entry.keys(
          self.place(names), for: guest.keys.epochs.reversed().map { PersonKey($0) })
        #expect(found == (part == nil ? [:] : all))
      }
    }
  }

  @Test func `an entry that is not of the zone's owner, or says what it cannot, is refused`() throws
  {
    for vector in try vectors.all("refusedEntries") {
      let entry = ShareEntry.open(
        vector["sealed"].secret, of: sharer.keys.id, sharer.keys.owner,
        names(vector, of: sharer))
      #expect(entry == nil, "\(vector["why"].words)")
    }
  }
}

// MARK: Objects and statements

extension ShareVectorTests {
  /// What one of the owner's devices opens, of a zone in which the guests take part.
  private func ownersSealing(
    _ vector: JSON, guests: [ShareEntry.Part], keys: [ZoneKeyName]
  ) -> SealedSegments {
    let names = names(vector, of: sharer)
    let device = DeviceKeys(sharer.keys, author: [UInt8](repeating: 1, count: 32))
    var sealing = SealedSegments(device, environment: vectors.drawing([]))
    sealing.shares.own[place(names)] = ShareBook.OwnZone(
      domain: vector["domain"].words, zone: ZoneID(vector["zone"].words), names: names,
      entry: ShareEntry(
        card: sharer.card(3), number: 1, keys: keys, parts: guests, withdrawal: []))
    return sealing
  }

  private func part(_ person: Person, mayWrite: Bool) -> ShareEntry.Part {
    ShareEntry.Part(
      id: "p", card: person.card(person.keys.epochs.count), mayWrite: mayWrite)
  }

  @Test func `what a guest stores is sealed to the same bytes, and opened by the owner`() throws {
    let coding = DeflateSegmentCoding()
    for vector in try vectors.all("guestObjects") {
      let (guest, names) = (try person(vector), names(vector, of: sharer))
      let zoneKey = ZoneKeyName(
        epoch: UInt64(try number(vector, "epoch")), share: UInt64(try number(vector, "share")))
      let grant = ShareGrant(
        card: sharer.card(3), domain: vector["domain"].words, zone: ZoneID(vector["zone"].words),
        names: names, title: "", mayWrite: true, number: 1,
        keys: [zoneKey: key(zoneKey, names, of: sharer)])
      var device = DeviceKeys(guest.keys, author: [UInt8](repeating: 2, count: 32))
      let code = RecoveryCode(secret: [UInt8](repeating: 3, count: 16))
      device.accept(
        AcceptedShare(grant, share: "s", secret: "t", code: code),
        from: SyncEnvironment(now: { 0 }, random: { 0 }))
      let sealing = SealedSegments(
        device, environment: vectors.drawing(vector["salt"].secret))
      let sealed = try sealing.seal(coding.read(vector["plain"].secret))
      #expect(sealed.bytes == vector["sealed"].secret)
      let mayWrite = vector["mayWrite"]?.bool == true
      let owners = ownersSealing(
        vector, guests: [part(guest, mayWrite: mayWrite)], keys: [zoneKey])
      guard mayWrite else {
        let error = #expect(throws: SyncError.self) {
          try owners.open(sealed, of: vector["domain"].words)
        }
        #expect(error?.code == .readOnly)
        continue
      }
      let opened = try owners.open(sealed, of: vector["domain"].words)
      #expect(opened.segment.bytes == vector["plain"].secret)
      #expect(opened.author == guest.key(guest.keys.epochs.count).signing.publicKey)
    }
  }

  @Test func `what another has signed or sealed than a guest in this zone is refused`() throws {
    for vector in try vectors.all("refusedGuestObjects") {
      let owners = ownersSealing(
        vector, guests: [part(persons[1], mayWrite: true)],
        keys: [ZoneKeyName(epoch: 3, share: 1)])
      let error = #expect(throws: SyncError.self, "\(vector["why"].words)") {
        try owners.open(
          DeflateSegmentCoding().read(vector["sealed"].secret), of: vector["domain"].words)
      }
      #expect(error?.code.name == vector["code"].words, "\(vector["why"].words)")
    }
  }

  /// What a vector says, made here.
  private func content(_ vector: JSON) throws -> Statement.Content {
    switch vector["kind"].words {
    case "card":
      return .card(sharer.card(try number(vector, "epoch")))
    case "invitation":
      var invitation = SentInvitation(
        participant: vector["participant"].words, domain: vector["domain"].words,
        zone: ZoneID(vector["zone"].words), title: vector["title"].words,
        name: vector["name"].words, mayWrite: true,
        code: RecoveryCode(secret: vector["code"].secret))
      invitation.mayWrite = vector["mayWrite"]?.bool
      invitation.time = try #require(vector["time"]?.int)
      return .invitation(invitation)
    case "share":
      var share = AcceptedShare(
        try grant(vector, of: try person(vector), 3), share: vector["share"].words,
        secret: vector["secret"].words, code: RecoveryCode(secret: vector["code"].secret))
      share.isLeft = vector["left"]?.bool == true
      share.time = try #require(vector["time"]?.int)
      return .share(share)
    default:
      return .verified(vector["owner"].secret)
    }
  }

  @Test func `statements of what is shared are opened, and made again`() throws {
    let seeds = (vectors.file["statementSeeds"]?.array ?? []).map { Optional($0).secret }
    for vector in try vectors.all("shareStatements") {
      let author = try #require(SigningKey(seed: seeds[try number(vector, "by")]))
      let content = try content(vector)
      let epoch = sharer.keys.epochs[try number(vector, "epoch") - 1]
      let sealed = SealedStatement(vector["sealed"].secret)
      let statement = try #require(sealed.open(with: sharer.keys))
      #expect(statement == Statement(author: author.publicKey, epoch: epoch, content: content))
      #expect(
        sealed
          == SealedStatement(
            content, by: author, in: epoch, of: sharer.keys.id,
            from: vectors.drawing(vector["salt"].secret)))
    }
  }

  @Test func `a statement that says what it cannot is none`() throws {
    for vector in try vectors.all("refusedStatements") {
      let sealed = SealedStatement(vector["sealed"].secret)
      #expect(sealed.open(with: sharer.keys) == nil, "\(vector["why"].words)")
    }
  }
}
