import SegmentFormat
public import SyncKit
public import SyncKitHTTP

/// Exchanges segments through a WebDAV collection: a folder of a Nextcloud, of a storage box, of a NAS.
///
/// It is a ``SegmentFormat/BlobTransport`` above a ``WebDAVBlobStore``; both say what they promise. The segments of a
/// domain lie flat in one collection, so that one request lists them; those that a cloud drive's client has put there
/// in folders are read as well.
///
/// - Throws: Every method may throw ``SyncKit/SyncError`` `remote.unavailable` (69), `remote.denied` (77),
///   `remote.quota` (73), `remote.rate-limited` (75), `remote.busy` (75), `remote.too-large` (73), `remote.tls` and
///   `remote.foreign` (76).
public struct WebDAVTransport: TrialTransport, ErasingTransport, RemovingTransport,
  DurableTransport, EmptyingTransport, ReplacingTransport, SurveyedTransport
{
  /// What URLs of such remotes begin with.
  public static let scheme = "webdav"

  private let transport: BlobTransport

  /// Exchanges segments through a collection.
  ///
  /// - Parameters:
  ///   - access: How the server is reached; its address is the collection's.
  ///   - createIfMissing: Whether ``attach(_:domain:)`` makes the collection, with those above it. Leave it off after
  ///     the first time: one that is gone later has been moved or removed.
  ///   - whenMoved: What helps when the collection is not where it was, as a sentence.
  ///   - login: What opens it; asked for at the first request.
  /// - Throws: ``SyncKit/SyncError`` `config.invalid` for an address in the clear that is not this machine.
  public init(
    _ access: ServerAccess, createIfMissing: Bool = false, whenMoved: String? = nil,
    login: @escaping @Sendable () throws -> WebDAVLogin
  ) throws {
    transport = BlobTransport(
      try WebDAVBlobStore(
        access, create: createIfMissing, whenMoved: whenMoved, login: login),
      arrangement: .flat, sharingTopBy: access.environment.now)
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await transport.attach(identity, domain: domain)
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await transport.inventory(of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await transport.fetch(reference, of: domain)
  }

  public func store(_ segment: OutboundSegment) async throws {
    try await transport.store(segment)
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    try await transport.tryStoring(sample, of: domain)
  }

  public func survey() async throws -> RemoteSurvey { try await transport.survey() }

  public var storesAtOnce: Bool { transport.storesAtOnce }

  public var removal: SegmentRemoval { transport.removal }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    try await transport.remove(references, of: domain)
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await transport.erase(zone, of: domain, confirmedBy: confirmations)
  }

  public func empty(_ domain: String, of inventory: Inventory) async throws {
    try await transport.empty(domain, of: inventory)
  }

  public func removeMark(of vault: String) async throws {
    try await transport.removeMark(of: vault)
  }

  public func replace(_ replacements: [SegmentReplacement], of domain: String) async throws {
    try await transport.replace(replacements, of: domain)
  }
}
