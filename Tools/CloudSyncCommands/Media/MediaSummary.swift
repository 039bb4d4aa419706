import ArgumentParser
import CommandFoundation
import MediaLibrary
import SyncKit
import SyncKitFormats

/// The command `cloudsync media summary`.
struct MediaSummary: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary", abstract: "Show what is next, the lists, and the figures.",
    discussion: examples(
      "cloudsync media summary", "cloudsync media summary --limit 3 --json",
      after: """
        It is what 'media next', 'media lists' and 'media stats' say, from one look at the library.
        """))

  @Option(help: "The maximum number of suggestions.") var limit: Int = 10
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let media = try MediaSession(context)
    let titles = TitleGroups(media.library)
    let next = NextUp(media.library, titles, today: media.today).proposals.prefix(max(limit, 0))
    let lists = ListSize.all(of: media.library)
    let figures = MediaFigures(MediaStatistics(media.library, titles))
    func row(_ about: String, _ name: String, _ value: String) -> [ReportTable.Cell] {
      [ReportTable.Cell(about), ReportTable.Cell(name), ReportTable.Cell(value)]
    }
    context.print(
      Report(
        "cloudsync.media.summary/1",
        [
          "next": .array(next.map(\.document)), "lists": .array(lists.map(\.document)),
          "media": figures.document,
        ],
        table: ReportTable(
          [
            ReportTable.Column("about"), ReportTable.Column("name", flexible: true),
            ReportTable.Column("value"),
          ],
          rows: next.map { proposal in
            row(
              "next", proposal.item["title"].string ?? "",
              proposal.episode.map { "\($0)" } ?? proposal.reason)
          }
            + lists.map { size in
              row(
                "list", size.list["name"].string ?? "", "\(size.watched) of \(size.items) watched")
            } + figures.rows.map { row("media", $0.name, $0.text) })))
  }
}
