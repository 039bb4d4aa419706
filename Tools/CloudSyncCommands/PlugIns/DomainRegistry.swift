import ArgumentParser
import CommandFoundation
import SyncKit

/// The domains of this program.
enum DomainRegistry {
  /// The domains of `cloudsync`: a row for each, in the order in which they are shown.
  static let builtIn: [any DomainRegistration.Type] = [
    AirportsRegistration.self,
    SettingsRegistration.self,
    HealthRegistration.self,
    MediaRegistration.self,
    BikeRegistration.self,
  ]

  /// All of the program, in the order in which they are shown.
  static var all: [any DomainRegistration.Type] { CommandProgram.current.domains }

  static var names: [String] { all.map { $0.domain.name } }

  /// The domains, each followed by its local stores: everything that has a store on a device.
  static var stores: [any SyncDomain] { all.flatMap { [$0.domain] + $0.localStores } }

  /// What a store is of, a domain or a local store.
  ///
  /// - Throws: ``SyncError`` `usage` with the nearest domain.
  static func stored(_ name: String) throws -> any SyncDomain {
    if let found = stores.first(where: { $0.name == name }) { return found }
    return try domain(name)
  }

  /// The domain with a name.
  ///
  /// - Throws: ``SyncError`` `usage` with the nearest name.
  static func domain(_ name: String) throws(SyncError) -> any SyncDomain {
    try registration(name).domain
  }

  static func registration(_ name: String) throws(SyncError) -> any DomainRegistration.Type {
    if let found = all.first(where: { $0.domain.name == name }) { return found }
    throw SyncError.unknownName("domain", name, among: names)
  }
}
