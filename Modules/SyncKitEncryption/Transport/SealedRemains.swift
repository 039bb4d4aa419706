public import SyncKit

/// What lies encrypted on a remote that is plain from now on: it can be read and removed, and nothing is stored there.
public actor SealedRemains: EmptyingTransport, PrefetchingTransport {
  /// Looks at the place as it is.
  private let place: PlainRemains
  private let sealed: EncryptedTransport
  private let keys: VaultKeys
  /// What was removed through this transport.
  public private(set) var removed = Removed()

  /// Objects that were removed.
  public struct Removed: Hashable, Sendable {
    /// How many: segments, and words of removals.
    public var objects = 0
    /// Their bytes, as far as the remote says how many they are.
    public var bytes = 0

    /// Counts nothing yet.
    public init() {}
  }

  /// Looks at a remote.
  ///
  /// - Parameters:
  ///   - base: Its transport, without encryption.
  ///   - keys: The keys of this device.
  ///   - memory: Where it is kept what objects hold.
  ///   - environment: The source of randomness.
  public init(
    _ base: any Transport, keys: DeviceKeys, memory: any ObjectMemory,
    environment: SyncEnvironment
  ) {
    place = PlainRemains(base)
    self.keys = keys.vault
    sealed = EncryptedTransport(place, keys: keys, memory: memory, environment: environment)
  }

  /// Belongs to the remote as one that only looks.
  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await sealed.attach(identity, domain: domain)
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await sealed.inventory(of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await sealed.fetch(reference, of: domain)
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    await sealed.expect(references, of: domain)
  }

  public func store(_ segment: OutboundSegment) async throws {
    throw SyncError(.bug, "Nothing is stored encrypted on a remote that is plain.")
  }

  public func empty(_ domain: String, of inventory: Inventory) async throws {
    let listed = try await sealed.sealed(inventory, of: domain)
    try await place.empty(EncryptedTransport.pseudonym(domain, keys), of: listed)
    let bytes = listed.segments.reduce(0) { $0 + ($1.size ?? 0) }
    removed.objects += listed.segments.count
    removed.bytes += bytes
  }

  public func removeMark(of vault: String) async throws { try await place.removeMark(of: vault) }
}
