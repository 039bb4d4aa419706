import SegmentFormat
import SyncCrypto
public import SyncKit

/// Where the slots of a vault and the statements of its devices lie on a remote: segments of a domain of their own, so
/// that every transport keeps them.
public struct KeyPlace: Sendable {
  /// The name under which they lie; it is no domain of records.
  public static let domain = "vault-keys"
  /// A slot has some hundred bytes; a place that gives more gives something else.
  private static let slots = Shelf(zone: "slots", suite: 255, limit: 64 << 10)
  private static let statements = Shelf(zone: "statements", suite: 254, limit: 64 << 20)

  /// One kind of thing that lies there.
  private struct Shelf {
    let zone: ZoneID
    let suite: UInt8
    /// The most bytes that one has.
    let limit: Int
  }

  private let transport: any Transport
  private let coding = DeflateSegmentCoding()

  /// Uses a transport, as it is without encryption.
  public init(_ transport: any Transport) { self.transport = transport }

  /// What is on the remote; nothing is written.
  public struct Content: Sendable {
    /// What opens the keys of the vault.
    public var slots: [KeySlot] = []
    /// The ids of the vaults that it belongs to.
    fileprivate(set) var vaults: Set<String> = []

    /// Whether it belongs to an encrypted vault, also when its slots are not there.
    public var isEncrypted: Bool {
      !slots.isEmpty || vaults.contains(where: RemoteIdentity.isOfEncryptedVault)
    }
    /// Whether it belongs to no vault yet.
    public var isNew: Bool { slots.isEmpty && vaults.isEmpty }

    /// A remote with nothing on it.
    public init() {}
  }

  /// Looks at the remote.
  ///
  /// - Returns: What is there.
  /// - Throws: ``SyncKit/SyncError`` of the transport, such as `remote.unavailable` where there is nothing at all.
  public func content() async throws -> Content {
    var identity = RemoteIdentity(vault: [], isKnown: false, newVault: "", mayWrite: false)
    identity.isEncrypted = true
    var content = Content()
    content.vaults = try await transport.attach(identity, domain: Self.domain)
      .subtracting([identity.newVault])
    content.slots = try await found().map(\.slot)
    return content
  }

  /// Belongs to the remote as the stores of a device do, and marks it as encrypted.
  public func attach(_ identity: RemoteIdentity, _ keys: VaultKeys) async throws {
    _ = try await transport.attach(keys.marking(identity), domain: Self.domain)
  }

  private func found() async throws -> [(reference: SegmentReference, slot: KeySlot)] {
    let listed = try await transport.inventory(of: Self.domain).segments
    return try await fetch(listed, from: Self.slots).map {
      ($0.reference, try KeySlot($0.bytes))
    }
  }

  /// What lies on a shelf, of all that is listed.
  private func fetch(
    _ listed: [SegmentReference], from shelf: Shelf
  ) async throws -> [(reference: SegmentReference, bytes: [UInt8])] {
    var found: [(SegmentReference, [UInt8])] = []
    for reference in listed
    where reference.zone == shelf.zone && (reference.size.map { $0 <= shelf.limit } ?? true) {
      guard let segment = try await transport.fetch(reference, of: Self.domain),
        segment.info.seal?.suite == shelf.suite, segment.bytes.count <= shelf.limit
      else { continue }
      found.append((reference, try coding.envelope(of: segment)))
    }
    return found
  }

  private func store(_ bytes: [UInt8], on shelf: Shelf) async throws {
    let hash = hash(bytes)
    let info = SegmentInfo(
      domain: Self.domain, zone: shelf.zone, series: ReplicaID(high: hash.high, low: hash.low),
      first: 1, last: 1, previous: ContentHash(high: 0, low: 0), head: hash, base: VersionVector(),
      operations: 0, deletions: 0, newest: 0, seal: SegmentSeal(epoch: 1, suite: shelf.suite))
    try await transport.store(OutboundSegment.ofVault(coding.sealed(info, envelope: bytes)))
  }

  private func hash(_ bytes: [UInt8]) -> ContentHash {
    bytes.withUnsafeBytes { coding.hash([$0]) }
  }

  /// Stores a slot.
  public func store(_ slot: KeySlot) async throws {
    try await store(slot.bytes, on: Self.slots)
    try await transport.flush(Self.domain)
  }

  /// Removes slots, such as used invitations.
  public func remove(where isGone: (KeySlot) -> Bool) async throws {
    let gone = try await found().filter { isGone($0.slot) }.map(\.reference)
    if !gone.isEmpty { try await ForwardingTransport(transport).remove(gone, of: Self.domain) }
  }

  // MARK: Statements

  /// What ``SyncKit/Remote/exchange(_:for:others:isDryRun:save:)`` does.
  ///
  /// - Parameters:
  ///   - keys: The keys of this device.
  ///   - remote: What the device calls the remote, and where that is.
  ///   - device: Its id and name, which it tells the others; nil when it only looks.
  ///   - environment: The source of time and randomness.
  ///   - objects: The digests of what this device has taken in of the given devices, by the keys of these.
  ///   - save: Keeps the keys.
  /// - Returns: The keys.
  /// - Throws: ``SyncKit/SyncError`` `crypto.revoked`, `crypto.closed`, and of the transport.
  func exchange(
    _ keys: DeviceKeys, on remote: (name: String, location: String),
    as device: (id: String, name: String)?, from environment: SyncEnvironment,
    having objects: (Set<[UInt8]>) throws -> [[UInt8]: Set<ContentHash>],
    save: (DeviceKeys) throws -> Void
  ) async throws -> DeviceKeys {
    let listed = try await transport.inventory(of: Self.domain).segments
    var (learned, closing) = try await learn(keys, from: listed)
    if let device, closing == nil, !learned.isLeftOut {
      learned.introduce(id: device.id, name: device.name, from: environment)
      let departed = Set(learned.membership.departures.keys)
      if !departed.isEmpty, learned != keys {
        learned.keep(try objects(departed), from: environment)
      }
    }
    if learned != keys { try save(learned) }
    if learned.isLeftOut { throw Self.revoked(learned) }
    if let closing { throw closing.refusal(of: remote.name, at: remote.location) }
    if device != nil { try await publish(learned, besides: listed) }
    return learned
  }

  /// The keys with what was stated on the remote, and whether the owner has said there that it is encrypted no more.
  private func learn(
    _ keys: DeviceKeys, from listed: [SegmentReference]
  ) async throws -> (keys: DeviceKeys, closing: VaultClosing?) {
    let known = Set(keys.statements.map { hash($0.bytes) })
    let new = try await fetch(listed.filter { !known.contains($0.head) }, from: Self.statements)
      .map { SealedStatement($0.bytes) }
    var learned = keys
    if !new.isEmpty { learned.learn(new) }
    return (learned, learned.closing(in: new))
  }

  // MARK: Moving to plain

  /// Learns what was stated on the remote, and whether its owner has said there that it is encrypted no more; nothing is
  /// written.
  ///
  /// - Parameter keys: The keys of this device.
  /// - Returns: The keys with what they have learned, and the owner's word; nil where there is none.
  /// - Throws: ``SyncKit/SyncError`` of the transport.
  public func closing(
    _ keys: DeviceKeys
  ) async throws -> (keys: DeviceKeys, closing: VaultClosing?) {
    var identity = RemoteIdentity(vault: [], isKnown: false, newVault: "", mayWrite: false)
    identity.isEncrypted = true
    _ = try await transport.attach(identity, domain: Self.domain)
    return try await learn(keys, from: transport.inventory(of: Self.domain).segments)
  }

  /// Stores the owner's word that the remote is encrypted no more.
  ///
  /// From then on every device of the vault refuses to store there until a person agrees on that device. The word holds
  /// for good: the vault cannot come back to this place.
  ///
  /// - Parameters:
  ///   - keys: The keys of this device.
  ///   - remote: What this device calls the remote.
  ///   - location: Where the remote is, as this device sees it.
  ///   - owner: The owner of the vault.
  ///   - environment: The source of time and randomness.
  /// - Throws: ``SyncKit/SyncError`` `internal.bug` for the owner of another vault, and of the transport.
  public func close(
    _ keys: DeviceKeys, remote: String, at location: String, by owner: VaultOwner,
    from environment: SyncEnvironment
  ) async throws {
    let word = try keys.sealed(closing: remote, at: location, by: owner, from: environment)
    try await store(word.bytes, on: Self.statements)
    try await transport.flush(Self.domain)
  }

  /// Takes away what says that the remote is encrypted, and what opens the keys; the owner's word stays, for devices that
  /// come later.
  ///
  /// - Parameters:
  ///   - keys: The keys of the vault.
  ///   - isEmpty: Whether nothing sealed is left; otherwise what opens the keys stays.
  /// - Throws: ``SyncKit/SyncError`` of the transport.
  public func unmark(_ keys: VaultKeys, isEmpty: Bool) async throws {
    if isEmpty { try await remove { $0.vault == keys.id } }
    try await ForwardingTransport(transport).removeMark(of: keys.marker)
  }

  /// Stores what the remote lacks of the statements, and has it keep the slots that they name and no others.
  private func publish(_ keys: DeviceKeys, besides listed: [SegmentReference]) async throws {
    // What was cut off is stored again.
    let there = Set(listed.filter { !$0.isIncomplete }.map(\.head))
    let missing = keys.statements.filter { !there.contains(hash($0.bytes)) }
    for statement in missing { try await store(statement.bytes, on: Self.statements) }
    guard let slots = keys.slots else {
      if !missing.isEmpty { try await transport.flush(Self.domain) }
      return
    }
    let new = slots.filter { !there.contains(hash($0.bytes)) }
    for slot in new { try await store(slot.bytes, on: Self.slots) }
    if !missing.isEmpty || !new.isEmpty { try await transport.flush(Self.domain) }
    let wanted = Set(slots.map { hash($0.bytes) })
    let others = try await fetch(
      listed.filter { !wanted.contains($0.head) }, from: Self.slots)
    // Invitations stay, but for those that were made before: they open nothing new.
    let gone = others.filter { other in
      guard let slot = try? KeySlot(other.bytes), slot.vault == keys.vault.id else { return false }
      return !new.isEmpty || slot.kind != .invitation
    }
    if !gone.isEmpty {
      try await ForwardingTransport(transport).remove(gone.map(\.reference), of: Self.domain)
    }
  }

  private static func revoked(_ keys: DeviceKeys) -> SyncError {
    SyncError(
      .revoked,
      keys.isLetGo
        ? "This device was let go by its owner: nothing goes from it, and nothing new comes."
        : "This device has no key of what its vault is encrypted with since others were let go.",
      hint:
        "If it is to belong to the vault again, run 'cloudsync device pair' on another device, and 'cloudsync init --code "
        + "KEY' here. Its data is still here.")
  }
}

extension SyncError.Code {
  /// This device was let go.
  public static let revoked = Self("crypto.revoked", exit: 77)
}
