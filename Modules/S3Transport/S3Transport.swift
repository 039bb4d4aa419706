import SegmentFormat
public import SyncKit
public import SyncKitHTTP

/// Exchanges segments through a bucket: of AWS, Backblaze B2, Cloudflare R2, Wasabi, MinIO, Ceph, Garage.
///
/// The layout of the bucket is described in Documentation/Formats/Remote.md. It is a ``BlobTransport`` above a
/// ``S3BlobStore``; both say what they promise. With nothing to do, *n* domains take
/// *n* + 1 requests, all of them listings.
///
/// - Throws: Every method may throw ``SyncError`` `remote.unavailable` (69) when the service or the bucket is not
///   there, `remote.denied` (77) when the keys are refused or may not do this, `remote.quota` (73),
///   `remote.too-large` (73), `remote.rate-limited` (75), `remote.foreign` (76) when something else answers,
///   `config.invalid` (78) for another region or storage class, and `remote.unread` (74).
public struct S3Transport: TrialTransport, ErasingTransport, RemovingTransport, DurableTransport,
  EmptyingTransport, ReplacingTransport, SurveyedTransport
{
  /// What URLs of such remotes begin with.
  public static let scheme = "s3"

  private let store: S3BlobStore
  private let transport: BlobTransport

  /// Exchanges segments through a bucket.
  ///
  /// - Parameters:
  ///   - bucket: The bucket.
  ///   - access: How it is reached; its address is that of the bucket.
  ///   - credentials: What opens it.
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine, and for a storage
  ///   class that is an archive.
  public init(
    _ bucket: S3Bucket, access: ServerAccess, credentials: S3CredentialSource
  ) throws {
    store = try S3BlobStore(bucket, access: access, credentials: credentials)
    transport = BlobTransport(store, sharingTopBy: access.environment.now)
  }

  /// Looks whether the bucket keeps old versions or locks objects; two requests.
  ///
  /// - Returns: What was found; a question that is refused stays open.
  /// - Throws: ``SyncError`` when there is no answer.
  public func look() async throws -> S3BucketFindings { try await store.look() }

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
