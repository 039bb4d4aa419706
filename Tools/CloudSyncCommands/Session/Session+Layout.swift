import CommandFoundation
import FileTransport
import ReadableDocuments
import SyncKit

extension Session {
  /// A remote for a domain: a folder in the domain's layout, anything else in its own form; within
  /// its quota.
  ///
  /// - Throws: ``SyncError`` `remote.layout` for a quota with documents.
  func remote(
    _ configured: Configuration.Remote, for domain: String, creating mayCreate: Bool = false
  ) throws -> Remote {
    try checkEncryption(of: configured, for: domain)
    var transport: any Transport
    if configured.location.type == FileRegistration.scheme,
      let path = configured.location.folder,
      let layout = configuration[domain: domain]?.layout, layout != .segments
    {
      let name = configured.name
      guard !configured.isEncrypted else {
        throw SyncError.noDocuments(on: name, of: domain)
      }
      guard configured.quota == nil else {
        throw SyncError(
          .remoteLayout, "the remote '\(name)' has a quota, and a quota cannot apply to documents",
          hint: "set 'domains.\(domain).layout' to 'segments', or remove the quota")
      }
      let store = try store(domain)
      let document = try document(of: domain)
      transport =
        try layout == .document
        ? DocumentTransport(
          path: path, domain: store.domain, document: document, createIfParentExists: mayCreate,
          whenMoved: configured.moveAdvice, base: { try store.heldSegments(on: name) })
        : DocumentsTransport(
          path: path, domain: store.domain, document: parted(document, of: domain),
          createIfParentExists: mayCreate, whenMoved: configured.moveAdvice,
          base: { try store.heldSegments(on: name) })
    } else {
      transport = try self.transport(for: configured, creating: mayCreate)
      if let quota = configured.quota {
        let domains = DomainRegistry.names.filter {
          configuration[domain: $0]?.remotes.contains(configured.name) ?? false
        }
        transport = QuotaTransport(
          transport, quota: quota, domains: try placeNames(of: domains, on: configured))
      }
      if configured.isEncrypted {
        transport = try sealing(transport, of: configured, for: domain)
      }
    }
    return Remote(configured.name, location: configured.location.url, transport: transport)
  }

  /// A document that also has a form of one file for each root.
  ///
  /// - Throws: ``SyncError`` `remote.layout` if it has none.
  func parted(
    _ document: any ReadableDocument, of domain: String
  ) throws -> any ReadableDocument {
    guard document.folder == nil else { return document }
    throw SyncError(
      .remoteLayout, "the domain '\(domain)' is one document and not several",
      hint: "set 'domains.\(domain).layout' to 'document'")
  }

  /// The form of a domain as one file.
  ///
  /// - Throws: ``SyncError`` `remote.layout` if it has none.
  func document(of domain: String) throws -> any ReadableDocument {
    if let domain = try DomainRegistry.domain(domain) as? any DocumentedDomain {
      return domain.document
    }
    throw SyncError(
      .remoteLayout, "the domain '\(domain)' has no document layout",
      hint: "set 'domains.\(domain).layout' to 'segments'")
  }
}

extension SyncError {
  /// The error for a readable document on an encrypted remote.
  static func noDocuments(on remote: String, of domain: String) -> SyncError {
    SyncError(
      .remoteLayout, "the remote '\(remote)' is encrypted, and a document is there to be read",
      hint:
        "set 'domains.\(domain).layout' to 'segments', or set up an empty place with --unencrypted")
  }
}
