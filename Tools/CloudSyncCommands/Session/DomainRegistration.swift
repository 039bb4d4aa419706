import ArgumentParser
import CommandFoundation
import SyncKit

/// Registers a domain with the command line: one line in ``DomainRegistry``.
///
/// From the schema alone the domain gets every generic verb; verbs of its own replace generic ones
/// of the same name.
protocol DomainRegistration: SendableMetatype {
  /// The domain.
  static var domain: any SyncDomain { get }
  /// Additional stores that never sync: no remote, no engine, only this device.
  ///
  /// All of their collections are ``RecordType/Placement/local``. Their batches are in the history and
  /// can be undone; their records are read and written by verbs of the domain.
  static var localStores: [any SyncDomain] { get }
  /// What stands behind `cloudsync` in the examples of its verbs; the domain's name unless it is a
  /// local store, whose verbs stand below another domain.
  static var commandPath: String { get }
  /// What the domain is for, as a short phrase.
  static var abstract: String { get }
  /// Verbs of its own.
  static var verbs: [any ParsableCommand.Type] { get }
  /// Makes a record's group from one typed value; nil if the domain has no such notation.
  static func groupFields(_ group: Name, from text: String) -> [Name: Value]?
  /// The examples in the help.
  static var example: DomainExample { get }
  /// The columns of a list, before the time and the device; nil for the id and all fields.
  static func columns(of collection: RecordType) -> [RecordColumn]?
  /// The fields that documents contain even when unset.
  static func steadyFields(of collection: Name) -> [Name]
  /// The fields of the first collection whose values `stats` counts.
  static var countedFields: [Name] { get }
  /// Warnings about a draft that can be written nevertheless.
  static func concerns(about draft: RecordDraft) -> [Concern]
  /// What a record is called that has a tree of its own and can be shared, such as `subject`; nil when
  /// nothing of the domain is shared.
  static var sharedNoun: String? { get }
  /// The name of such a record in examples.
  static var shareExample: String { get }
  /// The name of such a record for other people.
  static func shareTitle(of root: Record) -> String
  /// The record that a text means which is no id, such as a name; nil when the domain has no names.
  ///
  /// - Throws: ``SyncError`` `usage` if it fits several.
  static func record(named text: String, in collection: Name, of store: SyncStore) throws -> Record?
}

extension DomainRegistration {
  static var localStores: [any SyncDomain] { [] }
  static var commandPath: String { domain.name }
  static var verbs: [any ParsableCommand.Type] { [] }
  static func groupFields(_ group: Name, from text: String) -> [Name: Value]? { nil }
  static var example: DomainExample { DomainExample(id: "ID", fields: "FIELD=VALUE") }
  static func columns(of collection: RecordType) -> [RecordColumn]? { nil }
  static func steadyFields(of collection: Name) -> [Name] { [] }
  static var countedFields: [Name] { [] }
  static func concerns(about draft: RecordDraft) -> [Concern] { [] }
  static var sharedNoun: String? { nil }
  static var shareExample: String { example.id }
  static func shareTitle(of root: Record) -> String {
    root["name"].string.flatMap { $0.isEmpty ? nil : $0 } ?? root.key.id.text
  }
  static func record(
    named text: String, in collection: Name, of store: SyncStore
  ) throws -> Record? { nil }
}

/// The domains of this build.
enum DomainRegistry {
  /// All of them, in the order in which they are shown.
  static let all: [any DomainRegistration.Type] = [
    AirportsRegistration.self,
    SettingsRegistration.self,
    HealthRegistration.self,
    MediaRegistration.self,
    BikeRegistration.self,
  ]

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
