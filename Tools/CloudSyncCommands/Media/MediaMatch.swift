import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media match`.
struct MediaMatch: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Review titles that may be the same, and those without an id.",
    discussion: examples(
      "cloudsync media match", #"cloudsync media match "The Matrix" --tmdb 603"#,
      "cloudsync media match movie-603-abcdefghij --same movie-x-abcdefghij",
      after: """
        Without a title it lists the items to review. --same merges two items: the first stays and \
        gets what only the second has. --tmdb and --imdb say which title it is; items with \
        different ids are never merged.
        """))

  @Argument(help: ArgumentHelp("Words of the title, or the id of an item.", valueName: "title"))
  var words: [String] = []
  @Option(help: ArgumentHelp("Only in this list, by name or id.", valueName: "list"))
  var list: String?
  @Option(help: ArgumentHelp("The item to merge into it.", valueName: "id")) var same: String?
  @Option(help: "Its TMDB number.") var tmdb: Int64?
  @Option(help: ArgumentHelp("Its IMDb id, such as tt0133093.", valueName: "id"))
  var imdb: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard !words.isEmpty else {
      guard same == nil, tmdb == nil, imdb == nil else {
        throw SyncError(.usage, "the title or id of the item is missing")
      }
      return try review(context)
    }
    guard same != nil || tmdb != nil || imdb != nil else {
      throw SyncError(.usage, "add --same ID, --tmdb NUMBER or --imdb ID")
    }
    try context.write("cloudsync.media.match-set/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let item = try media.item(words, in: list)
      let other = try same.map { try media.item([$0], in: list) }
      return try media.write { transaction in
        var fields: [FieldName: Value] = [:]
        if let tmdb { fields["tmdbId"] = .int(tmdb) }
        if let imdb { fields["imdbId"] = .string(imdb) }
        if !fields.isEmpty { try transaction.edit(item.key, fields) }
        guard let other else { return [item.key] }
        try transaction.unite(other, into: item, in: media.library, device: media.device)
        return [item.key, other.key]
      }
    }
  }

  private func review(_ context: CommandContext) throws {
    let media = try MediaSession(context)
    let review = MatchReview(media.library, in: try list.map { try media.list($0).key })
    func name(_ item: Record) -> String {
      "\(item["title"].string ?? "")\(item["year"].int.map { " (\($0))" } ?? "")"
    }
    func json(_ item: Record) -> JSON {
      [
        "id": .string(item.key.id.text), "title": item["title"].json, "year": item["year"].json,
        "list": item.parent.map { .string($0.id.text) } ?? .null,
      ]
    }
    var rows: [[ReportTable.Cell]] = review.pairs.map { pair in
      [
        "same?", ReportTable.Cell(name(pair.first)), ReportTable.Cell(pair.first.key.id.text),
        ReportTable.Cell(pair.second.key.id.text), ReportTable.Cell(pair.reason),
      ]
    }
    rows += review.unidentified.map { item in
      [
        "no id", ReportTable.Cell(name(item)), ReportTable.Cell(item.key.id.text), "",
        "no TMDB or IMDb id",
      ]
    }
    context.print(
      Report(
        "cloudsync.media.match/1",
        [
          "pairs": .array(
            review.pairs.map { pair in
              [
                "first": json(pair.first), "second": json(pair.second),
                "reason": .string(pair.reason),
              ]
            }),
          "unidentified": .array(review.unidentified.map { json($0) }),
        ],
        table: ReportTable(
          [
            ReportTable.Column("doubt"), ReportTable.Column("title", flexible: true),
            ReportTable.Column("item"),
            ReportTable.Column("other"), ReportTable.Column("why", flexible: true),
          ], rows: rows)))
  }
}
