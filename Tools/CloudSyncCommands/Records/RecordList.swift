import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> list`.
struct RecordList<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.commandPath
    return CommandConfiguration(
      commandName: "list", abstract: "List the records.",
      discussion: examples(
        "cloudsync \(name) list", "cloudsync \(name) list --sort modified",
        "cloudsync \(name) list --deleted --json"))
  }

  /// The sort orders of a list.
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case id, modified
  }

  @Option(help: ArgumentHelp("The order: id, or modified for newest first.", valueName: "order"))
  var sort: Order = .id
  @Flag(help: "Include deleted records.")
  var deleted = false
  @Option(
    help: ArgumentHelp("The collection; by default the first.", valueName: "name"),
    completion: .list(D.domain.schema.collections.map(\.name.text)))
  var collection: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws { try run(context) { _ in true } }

  /// Lists the records that a domain's own verb selects.
  func run(_ context: CommandContext, where isWanted: (Record) -> Bool) throws {
    let collections = try D.domain.collections(collection)
    let store = try Session(context).store(D.domain.name)
    let columns = columns(of: collections)
    var listing = context.listing(
      "cloudsync.\(D.domain.name).list/1", records: "records", columns: columns.map(\.column))
    do {
      try forEach(in: collections, of: store) { record in
        if listing.isAbandoned { throw Abandoned() }
        guard isWanted(record) else { return }
        listing.add(D.json(record), columns.map { $0.cell(record) })
      }
    } catch is Abandoned {} catch {
      // Half a document would be invalid: it is closed, and says that more was to come.
      listing.finish(["error": ErrorReport.part(of: ErrorReport.described(error))])
      throw error
    }
    listing.finish()
  }

  private struct Abandoned: Error {}

  /// Visits the records in the requested order.
  ///
  /// A collection in one zone is stored in the order of its ids; others are gathered first.
  private func forEach(
    in collections: [RecordType], of store: SyncStore, _ body: (Record) throws -> Void
  ) throws {
    if sort == .id, collections.allSatisfy({ $0.placement == .home }) {
      for collection in collections {
        try store.forEachRecord(in: collection.name, includingDeleted: deleted, body)
      }
      return
    }
    var records: [Record] = []
    for collection in collections {
      let found = try store.records(collection.name, includingDeleted: deleted)
      records += found.sorted { $0.key.id < $1.key.id }
    }
    if sort == .modified {
      records.sort {
        $0.modified != $1.modified ? $0.modified > $1.modified : $0.key < $1.key
      }
    }
    for record in records { try body(record) }
  }

  private func columns(of collections: [RecordType]) -> [RecordColumn] {
    var columns = collections.count == 1 ? D.listColumns(of: collections[0]) : [.collection, .id()]
    if collections.count > 1 { columns += [.modified, .device] }
    return columns + (deleted ? [.deleted] : [])
  }
}
