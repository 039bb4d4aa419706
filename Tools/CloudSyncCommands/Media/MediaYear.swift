import LocalMachine
import ArgumentParser
import SyncKitCharts
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media year YYYY`.
struct MediaYear: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "year", abstract: "Review a year: what was watched, when, and how it was rated.",
    discussion: examples(
      "cloudsync media year 2026", "cloudsync media year 2026 --svg year.svg",
      "cloudsync media year 2026 --html year.html",
      after: "--svg writes the calendar as a picture, --html the whole page as one file."))

  @Argument(help: "The year; by default this one.") var year: Int?
  @Option(help: "Write the calendar as SVG; - is standard output.", completion: .file())
  var svg: String?
  @Option(help: "Write the page as HTML; - is standard output.", completion: .file())
  var html: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let media = try MediaSession(context)
    let year = year ?? media.today.year
    guard (1800...2999).contains(year) else {
      throw SyncError(.usage, "the year must be between 1800 and 2999, not \(year)")
    }
    let review = YearReview(MediaStatistics(media.library, year: year), year)
    if let svg { return try write(review.calendar.svg(), to: svg, context) }
    if let html { return try write(review.page, to: html, context) }
    context.print(review.report(width: context.terminal.columns ?? 80))
  }

  private func write(_ text: String, to file: String, _ context: CommandContext) throws {
    let bytes = Array(text.utf8)
    guard file != "-" else { return context.terminal.output.write(bytes: bytes) }
    do throws(SystemError) { try LocalFile.replace(file, with: bytes) } catch {
      throw SyncError(error)
    }
    context.print(
      Report(
        "cloudsync.media.page/1",
        ["file": .string(file), "bytes": .int(Int64(bytes.count))],
        table: ReportTable([ReportTable.Column("file")], rows: [[ReportTable.Cell(file)]]), text: ""
      ))
    context.note("wrote \(file)")
  }
}

/// A year in figures and pictures.
struct YearReview {
  private let statistics: MediaStatistics
  private let year: Int

  init(_ statistics: MediaStatistics, _ year: Int) {
    self.statistics = statistics
    self.year = year
  }

  /// The days on which something was watched.
  var calendar: CalendarHeatMap {
    CalendarHeatMap(
      "Watched", unit: "", year: year,
      values: statistics.events.map { (at: $0.day.milliseconds, value: 1) })
  }

  private var ratings: BarChart {
    BarChart(
      "Ratings out of 10",
      bars: statistics.histogram.enumerated().reversed().map { point, count in
        BarChart.Bar("\(point + 1)", Double(count))
      })
  }

  private var months: BarChart {
    BarChart(
      "Months",
      bars: zip(Self.monthNames, statistics.months).map { BarChart.Bar($0, Double($1)) })
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private var films: [MediaStatistics.Event] { statistics.events.filter { $0.type == .movie } }

  private var figures: [(name: String, value: String)] {
    [
      ("films", "\(films.count)"), ("episodes", "\(statistics.events.count - films.count)"),
      ("rewatches", "\(statistics.rewatches)"), ("hours", "\(statistics.minutes / 60)"),
      ("mean rating out of 10", statistics.meanRating.map { MediaStats.oneDigit($0) } ?? "–"),
    ]
  }

  func report(width: Int) -> Report {
    var text = "\(year)\n\n"
    for figure in figures { text += "\(figure.name): \(figure.value)\n" }
    if !statistics.events.isEmpty {
      text += "\n\(calendar.text(width: width))\n\n\(months.text(width: width))\n"
      if !statistics.ratings.isEmpty { text += "\n\(ratings.text(width: width))\n" }
      if !best.isEmpty { text += "\nBest rated\n" }
      for title in best {
        text += "  \(Sanitized.line(title.title))  \(Rating.shown(title.rating))\n"
      }
    }
    return Report(
      "cloudsync.media.year/1",
      [
        "year": .int(Int64(year)), "films": .int(Int64(films.count)),
        "episodes": .int(Int64(statistics.events.count - films.count)),
        "rewatches": .int(Int64(statistics.rewatches)), "minutes": .int(statistics.minutes),
        "meanRating": statistics.meanRating.map { .double(($0 * 100).rounded() / 100) } ?? .null,
        "months": .array(statistics.months.map { .int(Int64($0)) }),
        "ratings": .array(statistics.histogram.map { .int(Int64($0)) }),
        "genres": .array(
          statistics.genres.map { ["name": .string($0.name), "count": .int(Int64($0.count))] }),
        "events": .array(
          statistics.events.map { event in
            [
              "date": .string(event.day.description), "title": .string(event.title),
              "mediaType": .string(event.type.rawValue),
              "episode": event.episode.map { .string("\($0)") } ?? .null,
              "rewatch": .bool(event.isRewatch),
            ]
          }),
      ],
      records: "events",
      table: ReportTable(
        ["date", "title", "episode", "rewatch"].map { ReportTable.Column($0) },
        rows: statistics.events.map { event in
          [
            ReportTable.Cell(event.day.description), ReportTable.Cell(event.title),
            ReportTable.Cell(event.episode.map { "\($0)" } ?? ""), event.isRewatch ? "true" : "",
          ]
        }), text: text)
  }

  private var best: ArraySlice<(title: String, rating: Double)> { statistics.ratings.prefix(5) }

  /// One self-contained file: figures, pictures, and everything watched.
  var page: String {
    var page = HTMLPage(title: "Watched in \(year)")
    page.addSection("", [.facts(figures.map { HTMLPage.Fact($0.name, $0.value) })])
    guard !statistics.events.isEmpty else { return page.html() }
    page.addSection("When", [.picture(svg: calendar.svg()), .picture(svg: months.svg())])
    if !statistics.ratings.isEmpty {
      page.addSection("Ratings", [.picture(svg: ratings.svg())])
    }
    page.addSection(
      "Everything watched",
      [
        .table(
          header: ["Day", "Title", "Episode", ""],
          rows: statistics.events.map { event in
            [
              event.day.description, event.title, event.episode.map { "\($0)" } ?? "",
              event.isRewatch ? "again" : "",
            ]
          })
      ])
    return page.html()
  }
}

extension Rating {
  /// A rating on a scale of ten, in words.
  fileprivate static func shown(_ rating: Double) -> String { "\(MediaStats.oneDigit(rating))/10" }
}
