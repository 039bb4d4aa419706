import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit

/// The command `cloudsync media list [LIST]`.
struct MediaList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show what is in a list, or the records of a collection.",
    discussion: examples(
      "cloudsync media list Weekend", "cloudsync media list Weekend --json",
      "cloudsync media list --collection item --sort modified",
      after: """
        With a list, its films and series in their order. Without one, the records of a \
        collection: the lists themselves, or with --collection item all films and series. \
        'cloudsync media lists' counts what is in each list.
        """))

  @Argument(help: ArgumentHelp("A list, by name or id.", valueName: "list"))
  var words: [String] = []
  @Option(help: ArgumentHelp("The order: id, or modified for newest first.", valueName: "order"))
  var sort: RecordList<MediaRegistration>.Order?
  @Flag(help: "Include deleted records.") var deleted = false
  @Option(
    help: ArgumentHelp("The collection; by default the first.", valueName: "name"),
    completion: .list(DomainSchema.media.collections.map(\.name.text)))
  var collection: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard !words.isEmpty else { return try listRecords(context, of: nil) }
    let media = try MediaSession(context)
    let list = try media.list(words.joined(separator: " "))
    guard collection.isEmpty, sort == nil, !deleted else {
      return try listRecords(context, of: list)
    }
    var listing = context.listing(
      "cloudsync.media.list/1", records: "records",
      columns: [
        ReportTable.Column("#", numeric: true), ReportTable.Column("title", flexible: true),
        ReportTable.Column("year", numeric: true), ReportTable.Column("type"),
        ReportTable.Column("watched"), ReportTable.Column("rating", numeric: true),
        ReportTable.Column("id"),
      ])
    for (place, item) in media.library.items(of: list.key).enumerated() {
      if listing.isAbandoned { break }
      listing.add(
        MediaRegistration.json(item),
        [
          ReportTable.Cell(place + 1), ReportTable.Cell(item["title"].string ?? ""),
          ReportTable.Cell(item["year"].int.map { "\($0)" } ?? ""),
          ReportTable.Cell(item["mediaType"].string ?? ""),
          ReportTable.Cell(item["watched"].bool == true ? "yes" : ""),
          ReportTable.Cell(
            Rating(item).map { "\($0)" } ?? "",
            style: item.conflicts.contains("score") ? .warning : .plain),
          ReportTable.Cell(item.key.id.text),
        ])
    }
    listing.finish()
  }

  /// Lists records as in other domains; of one list, only those in its zone.
  private func listRecords(_ context: CommandContext, of list: Record?) throws {
    var generic = try RecordList<MediaRegistration>.parse([])
    generic.sort = sort ?? .id
    generic.deleted = deleted
    generic.collection = list != nil && collection.isEmpty ? ["item"] : collection
    try generic.run(context) { record in list.map { $0.key.zone == record.key.zone } ?? true }
  }
}
