import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media stats`.
struct MediaStats: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Count records and what was watched.",
    discussion: examples("cloudsync media stats", "cloudsync media stats --json"))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let media = try MediaSession(context)
    var count = RecordCount(counting: [])
    for collection in DomainSchema.media.collections {
      try media.store.forEachRecord(in: collection.name, includingDeleted: true) { count.add($0) }
    }
    var report = count.report(
      MediaRegistration.domain, conflicts: try media.store.conflicts().count,
      runs: RunRates(try context.directories()).rate(MediaRegistration.domain.name))
    let statistics = MediaStatistics(media.library)
    let films = statistics.events.filter { $0.type == .movie }
    let rows: [(String, String, JSON)] = [
      ("films", "\(statistics.films)", .int(Int64(statistics.films))),
      ("series", "\(statistics.series)", .int(Int64(statistics.series))),
      ("films watched", "\(statistics.watchedFilms)", .int(Int64(statistics.watchedFilms))),
      ("film viewings", "\(films.count)", .int(Int64(films.count))),
      (
        "episode viewings", "\(statistics.events.count - films.count)",
        .int(Int64(statistics.events.count - films.count))
      ),
      ("rewatches", "\(statistics.rewatches)", .int(Int64(statistics.rewatches))),
      ("hours", "\(statistics.minutes / 60)", .int(statistics.minutes / 60)),
      ("ratings", "\(statistics.ratings.count)", .int(Int64(statistics.ratings.count))),
      (
        "mean rating out of 10", statistics.meanRating.map { Self.oneDigit($0) } ?? "",
        statistics.meanRating.map { .double(($0 * 100).rounded() / 100) } ?? .null
      ),
    ]
    let keys = [
      "films", "series", "filmsWatched", "filmEvents", "episodeEvents", "rewatches", "hours",
      "ratings", "meanRating",
    ]
    report.document["media"] = .object(JSONObject(zip(keys, rows).map { ($0, $1.2) }))
    report.table.rows += rows.map { ["media", ReportTable.Cell($0.0), ReportTable.Cell($0.1)] }
    context.print(report)
  }

  static func oneDigit(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
