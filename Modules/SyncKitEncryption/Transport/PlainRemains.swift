public import SyncKit

/// What lies in plain on a remote that is encrypted from now on: it can be read and removed, and nothing is stored there.
public struct PlainRemains: EmptyingTransport, PrefetchingTransport {
  private let base: ForwardingTransport

  /// Looks at a remote.
  ///
  /// - Parameter base: Its transport, without encryption.
  public init(_ base: any Transport) { self.base = ForwardingTransport(base) }

  /// Belongs to the remote as one that only looks, whether or not it is encrypted.
  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    var identity = identity
    (identity.isEncrypted, identity.marker, identity.mayWrite) = (true, nil, false)
    return try await base.attach(identity, domain: domain)
      .filter { !RemoteIdentity.isOfEncryptedVault($0) }
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await base.inventory(of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await base.fetch(reference, of: domain)
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    await base.expect(references, of: domain)
  }

  public func store(_ segment: OutboundSegment) async throws {
    throw SyncError(.bug, "Nothing is stored in plain on a remote that is encrypted.")
  }

  public func flush(_ domain: String) async throws {}

  public func empty(_ domain: String, of inventory: Inventory) async throws {
    try await base.empty(domain, of: inventory)
  }

  public func removeMark(of vault: String) async throws { try await base.removeMark(of: vault) }
}
