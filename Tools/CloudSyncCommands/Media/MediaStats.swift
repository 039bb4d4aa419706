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
    let figures = MediaFigures(MediaStatistics(media.library))
    report.document["media"] = figures.document
    report.table.rows += figures.rows.map { row in
      ["media", ReportTable.Cell(row.name), ReportTable.Cell(row.text)]
    }
    context.print(report)
  }

  static func oneDigit(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// What the statistics of a library are told as.
struct MediaFigures {
  /// One figure.
  struct Row {
    let name: String
    let text: String
    /// Its key in a document.
    let key: String
    let value: JSON

    init(_ name: String, _ key: String, _ count: Int) {
      (self.name, self.key) = (name, key)
      (text, value) = ("\(count)", .int(Int64(count)))
    }

    init(_ name: String, _ key: String, mean: Double?) {
      (self.name, self.key) = (name, key)
      text = mean.map { MediaStats.oneDigit($0) } ?? ""
      value = mean.map { .double(($0 * 100).rounded() / 100) } ?? .null
    }
  }

  let rows: [Row]

  init(_ statistics: MediaStatistics) {
    let films = statistics.events.count { $0.type == .movie }
    rows = [
      Row("films", "films", statistics.films), Row("series", "series", statistics.series),
      Row("films watched", "filmsWatched", statistics.watchedFilms),
      Row("film viewings", "filmEvents", films),
      Row("episode viewings", "episodeEvents", statistics.events.count - films),
      Row("rewatches", "rewatches", statistics.rewatches),
      Row("hours", "hours", Int(statistics.minutes / 60)),
      Row("ratings", "ratings", statistics.ratings.count),
      Row("mean rating out of 10", "meanRating", mean: statistics.meanRating),
    ]
  }

  var document: JSON { .object(JSONObject(rows.map { ($0.key, $0.value) })) }
}
