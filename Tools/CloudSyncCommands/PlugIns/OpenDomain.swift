@_exported import CommandFoundation
import SyncKit

/// A domain on this device, as a verb of its own works with it.
public struct OpenDomain: Sendable {
  /// Its store, in which `store.records` reads and `store.write` writes.
  public let store: SyncStore
  /// What the configuration says under the keys of the domain's own, or their fallbacks.
  public let settings: ConfigValues
}

extension CommandContext {
  /// Opens a domain of the program on this device; makes its store when there is none.
  ///
  /// - Throws: ``SyncError`` `config.invalid`; `store.damaged`, `store.io` and the like.
  public func open(_ registration: any DomainRegistration.Type) throws -> OpenDomain {
    let session = try Session(self)
    let name = registration.domain.name
    let nothing = ConfigReader(
      nothingOf: registration.tables.keys, paths: PathExpansion(request: directoryRequest))
    return OpenDomain(
      store: try session.store(name),
      settings: try session.configuration[domain: name]?.values
        ?? ConfigValues(nothing, registration.tables.keys))
  }
}
