import CommandFoundation
import SyncKit

/// What the tables of a command have of a domain or a transport: its rows in the configuration and in the help.
public struct PlugInTables: Sendable {
  /// Keys in `domains.NAME` or in `remotes.NAME`, besides those that every domain or remote has.
  ///
  /// A key of a name that another domain or transport of the program has must have its type; the row of the
  /// first is shown.
  public var keys: [ConfigKey]
  /// Codes of errors, for `help exit-codes`; the exit status is in the code.
  public var errors: [(code: SyncError.Code, meaning: String)]
  /// Documents that verbs print with `--json`, by schema and keys, for `help formats`.
  public var documents: [(name: String, keys: String)]
  /// Files that `import` reads or `export` writes, by format, for `help formats`.
  public var files: [(format: String, meaning: String)]
  /// Pages of help, for `help TOPIC`: a summary for the list of topics, and the text.
  public var topics: [(name: String, summary: String, text: String)]

  /// Names the rows.
  public init(
    keys: [ConfigKey] = [], errors: [(code: SyncError.Code, meaning: String)] = [],
    documents: [(name: String, keys: String)] = [], files: [(format: String, meaning: String)] = [],
    topics: [(name: String, summary: String, text: String)] = []
  ) {
    self.keys = keys
    self.errors = errors
    self.documents = documents
    self.files = files
    self.topics = topics
  }

  /// Those of all domains and transports of the program, in the order of the registries.
  static var all: [PlugInTables] {
    DomainRegistry.all.map { $0.tables } + TransportRegistry.all.map { $0.tables }
  }
}
