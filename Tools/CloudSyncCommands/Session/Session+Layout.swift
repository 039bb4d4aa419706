import FileTransport
import SyncKit

extension Session {
  /// A remote as a domain meets it: a folder in the domain's layout, anything else in its own form.
  func remote(
    _ configured: Configuration.Remote, for domain: String, creating mayCreate: Bool = false
  ) throws -> Remote {
    let transport: any Transport
    if case .file(let path) = configured.location,
      configuration[domain: domain]?.layout == .document
    {
      let name = configured.name
      let store = try store(domain)
      transport = DocumentTransport(
        path: path, domain: store.domain, document: try document(of: domain),
        createIfParentExists: mayCreate, base: { try store.heldSegments(on: name) })
    } else {
      transport = try self.transport(for: configured, creating: mayCreate)
    }
    return Remote(configured.name, location: configured.location.url, transport: transport)
  }

  /// How a domain is shown as one file.
  ///
  /// - Throws: ``SyncError`` `remote.layout` when it has no such form.
  func document(of domain: String) throws -> any ReadableDocument {
    if let document = try DomainRegistry.domain(domain).document { return document }
    throw SyncError(
      .remoteLayout, "the domain '\(domain)' has no document layout",
      hint: "set 'domains.\(domain).layout' to 'segments'")
  }
}
