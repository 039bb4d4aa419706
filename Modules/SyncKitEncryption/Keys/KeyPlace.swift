import SegmentFormat
import SyncCrypto
public import SyncKit

/// Where the slots of a vault lie on a remote: segments of a domain of their own, so that every transport keeps them.
public struct KeyPlace: Sendable {
  /// The name under which they lie; it is no domain of records.
  public static let domain = "vault-keys"
  private static let zone: ZoneID = "slots"
  private static let suite: UInt8 = 255
  /// A slot has some hundred bytes; a place that gives more gives something else.
  private static let limit = 64 << 10

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
    var found: [(SegmentReference, KeySlot)] = []
    for reference in try await transport.inventory(of: Self.domain).segments
    where reference.zone == Self.zone && (reference.size.map { $0 <= Self.limit } ?? true) {
      guard let segment = try await transport.fetch(reference, of: Self.domain),
        segment.info.seal?.suite == Self.suite, segment.bytes.count <= Self.limit
      else { continue }
      found.append((reference, try KeySlot(coding.envelope(of: segment))))
    }
    return found
  }

  /// Stores a slot.
  public func store(_ slot: KeySlot) async throws {
    let bytes = slot.bytes
    let hash = bytes.withUnsafeBytes { coding.hash([$0]) }
    let info = SegmentInfo(
      domain: Self.domain, zone: Self.zone, series: ReplicaID(high: hash.high, low: hash.low),
      first: 1, last: 1, previous: ContentHash(high: 0, low: 0), head: hash, base: VersionVector(),
      operations: 0, deletions: 0, newest: 0, seal: SegmentSeal(epoch: 1, suite: Self.suite))
    try await transport.store(OutboundSegment.ofVault(coding.sealed(info, envelope: bytes)))
    try await transport.flush(Self.domain)
  }

  /// Removes slots, such as used invitations.
  public func remove(where isGone: (KeySlot) -> Bool) async throws {
    let gone = try await found().filter { isGone($0.slot) }.map(\.reference)
    if !gone.isEmpty { try await ForwardingTransport(transport).remove(gone, of: Self.domain) }
  }
}
