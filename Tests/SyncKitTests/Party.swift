import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A person's own view of a place that several people use: some zones, with a part in them.
final class Account: Transport {
  private let place: InMemoryTransport
  private let view = Mutex<(access: [ZoneID: ZoneAccess], isNew: Bool)>(([:], true))
  private let isTelling = Mutex(true)
  private let hidden: Set<ZoneID>

  init(_ place: InMemoryTransport, hiding hidden: Set<ZoneID> = []) {
    self.place = place
    self.hidden = hidden
  }

  /// Whether it lists the participants.
  var tellsAccess: Bool {
    get { isTelling.withLock { $0 } }
    set { isTelling.withLock { $0 = newValue } }
  }

  func set(_ access: [ZoneID: ZoneAccess]) { view.withLock { $0 = (access, true) } }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await place.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await inventory(of: domain, since: nil)
  }

  func inventory(of domain: String, since position: FeedPosition?) async throws -> Inventory {
    let (access, isNew) = view.withLock { state in
      defer { state.isNew = false }
      return state
    }
    // A new part is listed from its beginning.
    var inventory = try await place.inventory(of: domain, since: isNew ? nil : position)
    let gone = access.filter { $0.value.role == .removed || $0.value.role == .left }
    inventory.segments.removeAll { hidden.contains($0.zone) || gone[$0.zone] != nil }
    inventory.access = tellsAccess ? access : nil
    return inventory
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await place.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws { try await place.store(segment) }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await place.erase(zone, of: domain, confirmedBy: confirmations)
  }
}

/// An owner with a published person, and a guest, who sync with one remote.
struct Party {
  let place = InMemoryTransport()
  let ownerView: Account
  let guestView: Account
  let owner: Phone
  let guest: Phone
  let guestStorage = InMemoryStorage(fingerprint: "disk")
  let guestWitness = TestWitness()
  let ownerEngine: SyncEngine
  let guestEngine: SyncEngine
  let zone: ZoneID

  init(clock: VirtualClock = VirtualClock()) async throws {
    ownerView = Account(place)
    guestView = Account(place)
    owner = try Phone("owner", clock: clock)
    guest = try Phone("guest", clock: clock, storage: guestStorage, witness: guestWitness)
    ownerEngine = SyncEngine(
      store: owner.store, remotes: [Remote("home", location: "o", transport: ownerView)])
    guestEngine = SyncEngine(
      store: guest.store, remotes: [Remote("home", location: "g", transport: guestView)])
    try owner.add("ada", "Ada")
    try owner.set(.synced, "ada")
    zone = try owner.key("person", "ada").zone
    try await ownerEngine.syncNow()
  }

  func give(_ role: ZoneAccess.Role) {
    guestView.set([zone: ZoneAccess(role: role, owner: "Olga")])
    ownerView.set([zone: ZoneAccess(role: .owner, participants: 1)])
  }
}
