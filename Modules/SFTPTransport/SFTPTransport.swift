import SegmentFormat
public import SyncKit

/// Exchanges segments through a folder of an SSH server: a storage box, a NAS, an account that may do nothing else.
///
/// The folder's layout is described in Documentation/Formats/Remote.md, here with all blobs of a domain in one
/// folder. It is a ``BlobTransport`` above a ``SFTPBlobStore``; both say what they promise.
///
/// - Throws: Every method may throw ``SyncError`` `remote.unavailable` (69) when the server or the folder is not
///   there, `remote.host-key` (76), `remote.denied` (77), `remote.disk-full` (74), `remote.quota` (73),
///   `remote.protocol` (76), `remote.io` (74), and `program.missing` (69) without a client of SSH.
public struct SFTPTransport: TrialTransport, ErasingTransport, RemovingTransport, DurableTransport,
  EmptyingTransport, ReplacingTransport, PrefetchingTransport, SurveyedTransport
{
  /// What URLs of such remotes begin with.
  public static let scheme = "sftp"

  private let transport: BlobTransport
  private let inboxes = SFTPInboxes()

  /// Exchanges segments through a folder of a server.
  ///
  /// - Parameters:
  ///   - server: The server; remotes that share it share its connection.
  ///   - path: The folder's path there; below the login folder unless it begins with `/`.
  ///   - createIfParentExists: Whether ``attach(_:domain:)`` makes the folder when it is missing
  ///     and its parent exists. Leave it off after the first time: a folder that is gone later is a
  ///     disk that is not mounted there.
  public init(server: SFTPServer, path: String, createIfParentExists: Bool = false) {
    transport = BlobTransport(
      SFTPBlobStore(server: server, path: path, createIfParentExists: createIfParentExists),
      arrangement: .flat, sharingTopBy: server.access.environment.now)
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await transport.attach(identity, domain: domain)
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await transport.inventory(of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    let transport = transport
    return try await inboxes.inbox(of: domain).segment(reference) {
      try await transport.fetch($0, of: domain)
    }
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    inboxes.inbox(of: domain).expect(references)
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
