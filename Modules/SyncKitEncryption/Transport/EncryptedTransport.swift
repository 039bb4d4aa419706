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
  nonisolated let sealing: SealedSegments
  private nonisolated let keys: VaultKeys
  private let memory: any ObjectMemory
  private var known: [ContentHash: KnownObject]?
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
  public init(
    _ base: any Transport, keys: DeviceKeys, memory: any ObjectMemory,
    environment: SyncEnvironment
  ) {
    self.base = ForwardingTransport(base)
    self.memory = memory
    self.keys = keys.vault
    sealing = SealedSegments(keys, environment: environment)
  }

  /// What a domain is called on the places of a vault.
  public static func pseudonym(_ domain: String, _ keys: VaultKeys) -> String {
    Pseudonyms(keys).domain(domain)
  }

  nonisolated func pseudonym(_ domain: String) -> String {
    sealing.pseudonyms.domain(domain)
  }

  /// The name under which a segment lies.
  private nonisolated func name(
    _ reference: SegmentReference, _ domain: String
  ) -> SegmentReference {
    sealing.pseudonyms.name(of: reference, in: domain)
  }
}

extension EncryptedTransport: Transport {
  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    mayWrite = identity.mayWrite
    return try await base.attach(keys.marking(identity), domain: pseudonym(domain))
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
    guard let sealed = try await base.fetch(name, of: pseudonym(domain)) else { return nil }
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
    try await base.store(segment.sealed(as: sealed))
    try note([sealed.info.head: own(SegmentReference(segment.segment), sealed)])
  }

  /// What this device has sealed.
  private func own(_ reference: SegmentReference, _ sealed: Segment) -> KnownObject {
    KnownObject(reference, size: sealed.bytes.count, author: sealing.authorKey)
  }

  public func flush(_ domain: String) async throws { try await base.flush(pseudonym(domain)) }
}

extension EncryptedTransport: IncrementalTransport, PrefetchingTransport, DurableTransport {
  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    try await reveal(base.inventory(of: pseudonym(domain), since: position), of: domain)
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    let missing = references.map { name($0, domain) }.filter { opened[$0.head] == nil }
    await base.expect(missing, of: pseudonym(domain))
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
      try await base.store(OutboundSegment.ofVault(sealed))
      try note([sealed.info.head: own(erasure.reference, sealed)])
    }
    try await base.flush(pseudonym(domain))
    // The place itself learns only that the zone is gone.
    let name = sealing.pseudonyms.zone(zone, of: domain)
    let word = Confirmations([ErasureWord.witness(name): VersionVector()])
    try await base.erase(name, of: pseudonym(domain), confirmedBy: word)
  }

  /// A place cannot prove what it cannot read.
  public nonisolated var removal: SegmentRemoval {
    if case .never = base.removal { return .never }
    return .onRequest
  }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    try await base.remove(references.map { name($0, domain) }, of: pseudonym(domain))
  }

  public func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference] {
    var byName: [ContentHash: SegmentReference] = [:]
    for reference in references { byName[name(reference, domain).head] = reference }
    let cleared = try await base.clear(
      references.map { name($0, domain) }, of: pseudonym(domain))
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
    listed.segments.removeAll { object in
      if held.contains(object.head) || unwanted.contains(object.head) { return false }
      guard let word = known?[object.head].flatMap({ ErasureWord($0.segment) }) else { return true }
      return !word.confirmations.isSubset(of: inventory.erased[word.zone] ?? Confirmations())
    }
    return listed
  }
}

// MARK: What lies there

extension EncryptedTransport {
  /// The inventory in the vault's own names.
  private func reveal(_ sealed: Inventory, of domain: String) async throws -> Inventory {
    var known = try self.known ?? memory.objects()
    var inventory = sealed
    inventory.segments = []
    var refusals: [Refusal] = []
    var leftOut = 0
    // A listing may tell a size that is too small, so what seems cut off is read, too.
    func isReadable(_ object: SegmentReference) -> Bool { object.isHere || object.isIncomplete }
    let unknown = sealed.segments.filter { known[$0.head] == nil && isReadable($0) }
    await base.expect(unknown, of: pseudonym(domain))
    var found: [ContentHash: KnownObject] = [:]
    for object in unknown where known[object.head] == nil {
      guard let segment = try await base.fetch(object, of: pseudonym(domain)) else {
        inventory.awaited += 1
        continue
      }
      do {
        let (plain, author) = { ($0.segment, $0.author) }(try sealing.open(segment, of: domain))
        let reference = try ErasureWord.reference(plain) ?? SegmentReference(plain)
        let one = KnownObject(reference, size: segment.bytes.count, author: author)
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
          leftOut += 1
        } else {
          refusals.append(Refusal(object: object, error: error))
        }
        if error.isOfForgery { refused[object.head] = object }
      }
      if found.count == Self.batch {
        try note(found)
        found = [:]
      }
    }
    inventory.awaited += sealed.segments.count { known[$0.head] == nil && !isReadable($0) }
    for object in sealed.segments {
      guard let one = known[object.head], one.segment.zone != ErasureWord.zone else { continue }
      var reference = one.segment
      (reference.location, reference.isHere) = (object.location, object.isHere)
      // What has another size than it had holds something else, or half of it.
      if object.size != one.size { reference.size = object.size }
      // What a place lists under another name than the one it was stored under is not it.
      let name = name(reference, domain)
      guard (name.zone, name.series, name.first) == (object.zone, object.series, object.first)
      else {
        refusals.append(Refusal(object: object, error: SealedSegments.misplaced))
        continue
      }
      inventory.segments.append(reference)
    }
    inventory.refusal = Refusal.error(refusals)
    if leftOut > 0 {
      inventory.notes.append(
        leftOut == 1
          ? "1 object of a device that was let go is left out."
          : "\(leftOut) objects of devices that were let go are left out.")
    }
    // What has not come or was refused is listed again next time.
    if inventory.awaited > 0 || inventory.refusal != nil || leftOut > 0 { inventory.position = nil }
    self.known = known
    try note(found)
    // What devices have said holds, also where a place lists it no more.
    inventory.erased = [:]
    for object in known.values {
      guard let word = ErasureWord(object.segment) else { continue }
      inventory.erased[word.zone, default: Confirmations()].formUnion(word.confirmations)
    }
    return inventory
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

  private func note(_ found: [ContentHash: KnownObject]) throws {
    guard !found.isEmpty else { return }
    known?.merge(found) { $1 }
    if mayWrite { try memory.note(found, forgetting: []) }
  }
}
