import CommandFoundation
import SyncKitFormats
import SyncKit

extension Session {
  /// The rules of a domain's `include` and `exclude`; nil without such patterns.
  ///
  /// In settings the patterns match keys. Elsewhere they match the ids of roots, which are published
  /// or kept as wholes.
  func egressRules(of domain: String) throws -> EgressRules? {
    guard let rules = configuration[domain: domain] else { return nil }
    let patterns = DomainPatterns(
      include: rules.include.map { KeyPattern($0) }, exclude: rules.exclude.map { KeyPattern($0) })
    guard !patterns.include.isEmpty || !patterns.exclude.isEmpty else { return nil }
    let registration = try DomainRegistry.registration(domain)
    if let own = registration.records.patterns {
      return EgressRules(advice: Program.words(own.advice)) { operation in
        own.names(operation).contains(where: patterns.keep)
      }
    }
    let roots = Set(
      registration.domain.schema.collections.filter { $0.placement == .root }.map(\.name))
    return EgressRules(advice: "See 'include' and 'exclude' of domains.\(domain).") { operation in
      roots.contains(operation.collection) && patterns.keep(operation.id.text)
    }
  }
}

/// The patterns of a domain's configuration.
private struct DomainPatterns: Sendable {
  var include: [KeyPattern]
  var exclude: [KeyPattern]

  /// Whether an item with this name stays on the device.
  func keep(_ name: String) -> Bool {
    if exclude.contains(where: { $0.matches(name) }) { return true }
    return !include.isEmpty && !include.contains { $0.matches(name) }
  }
}
