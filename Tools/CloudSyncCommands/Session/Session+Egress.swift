import CommandFoundation
import SettingsSync
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
    guard domain == SettingsRegistration.domain.name else {
      let roots = Set(
        try DomainRegistry.domain(domain).schema.collections.filter { $0.placement == .root }
          .map(\.name))
      return EgressRules(advice: "See 'include' and 'exclude' of domains.\(domain).") { operation in
        roots.contains(operation.collection) && patterns.keep(operation.id.text)
      }
    }
    return EgressRules(
      advice: """
        Take it out of the patterns of domains.settings; or keep the value with \
        'cloudsync settings put KEY VALUE --here' and start the namespace again without the record: \
        'settings scope namespace/NAME local', 'settings rm KEY', 'settings scope namespace/NAME synced'.
        """
    ) { operation in
      SettingsDomain.keys(writtenBy: operation).contains(where: patterns.keep)
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
