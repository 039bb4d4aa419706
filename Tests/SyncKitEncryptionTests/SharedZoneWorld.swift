import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

// A place where three people share a zone. The place plays the server, and does what a test tells it to.

/// What lies on a place, who takes part in what, and what of it the place shows to whom.
final class SharedPlace: Sendable {
  /// A participant of a share, as the server keeps it.
  struct Participant {
    var id: String
    var person: String?
    var mayWrite: Bool
    var isThere = true
    var card: [UInt8]?
  }

  /// What lies there, under the name under which it is listed.
  struct Object {
    var segment: Segment
    var listed: SegmentReference
    var domain: String
    var isOnShelf: Bool { segment.info.seal?.suite == ShareShelf.suite }
  }

  struct State {
    var objects: [Object] = []
    /// The owner of each shared zone, and who takes part in it.
    var shares: [SharedZoneName: (owner: String, participants: [Participant])] = [:]
    var erased: [SharedZoneName: Confirmations] = [:]
    /// What a device is not shown, by the name of the person.
    var hides: @Sendable (_ person: String, _ object: Object) -> Bool = { _, _ in false }
    /// What the place says of a person's part, in place of what is so.
    var pretends: @Sendable (_ person: String, SharedZoneName) -> ZoneAccess? = { _, _ in nil }
  }

  let state = Mutex(State())

  var objects: [Object] {
    get { state.withLock { $0.objects } }
    set { state.withLock { $0.objects = newValue } }
  }

  func participant(_ id: String, in name: SharedZoneName, _ change: (inout Participant) -> Void) {
    state.withLock { state in
      guard let index = state.shares[name]?.participants.firstIndex(where: { $0.id == id }) else {
        return
      }
      if var participant = state.shares[name]?.participants[index] {
        change(&participant)
        state.shares[name]?.participants[index] = participant
      }
    }
  }

  /// Puts an object where it says that it lies, or elsewhere.
  func put(_ segment: Segment, at name: SharedZoneName? = nil) {
    var listed = SegmentReference(segment, location: "\(segment.info.head)-\(segment.bytes.count)")
    if let name { listed.zone = name.zone }
    let object = Object(
      segment: segment, listed: listed, domain: name?.domain ?? segment.info.domain)
    state.withLock { $0.objects.append(object) }
  }

  func view(of person: String) -> View { View(place: self, person: person) }

  /// The place as the devices of one person see it.
  struct View: RemovingTransport, ErasingTransport {
    let place: SharedPlace
    let person: String

    func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
      ["vault-of-\(person)"]
    }

    func inventory(of domain: String) async throws -> Inventory {
      place.state.withLock { state in
        var inventory = Inventory(
          segments: state.objects.filter {
            $0.domain == domain && !state.hides(person, $0)
          }.map(\.listed))
        var access: [ZoneID: ZoneAccess] = [:]
        for (name, share) in state.shares where name.domain == domain {
          access[name.zone] =
            state.pretends(person, name) ?? Self.access(of: person, share.owner, share.participants)
        }
        inventory.access = access
        for (name, word) in state.erased where name.domain == domain {
          inventory.erased[name.zone] = word
        }
        return inventory
      }
    }

    private static func access(
      of person: String, _ owner: String, _ participants: [Participant]
    ) -> ZoneAccess? {
      if person == owner {
        return ZoneAccess(role: .owner, participants: participants.count(where: \.isThere))
      }
      guard let own = participants.last(where: { $0.person == person }) else { return nil }
      return ZoneAccess(
        role: own.isThere ? own.mayWrite ? .writer : .reader : .removed, owner: owner)
    }

    func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
      place.objects.first {
        $0.domain == domain && $0.listed.location == reference.location
      }?.segment
    }

    func store(_ segment: OutboundSegment) async throws {
      let isThere = place.objects.contains {
        $0.domain == segment.segment.info.domain
          && $0.listed.head == segment.segment.info.head
      }
      if !isThere { place.put(segment.segment) }
    }

    var removal: SegmentRemoval { .onRequest }

    func remove(_ references: [SegmentReference], of domain: String) async throws {
      let gone = Set(references.map(\.location))
      place.objects.removeAll {
        $0.domain == domain && gone.contains($0.listed.location)
      }
    }

    func erase(
      _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
    ) async throws {
      place.state.withLock { state in
        let name = SharedZoneName(domain: domain, zone: zone)
        state.erased[name, default: Confirmations()].formUnion(confirmations)
        state.objects.removeAll { $0.domain == domain && $0.listed.zone == zone }
      }
    }
  }
}

/// A time that goes on with each look at it.
final class SharedClock: Sendable {
  private let now = Mutex<Int64>(1_000)

  var environment: SyncEnvironment {
    SyncEnvironment(
      now: {
        self.now.withLock {
          $0 += 1; return $0
        }
      },
      random: { UInt64.random(in: 0 ... .max) })
  }
}

/// A device of a person, with a store of diaries.
final class SharingDevice: Sendable {
  static let domain = "diary-domain"

  let person: String
  let place: SharedPlace
  let store: SyncStore
  let environment: SyncEnvironment
  private let held: Mutex<DeviceKeys>

  var keys: DeviceKeys {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  private struct Diaries: SyncDomain {
    let schema = DomainSchema(
      SharingDevice.domain,
      [
        RecordType("diary", placement: .root, fields: [Field("title", .string)]),
        RecordType(
          "entry", placement: .parent, parents: ["diary"], fields: [Field("text", .string)]),
      ])
  }

  init(
    _ name: String, of person: String, _ keys: DeviceKeys, _ place: SharedPlace,
    _ environment: SyncEnvironment
  ) throws {
    (self.person, self.place, self.environment) = (person, place, environment)
    store = try SyncStore(
      Diaries(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: name, name: name), environment: environment)
    var keys = keys
    keys.introduce(id: name, name: name, from: environment)
    held = Mutex(keys)
  }

  func transport(_ memory: (any ObjectMemory)? = nil) -> EncryptedTransport {
    let store = store
    return EncryptedTransport(
      place.view(of: person), keys: keys, memory: memory ?? StoreMemory(store, remote: "place"),
      environment: environment,
      isTaken: { $0 == Self.domain && (try? store.isTaken($1, on: "place")) ?? true },
      noteEntries: { entries in self.held.withLock { $0 = $0.noting(entries) } })
  }

  /// What the server says of this person's own shares.
  private var shares: [ZoneID: [ShareParticipant]] {
    place.state.withLock { state in
      var people: [ZoneID: [ShareParticipant]] = [:]
      for (name, share) in state.shares where share.owner == person {
        people[name.zone] = share.participants.map {
          ShareParticipant(
            id: $0.id, isThere: $0.isThere, mayWrite: $0.mayWrite, card: $0.card)
        }
      }
      return people
    }
  }

  /// States who takes part, as a device does before it syncs.
  func state() async throws {
    try await transport().state(shares, of: Self.domain)
  }

  /// Shows a newer card, states who takes part, and syncs.
  @discardableResult
  func sync(stating: Bool = true) async throws -> SyncOutcome {
    for share in keys.membership.shares.values {
      let own = place.state.withLock { state in
        state.shares[share.place]?.participants.last { $0.person == person }
      }
      guard let own, let renewal = share.renewal(by: keys, shown: own.card) else { continue }
      place.participant(own.id, in: share.place) { $0.card = renewal.card }
    }
    if stating, keys.membership.invitations.values.contains(where: { $0.domain == Self.domain }) {
      try await state()
    }
    let remote = Remote("place", location: "place", transport: transport())
    return await SyncEngine(store: store, remotes: [remote]).sync(SyncOptions())[0]
  }

  @discardableResult
  func diary(_ id: RecordID, _ title: String = "") throws -> RecordKey {
    try store.write {
      try $0.save(RecordDraft("diary", id: id, fields: ["title": .string(title)])).key
    }.result
  }

  func write(_ id: RecordID, _ text: String, in diary: RecordKey) throws {
    _ = try store.write {
      try $0.save(RecordDraft("entry", id: id, parent: diary, fields: ["text": .string(text)]))
    }
  }

  /// The texts of all entries.
  var texts: [String] {
    get throws { try store.records("entry").map { $0["text"].string ?? "" }.sorted() }
  }
}

/// A person with a vault and its devices.
final class SharingPerson {
  let name: String
  let owner: VaultOwner
  private(set) var devices: [SharingDevice] = []
  let environment: SyncEnvironment
  private let vault: VaultKeys
  private let place: SharedPlace

  init(
    _ name: String, devices count: Int, _ place: SharedPlace, _ environment: SyncEnvironment
  ) throws {
    (self.name, self.place, self.environment) = (name, place, environment)
    owner = VaultOwner(from: environment)
    vault = VaultKeys(of: owner, from: environment)
    for number in 0..<count {
      let keys =
        number == 0
        ? DeviceKeys(of: vault, by: owner, from: environment)
        : DeviceKeys(of: vault, from: environment)
      devices.append(
        try SharingDevice("\(name)-\(number)", of: name, keys, place, environment))
    }
    meet()
  }

  var first: SharingDevice { devices[0] }

  /// All devices learn what the others have stated.
  func meet() {
    let stated = devices.flatMap { $0.keys.statements }
    for device in devices {
      var keys = device.keys
      keys.learn(stated)
      device.keys = keys
    }
  }

  /// One more device, which has the keys and nothing else.
  func join() throws -> SharingDevice {
    var keys = DeviceKeys(of: first.keys.vault, from: environment)
    keys.learn(first.keys.statements)
    let device = try SharingDevice("\(name)-\(devices.count)", of: name, keys, place, environment)
    devices.append(device)
    meet()
    return device
  }

  /// Begins a new epoch without some of the devices; these learn nothing of it.
  func beginEpoch(lettingGo gone: [SharingDevice] = []) throws {
    var keys = first.keys
    let letGo = Set(gone.map { $0.keys.signing.publicKey })
    var objects: [[UInt8]: Set<ContentHash>] = [:]
    for device in devices {
      objects.merge(try device.store.objects(by: letGo)) { $0.union($1) }
    }
    try keys.beginEpoch(
      by: owner, lettingGo: keys.membership.members.filter { letGo.contains($0.key) },
      objects: objects, slots: { _ in [] }, from: environment)
    first.keys = keys
    devices.removeAll { device in gone.contains { $0 === device } }
    meet()
  }

  @discardableResult
  func sync() async throws -> [SyncOutcome] {
    meet()
    var outcomes: [SyncOutcome] = []
    for device in devices { outcomes.append(try await device.sync()) }
    return outcomes
  }
}

/// An owner with two devices, a guest with two, another guest with one, and a diary of the owner's.
struct SharedWorld {
  let place = SharedPlace()
  let environment = SharedClock().environment
  let anna: SharingPerson
  let ben: SharingPerson
  let cara: SharingPerson
  let trip: RecordKey
  let name: SharedZoneName

  init() throws {
    anna = try SharingPerson("anna", devices: 2, place, environment)
    ben = try SharingPerson("ben", devices: 2, place, environment)
    cara = try SharingPerson("cara", devices: 1, place, environment)
    trip = try anna.first.diary("trip", "Trip")
    name = anna.first.transport().place(of: trip.zone, in: SharingDevice.domain)
    try anna.first.write("a", "of anna", in: trip)
  }

  /// A world in which both guests take part, and everyone has everything.
  static func shared(benWrites: Bool = true, caraWrites: Bool = true) async throws -> SharedWorld {
    let world = try SharedWorld()
    for (guest, mayWrite) in [(world.ben, benWrites), (world.cara, caraWrites)] {
      try await world.accept(world.invite(guest, mayWrite: mayWrite), by: guest)
    }
    try await world.settle()
    return world
  }

  /// Invites a guest; gives the code of the link.
  @discardableResult
  func invite(
    _ guest: SharingPerson, as id: String? = nil, mayWrite: Bool = true
  ) async throws -> RecoveryCode {
    let (id, code) = (id ?? guest.name, RecoveryCode(from: environment))
    try await anna.first.sync()
    place.state.withLock { state in
      state.shares[name, default: ("anna", [])].participants.append(
        SharedPlace.Participant(id: id, person: nil, mayWrite: mayWrite))
    }
    let sent = SentInvitation(
      participant: id, domain: SharingDevice.domain, zone: trip.zone, title: "Trip",
      name: guest.name, mayWrite: mayWrite, code: code)
    var keys = anna.first.keys
    keys.state(sent, from: environment)
    anna.first.keys = keys
    try await anna.first.state()
    try await anna.first.transport().store(sent)
    anna.meet()
    return code
  }

  /// Shows the card to the server, and opens the invitation.
  func accept(
    _ code: RecoveryCode, by guest: SharingPerson, as id: String? = nil
  ) async throws {
    let id = id ?? guest.name
    place.participant(id, in: name) {
      ($0.person, $0.card) = (guest.name, guest.first.keys.shownCard(for: code))
    }
    let opened = try await guest.first.transport().open(code, at: name, share: "s", secret: id)
    try accept(#require(opened), by: guest)
  }

  func accept(_ share: AcceptedShare, by guest: SharingPerson) {
    var keys = guest.first.keys
    keys.accept(share, from: environment)
    guest.first.keys = keys
    guest.meet()
  }

  /// What the owner says of a guest.
  func set(_ guest: String, mayWrite: Bool?, telling isTold: Bool = true) {
    var keys = anna.first.keys
    keys.set(guest, mayWrite: mayWrite, from: environment)
    anna.first.keys = keys
    anna.meet()
    guard isTold else { return }
    place.participant(guest, in: name) {
      ($0.isThere, $0.mayWrite) = (mayWrite != nil, mayWrite == true)
    }
  }

  /// Everyone syncs until all that can arrive has.
  func settle() async throws {
    for _ in 0..<3 {
      for person in [anna, ben, cara] { try await person.sync() }
    }
  }

  func entry(on device: SharingDevice) -> ShareEntry? {
    let book = ShareBook(device.keys)
    return book.own[name]?.entry ?? book.foreign[name]?.entry
  }

  // MARK: Forging

  /// A segment in the shared zone that no device has written.
  func segment(_ zone: ZoneID? = nil, _ text: String = "forged") throws -> Segment {
    let coding = DeflateSegmentCoding()
    let change = Array(text.utf8) + environment.randomBytes(16)
    return try coding.segment(
      SegmentInfo(
        domain: SharingDevice.domain, zone: zone ?? trip.zone,
        series: ReplicaID(high: environment.random(), low: 9), first: 1, last: 1,
        previous: ContentHash(high: 0, low: 0),
        head: coding.chain(ContentHash(high: 0, low: 0), change), base: VersionVector(),
        operations: 1, deletions: 0, newest: 1), changes: [change])
  }

  /// What a device seals with its keys as they are; whatever the book says that it knows.
  func seal(_ segment: Segment, by keys: DeviceKeys, _ book: ShareBook? = nil) throws -> Segment {
    try SealedSegments(keys, shares: book ?? ShareBook(keys), environment: environment).seal(
      segment)
  }

  /// What has become of an object that lies there.
  enum Verdict: Equatable {
    case taken, letGo, awaited, ignored
    case refused(String)
  }

  /// What a device does with an object, while it takes all else.
  func verdict(
    _ device: SharingDevice, on segment: Segment, as sealed: Segment
  ) async throws -> Verdict {
    let before = try await device.transport(ForgetfulMemory()).inventory(of: SharingDevice.domain)
    place.put(sealed)
    let after = try await device.transport(ForgetfulMemory()).inventory(of: SharingDevice.domain)
    let heads = Set(after.segments.map(\.head))
    #expect(heads.isSuperset(of: before.segments.map(\.head)), "nothing else is left out")
    if heads.contains(segment.info.head) { return .taken }
    if let refusal = after.refusal { return .refused(refusal.code.name) }
    if after.notes != before.notes { return .letGo }
    return after.awaited > before.awaited ? .awaited : .ignored
  }
}
