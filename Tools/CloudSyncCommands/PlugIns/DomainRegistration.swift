import ArgumentParser
import CommandFoundation
import SyncKit

/// Makes a domain known to a command: one row in the list of a ``CommandProgram``.
///
/// From the schema alone the domain gets every generic verb, help, completion and its part of the
/// configuration. A plain domain needs the first two; everything else has a default.
///
/// ```swift
/// enum BookShelfRegistration: DomainRegistration {
///   static let domain: any SyncDomain = BookShelfDomain()
///   static let abstract = "Books: what stands on the shelf and what was read."
/// }
/// ```
///
/// All of it is read when it is first needed, and never for `--version`. Keep values in `static let`, which
/// Swift makes at first use, or compute them.
public protocol DomainRegistration: SendableMetatype {
  /// The domain. Its name is that of its command.
  static var domain: any SyncDomain { get }
  /// What the domain is for, as a short sentence.
  static var abstract: String { get }
  /// Verbs and stores of its own.
  static var commands: DomainCommands { get }
  /// How its records are shown, typed, shared and kept back.
  static var records: DomainRecords { get }
  /// What the configuration and the help have of it.
  static var tables: PlugInTables { get }
}

extension DomainRegistration {
  /// None of its own.
  public static var commands: DomainCommands { DomainCommands() }
  /// As the schema says.
  public static var records: DomainRecords { DomainRecords() }
  /// Nothing of its own.
  public static var tables: PlugInTables { PlugInTables() }
}

/// Verbs and stores of a domain's own.
public struct DomainCommands: Sendable {
  /// Verbs of its own, shown after the generic ones; one with the name of a generic verb replaces it.
  public var verbs: [any ParsableCommand.Type]
  /// Additional stores that never sync: no remote, no engine, only this device.
  ///
  /// All of their collections are ``RecordType/Placement/local``. Their batches are in the history and
  /// can be undone; their records are read and written by verbs of the domain.
  public var localStores: [any SyncDomain]
  /// What stands behind the program's name in the examples of its verbs; the domain's name unless it is a
  /// local store, whose verbs stand below another domain.
  var path: String?
  /// Writes into its store what follows from its local stores, before a sync.
  ///
  /// It changes nothing where the store says so already. Other devices then hear of it whatever changed the
  /// local stores, an undo too.
  var prepareSync: (@Sendable (Session) throws -> Void)?

  /// Names verbs and stores.
  public init(verbs: [any ParsableCommand.Type] = [], localStores: [any SyncDomain] = []) {
    self.verbs = verbs
    self.localStores = localStores
  }
}

// MARK: What generic verbs ask for

extension DomainRegistration {
  static var localStores: [any SyncDomain] { commands.localStores }
  static var commandPath: String { commands.path ?? domain.name }
  static var prepareSync: (@Sendable (Session) throws -> Void)? { commands.prepareSync }
  static var verbs: [any ParsableCommand.Type] { commands.verbs }

  static func groupFields(_ group: FieldName, from text: String) -> [FieldName: Value]? {
    records.input.group?(group, text)
  }

  static var example: DomainExample { records.display.example }

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    records.display.columns?(collection)
  }

  static func steadyFields(of collection: CollectionName) -> [FieldName] {
    records.display.steadyFields[collection] ?? []
  }

  static var countedFields: [FieldName] { records.display.countedFields }
  static func concerns(about draft: RecordDraft) -> [Concern] {
    records.input.concerns?(draft) ?? []
  }

  static func recognition(of sample: FileSample) -> RecognizedFile? {
    records.input.recognize?(sample)
  }

  static var sharedNoun: String? { records.sharing?.noun }
  static var shareExample: String { records.sharing?.example ?? example.id }

  static func shareTitle(of root: Record) -> String {
    if let title = records.sharing?.title?(root) { return title }
    return root["name"].string.flatMap { $0.isEmpty ? nil : $0 } ?? root.key.id.text
  }

  static func record(
    named text: String, in collection: CollectionName, of store: SyncStore
  ) throws -> Record? { try records.input.named?(text, collection, store) }

  /// Whether it has trees that can be local or synced as a whole.
  static var hasRoots: Bool { domain.schema.collections.contains { $0.placement == .root } }
}
