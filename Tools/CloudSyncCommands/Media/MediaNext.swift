import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media next`.
struct MediaNext: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Suggest what to watch next.",
    discussion: examples(
      "cloudsync media next", "cloudsync media next --list Weekend --limit 3",
      after: """
        Series in progress come first, the last watched at the top, each with its next episode; \
        then unwatched titles, in the order of the lists.
        """))

  @Option(help: ArgumentHelp("Only in this list, by name or id.", valueName: "list"))
  var list: String?
  @Option(help: "The maximum number of suggestions.") var limit: Int = 10
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let media = try MediaSession(context)
    let next = NextUp(
      media.library, in: try list.map { try media.list($0).key }, today: media.today)
    let shown = next.proposals.prefix(max(limit, 0))
    context.print(
      Report(
        "cloudsync.media.next/1",
        [
          "next": .array(shown.map(\.document))
        ],
        records: "next",
        table: ReportTable(
          [
            ReportTable.Column("title", flexible: true), ReportTable.Column("episode"),
            ReportTable.Column("name", flexible: true), ReportTable.Column("why"),
          ],
          rows: shown.map { proposal in
            [
              ReportTable.Cell(proposal.item["title"].string ?? ""),
              ReportTable.Cell(proposal.episode.map { "\($0)" } ?? ""),
              ReportTable.Cell(proposal.record?["name"].string ?? ""),
              ReportTable.Cell(proposal.reason),
            ]
          })))
  }
}

extension NextUp.Proposal {
  /// As the documents of `media next` and `media summary` have it.
  var document: JSON {
    [
      "item": .string(item.key.id.text), "title": item["title"].json, "year": item["year"].json,
      "mediaType": item["mediaType"].json, "season": episode.map { .int($0.season) } ?? .null,
      "number": episode.map { .int($0.number) } ?? .null, "episode": record?["name"].json ?? .null,
      "reason": .string(reason),
    ]
  }
}
