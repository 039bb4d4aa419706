import SegmentFormat
import SyncKit

/// Exchanges segments through a folder: a cloud drive, a mounted share, a memory stick.
///
/// The folder's layout is described in Documentation/Formats/Remote.md. It is a
/// ``BlobTransport`` above a ``FolderBlobStore``; both say what they promise.
///
/// - Throws: Every method may throw ``SyncError`` `remote.unavailable` (69) when the folder is not
///   there, `remote.denied` (77) when it may not be read or written or its medium is read-only,
///   `remote.disk-full` (74), `remote.quota` (73) and `remote.io` (74).
public struct FileTransport: TrialTransport, ErasingTransport, RemovingTransport, DurableTransport,
  EmptyingTransport, ReplacingTransport, SurveyedTransport
{
  /// What URLs of such remotes begin with.
  public static let scheme = "file"

  let path: String
  private let transport: BlobTransport

  /// Exchanges segments through a folder.
  ///
  /// - Parameters:
  ///   - path: The folder's path; links on the way to it are followed.
  ///   - createIfParentExists: Whether ``attach(_:domain:)`` makes the folder when it is missing
  ///     and its parent exists. Leave it off after the first time: a path that is gone later is a
  ///     drive that is not mounted.
  ///   - whenMoved: What helps when the folder is not where it was, as a sentence.
  public init(path: String, createIfParentExists: Bool = false, whenMoved: String? = nil) {
    self.path = path
    transport = BlobTransport(
      FolderBlobStore(
        path: path, createIfParentExists: createIfParentExists, whenMoved: whenMoved))
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
