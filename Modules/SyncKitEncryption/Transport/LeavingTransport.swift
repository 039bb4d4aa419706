public import SyncKit

/// A place that is moved to plain, for the device that moves it: it stores in plain although the place still says that it
/// is encrypted, and so refuses all others.
public struct LeavingTransport: ErasingTransport, PrefetchingTransport, DurableTransport {
  private let base: ForwardingTransport

  /// Stores in plain.
  ///
  /// - Parameter base: The transport of the remote, without encryption. Whoever uses it has found there the word of the
  ///   vault's owner, see ``KeyPlace/closing(_:)``, and the consent of a person.
  public init(_ base: any Transport) { self.base = ForwardingTransport(base) }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    var identity = identity
    (identity.isEncrypted, identity.marker) = (true, nil)
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

  public var storesAtOnce: Bool { base.storesAtOnce }

  public func store(_ segment: OutboundSegment) async throws { try await base.store(segment) }

  public func flush(_ domain: String) async throws { try await base.flush(domain) }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await base.erase(zone, of: domain, confirmedBy: confirmations)
  }
}
