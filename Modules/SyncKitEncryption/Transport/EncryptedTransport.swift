import SyncCrypto
public import SyncKit

/// A transport around another one whose place learns nothing but how much there is.
///
/// Everything that goes through it is sealed, and everything that comes is opened and checked: what was changed, moved,
/// made by others or stored unencrypted is passed over with a note, and nothing of it is taken in. Engine and place
/// need not know of it.
public actor EncryptedTransport {
  /// Segments that were opened to find out what they are, and are likely to be wanted next: at most 64 MiB.
  private static let roomForOpened = 64 << 20
  /// How many objects are fetched before what they hold is noted.
  private static let batch = 256

  nonisolated let base: ForwardingTransport
  private nonisolated let pseudonyms: Pseudonyms
  var sealing: SealedSegments
  nonisolated let keys: DeviceKeys
  nonisolated let environment: SyncEnvironment
  private let memory: any ObjectMemory
  private let noteEntries: @Sendable ([SharedZoneName: [UInt8]]) async throws -> Void
  private(set) var known: [ContentHash: KnownObject]?
  private var opened: [ContentHash: Segment] = [:]
  private var openedBytes = 0
  /// What lies there in the place of what a device has stored, by its head.
  private var refused: [ContentHash: SegmentReference] = [:]
  /// What devices have stored after they were let go, by domain.
  private var unwanted: [String: Set<ContentHash>] = [:]
  /// What a dry run has learned is not kept.
  private var mayWrite = true

  /// Wraps a transport.
  ///
  /// - Parameters:
  ///   - base: What stores.
  ///   - keys: The keys of this device.
  ///   - memory: Where it is kept what objects hold.
  ///   - environment: The source of randomness.
  ///   - isTaken: Whether the device has a zone of that name in a domain that is not one that another person shares: such a
  ///     share is passed over.
  ///   - noteEntries: Keeps who takes part in shared zones, with ``DeviceKeys/noting(_:)``.
  public init(
    _ base: any Transport, keys: DeviceKeys, memory: any ObjectMemory,
    environment: SyncEnvironment,
    isTaken: (_ domain: String, _ zone: ZoneID) -> Bool = { _, _ in false },
    noteEntries: @escaping @Sendable ([SharedZoneName: [UInt8]]) async throws -> Void = { _ in }
  ) {
    self.base = ForwardingTransport(base)
    self.memory = memory
    self.keys = keys
    self.environment = environment
    self.noteEntries = noteEntries
    let shares = ShareBook(keys, isTaken: isTaken)
    sealing = SealedSegments(keys, shares: shares, environment: environment)
    pseudonyms = Pseudonyms(keys.vault)
  }

  /// What a domain is called on the places of a vault.
  public static func pseudonym(_ domain: String, _ keys: VaultKeys) -> String {
    Pseudonyms(keys).domain(domain)
  }

  nonisolated func pseudonym(_ domain: String) -> String {
    pseudonyms.domain(domain)
  }

  /// The name under which a segment lies.
  private func name(_ reference: SegmentReference, _ domain: String) -> SegmentReference {
    sealing.names(of: reference.zone, in: domain).name(of: reference, in: domain)
  }

  /// What the place calls the domain in which a zone lies: another person's zone lies in that person's.
  private func place(_ zone: ZoneID, _ domain: String) -> String {
    sealing.shares.foreign(domain, zone)?.names.domain ?? pseudonym(domain)
  }

  /// What the place calls the domains in which a domain's zones lie, the person's own first.
  private func places(_ domain: String) -> [String] {
    let own = pseudonym(domain)
    return [own]
      + Set(sealing.shares.foreignZones(of: domain).map(\.name.domain)).sorted()
      .filter { $0 != own }
  }

  /// References under their names, by the place's name of the domain.
  private func named(
    _ references: [SegmentReference], _ domain: String
  ) -> [(place: String, names: [SegmentReference])] {
    // Nearly always all of them lie in one.
    let byPlace = Dictionary(grouping: references) { place($0.zone, domain) }
    return byPlace.sorted { $0.key < $1.key }.map { place, references in
      (place, references.map { name($0, domain) })
    }
  }
}

extension EncryptedTransport: Transport {
  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    mayWrite = identity.mayWrite
    let marked = keys.vault.marking(identity)
    let vault = try await base.attach(marked, domain: pseudonym(domain))
    for place in places(domain).dropFirst() {
      _ = try await base.attach(marked, domain: place)
    }
    return vault
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await reveal(base.inventory(of: pseudonym(domain)), of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    let name = name(reference, domain)
    if let segment = opened.removeValue(forKey: name.head) {
      openedBytes -= segment.bytes.count
      return segment
    }
    guard let sealed = try await base.fetch(name, of: place(reference.zone, domain)) else {
      return nil
    }
    do { return try sealing.open(sealed, of: domain).segment } catch let error as SyncError
      where error.code != .formatNewer
    {
      // It was another one when it was listed: what is there now has not come.
      if error.isOfForgery { refused[name.head] = name }
      return nil
    }
  }

  public func store(_ segment: OutboundSegment) async throws {
    let sealed = try sealing.seal(segment.segment)
    // What lies under its name and is not it would count as stored.
    if let other = refused.removeValue(forKey: sealed.info.head) {
      try await base.remove([other], of: sealed.info.domain)
    }
    // Noted first: if only half of it is stored, no other device can tell what it is.
    let reference = SegmentReference(segment.segment)
    try note([sealed.info.head: own(segment.segment, reference, sealed)])
    try await base.store(segment.sealed(as: sealed))
  }

  /// What this device has sealed.
  private func own(
    _ plain: Segment, _ reference: SegmentReference, _ sealed: Segment
  ) -> KnownObject {
    KnownObject(
      reference, size: sealed.bytes.count,
      author: sealing.authorKey(in: reference.zone, of: plain.info.domain),
      digest: sealing.digest(of: plain))
  }

  public func flush(_ domain: String) async throws {
    for place in places(domain) { try await base.flush(place) }
  }
}

extension EncryptedTransport: IncrementalTransport, PrefetchingTransport, DurableTransport {
  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    try await reveal(base.inventory(of: pseudonym(domain), since: position), of: domain)
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    for (place, names) in named(references, domain) {
      await base.expect(names.filter { opened[$0.head] == nil }, of: place)
    }
  }

  public nonisolated var storesAtOnce: Bool { base.storesAtOnce }
}

extension EncryptedTransport: ErasingTransport, RemovingTransport, ClearingTransport {
  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    // The word is there before the first object goes.
    for erasure in try ErasureWord.all(of: zone, confirmations, in: domain) {
      let sealed = try sealing.seal(erasure.segment)
      try note([sealed.info.head: own(erasure.segment, erasure.reference, sealed)])
      try await base.store(OutboundSegment.ofVault(sealed))
    }
    try await base.flush(pseudonym(domain))
    // Another person's zone is the other person's to remove.
    guard sealing.shares.foreign(domain, zone) == nil else { return }
    // The place itself learns only that the zone is gone, and guests that its owner says so.
    let word = Confirmations([pseudonyms.withdrawal(of: zone, in: domain): VersionVector()])
    try await base.erase(
      pseudonyms.zone(zone, of: domain), of: pseudonym(domain), confirmedBy: word)
  }

  /// A place cannot prove what it cannot read.
  public nonisolated var removal: SegmentRemoval {
    if case .never = base.removal { return .never }
    return .onRequest
  }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    for (place, names) in named(references, domain) { try await base.remove(names, of: place) }
  }

  public func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference] {
    var byName: [ContentHash: SegmentReference] = [:]
    for reference in references { byName[name(reference, domain).head] = reference }
    var cleared: [SegmentReference] = []
    for (place, names) in named(references, domain) {
      cleared += try await base.clear(names, of: place)
    }
    return cleared.compactMap { byName[$0.head] }
  }
}

extension EncryptedTransport: TrialTransport {
  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    var zones: [ZoneID: Set<ReplicaID>] = [:]
    for (zone, series) in sample.zones {
      let names = series.map { series in
        name(
          SegmentReference(
            zone: zone, series: series, first: 1, last: 1, head: ContentHash(high: 0, low: 0),
            size: nil, location: ""), domain)
      }
      if let first = names.first { zones[first.zone] = Set(names.map(\.series)) }
    }
    var sealed = sample
    sealed.zones = zones
    if sample.segments > 0 {
      sealed.bytes = sample.segments * Self.sealedLength(sample.bytes / sample.segments)
    }
    try await base.tryStoring(sealed, of: pseudonym(domain))
  }

  /// About how long a sealed segment is.
  private static func sealedLength(_ bytes: Int) -> Int {
    Envelope.length(of: PaddedLength.of(bytes + 128)) + 256
  }
}

extension EncryptedTransport: SurveyedTransport {
  public func survey() async throws -> RemoteSurvey { try await base.survey() }
}

// MARK: Leaving

extension EncryptedTransport {
  /// The objects of a domain that can go once all else of it lies elsewhere.
  ///
  /// - Parameters:
  ///   - inventory: What was listed and taken in, in the vault's own names.
  ///   - domain: The domain.
  /// - Returns: What lies there of that, as the place lists it: the objects that hold it, the words of removals that were
  ///   learned, and what devices have stored after they were let go.
  /// - Throws: ``SyncError`` of the transport.
  func sealed(_ inventory: Inventory, of domain: String) async throws -> Inventory {
    let held = Set(inventory.segments.map { name($0, domain).head })
    let unwanted = unwanted[domain] ?? []
    var listed = try await base.inventory(of: pseudonym(domain))
    let shelves = sealing.shares.zones(of: domain).map(\.name)
    listed.segments.removeAll { object in
      if shelves.contains(where: { ShareShelf.holds(object, of: $0) }) { return false }
      if held.contains(object.head) || unwanted.contains(object.head) { return false }
      guard let word = known?[object.head].flatMap({ ErasureWord($0.segment) }) else { return true }
      return !word.confirmations.isSubset(of: inventory.erased[word.zone] ?? Confirmations())
    }
    return listed
  }
}

// MARK: What lies there

extension EncryptedTransport {
  /// The inventory in the vault's own names, with what other people share.
  private func reveal(_ sealed: Inventory, of domain: String) async throws -> Inventory {
    try readMemory()
    var inventory = sealed
    inventory.segments = []
    inventory.access = sealed.access.map { _ in [:] }
    var reading = Reading()
    try await learnEntries(sealed.segments, in: pseudonym(domain))
    try await read(sealed.segments, in: pseudonym(domain), of: domain, &inventory, &reading)
    for (name, zone) in sealing.shares.zones(of: domain) where name.domain == pseudonym(domain) {
      guard var access = sealed.access?[name.zone] else { continue }
      // It is the person's own, whatever the server says.
      access.role = .owner
      inventory.access?[zone.zone] = access
    }
    for place in places(domain).dropFirst() {
      let listed = try await base.inventory(of: place)
      let zones = sealing.shares.foreignZones(of: domain).map(\.name).filter { $0.domain == place }
      try await learnEntries(listed.segments, in: place)
      let objects = listed.segments.filter { object in
        zones.contains { $0.zone == object.zone }
      }
      try await read(objects, in: place, of: domain, &inventory, &reading)
      for name in zones {
        guard var access = listed.access?[name.zone], let zone = sealing.shares.foreign[name]
        else { continue }
        access.role = sealing.shares.role(
          access.role, in: zone, erasedBy: listed.erased[name.zone]?.replicas)
        inventory.access?[zone.share.zone] = access
      }
    }
    inventory.refusal = Refusal.error(reading.refusals)
    let leftOut = reading.leftOut
    if leftOut > 0 {
      inventory.notes.append(
        leftOut == 1
          ? "1 object of a device that was let go is left out."
          : "\(leftOut) objects of devices that were let go are left out.")
    }
    // What has not come or was refused is listed again next time.
    if inventory.awaited > 0 || inventory.refusal != nil || leftOut > 0 { inventory.position = nil }
    // The store remembers all removals. Only those that the place still lists count as told there: a lost one is told again.
    inventory.erased = [:]
    let listed = Set(sealed.segments.filter { !$0.isIncomplete }.map(\.head))
    for (head, object) in known ?? [:] where sealed.isContinuation || listed.contains(head) {
      guard let word = ErasureWord(object.segment) else { continue }
      inventory.erased[word.zone, default: Confirmations()].formUnion(word.confirmations)
    }
    return inventory
  }

  /// What reading has come upon besides what counts.
  private struct Reading {
    var refusals: [Refusal] = []
    /// How many objects are of devices that were let go.
    var leftOut = 0
  }

  /// Takes the newest entries of the shared zones in what is listed.
  private func learnEntries(_ listed: [SegmentReference], in place: String) async throws {
    let shelf = ShareShelf(base)
    let book = sealing.shares
    var isNew = false
    for (name, bytes) in book.shelves where name.domain == place {
      // What holds was read before.
      let known = shelf.hash(bytes)
      let others = listed.filter { $0.zone == name.zone && $0.head != known && $0.isHere }
      for found in try await shelf.fetch(others, of: name)
      where sealing.shares.learn(found.bytes, at: name) {
        isNew = true
        try forgetFormer(in: name)
      }
    }
    if isNew { try await keepEntries() }
  }

  /// Keeps what holds of shared zones.
  func keepEntries() async throws {
    if mayWrite { try await noteEntries(sealing.shares.entries) }
  }

  /// Forgets what this person has stored in another person's zone and the owner does not take: it is stored once more.
  private func forgetFormer(in name: SharedZoneName) throws {
    guard let zone = sealing.shares.foreign[name] else { return }
    let own = Set(keys.persons.map(\.signing.publicKey))
    let gone = (known ?? [:]).filter { _, object in
      object.segment.zone == zone.share.zone && own.contains(object.author)
        && sealing.shares.standing(of: object.author, digest: object.digest, in: zone) != .counts
    }.map(\.key)
    guard !gone.isEmpty else { return }
    for head in gone { known?[head] = nil }
    if mayWrite { try memory.note([:], forgetting: gone) }
  }

  /// Reads objects that lie in one domain of the place.
  private func read(
    _ listed: [SegmentReference], in place: String, of domain: String,
    _ inventory: inout Inventory, _ reading: inout Reading
  ) async throws {
    let shelves = sealing.shares.shelves.keys.filter { $0.domain == place }
    let objects =
      shelves.isEmpty
      ? listed : listed.filter { object in !shelves.contains { ShareShelf.holds(object, of: $0) } }
    var known = known ?? [:]
    // A listing may tell a size that is too small, so what seems cut off is read, too.
    func isReadable(_ object: SegmentReference) -> Bool { object.isHere || object.isIncomplete }
    let unknown = objects.filter { known[$0.head] == nil && isReadable($0) }
    await base.expect(unknown, of: place)
    var found: [ContentHash: KnownObject] = [:]
    for object in unknown where known[object.head] == nil {
      guard let segment = try await base.fetch(object, of: place) else {
        inventory.awaited += 1
        continue
      }
      do {
        let content = try sealing.open(segment, of: domain)
        let plain = content.segment
        let reference = try ErasureWord.reference(plain) ?? SegmentReference(plain)
        let one = KnownObject(
          reference, size: segment.bytes.count, author: content.author, digest: content.digest)
        (known[object.head], found[object.head]) = (one, one)
        if reference.zone != ErasureWord.zone,
          openedBytes + plain.bytes.count <= Self.roomForOpened
        {
          opened[object.head] = plain
          openedBytes += plain.bytes.count
        }
      } catch let error as SyncError where [.notIntroduced, .keyMissing].contains(error.code) {
        // A statement that says more may be on its way.
        inventory.awaited += 1
      } catch let error as SyncError {
        if error.code == .letGo {
          unwanted[domain, default: []].insert(object.head)
          reading.leftOut += 1
        } else {
          reading.refusals.append(Refusal(object: object, error: error))
        }
        if error.isOfForgery { refused[object.head] = object }
      }
      if found.count == Self.batch {
        try note(found)
        found = [:]
      }
    }
    inventory.awaited += objects.count { known[$0.head] == nil && !isReadable($0) }
    for object in objects {
      guard let one = known[object.head], one.segment.zone != ErasureWord.zone else { continue }
      var reference = one.segment
      (reference.location, reference.isHere) = (object.location, object.isHere)
      // What has another size than it had holds something else, or half of it.
      if object.size != one.size { reference.size = object.size }
      // What a place lists under another name than the one it was stored under is not it.
      let name = name(reference, domain)
      guard (name.zone, name.series, name.first) == (object.zone, object.series, object.first)
      else {
        reading.refusals.append(Refusal(object: object, error: SealedSegments.misplaced))
        continue
      }
      inventory.segments.append(reference)
    }
    self.known = known
    try note(found)
  }

  /// Something that lies there and is not what a device of the vault has stored.
  private struct Refusal {
    let object: SegmentReference
    let error: SyncError

    /// What a run says of everything that was refused; nil when nothing was.
    static func error(_ refusals: [Refusal]) -> SyncError? {
      guard let first = refusals.first else { return nil }
      var message = first.error.message
      if !first.object.location.isEmpty { message += " It lies at '\(first.object.location)'." }
      if refusals.count > 1 { message += " So it is with \(refusals.count - 1) more." }
      return SyncError(first.error.code, message, hint: first.error.hint)
    }
  }

  /// Reads what is known of objects, once.
  func readMemory() throws { known = try known ?? memory.objects() }

  private func note(_ found: [ContentHash: KnownObject]) throws {
    guard !found.isEmpty else { return }
    known?.merge(found) { $1 }
    if mayWrite { try memory.note(found, forgetting: []) }
  }
}
