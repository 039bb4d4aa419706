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
    var transport: any Transport
    if configured.location.type == FileRegistration.scheme,
      let path = configured.location.folder,
      configuration[domain: domain]?.layout == .document
    {
      let name = configured.name
      guard configured.quota == nil else {
        throw SyncError(
          .remoteLayout, "the remote '\(name)' has a quota, and a quota cannot apply to documents",
          hint: "set 'domains.\(domain).layout' to 'segments', or remove the quota")
      }
      let store = try store(domain)
      transport = DocumentTransport(
        path: path, domain: store.domain, document: try document(of: domain),
        createIfParentExists: mayCreate, whenMoved: configured.moveAdvice,
        base: { try store.heldSegments(on: name) })
    } else {
      transport = try self.transport(for: configured, creating: mayCreate)
      if let quota = configured.quota {
        let domains = DomainRegistry.names.filter {
          configuration[domain: $0]?.remotes.contains(configured.name) ?? false
        }
        transport = QuotaTransport(transport, quota: quota, domains: domains)
      }
    }
    return Remote(configured.name, location: configured.location.url, transport: transport)
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
