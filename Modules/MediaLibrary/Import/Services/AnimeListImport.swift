import SyncKitFormats
import SyncKit

/// Reads the list that MyAnimeList exports, which Kitsu, AniList and others write too: XML, also packed.
///
/// Films are films, and everything else is a series; manga are left out. A score of 0 is none, and
/// days of zeros are unknown.
enum AnimeListImport {
  static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    let start = String(decoding: Array(bytes.prefix(4096)), as: UTF8.self)
    return start.contains("<myanimelist")
  }

  static func read(_ bytes: [UInt8], list: String) throws -> ImportedLibrary {
    var library = TableLibrary(MediaImport.Format.myanimelist.rawValue, list: list)
    let entries = Entries()
    var options = XMLEventReader.Options.exports
    options.depth = 16
    do {
      let reader = try XMLEventReader(options: options) { entries.take($0) }
      try reader.feed(bytes)
      try reader.finish()
    } catch let error as XMLError {
      throw SyncError(.inputInvalid, "not valid XML: \(error)")
    }
    for (index, entry) in entries.all.enumerated() { add(entry, index + 1, to: &library) }
    library.count(entries.all.count)
    return library.finish()
  }

  private final class Entries {
    var all: [(kind: String, values: [String: String])] = []
    private var element = ""
    private var isInside = false

    func take(_ event: XMLEvent) {
      switch event {
      case .start(let name, _):
        if name == "anime" || name == "manga" {
          all.append((name, [:]))
          isInside = true
        }
        element = name
      case .text(let text):
        if isInside, !all.isEmpty, !text.trimmed.isEmpty {
          all[all.count - 1].values[element, default: ""] += text.trimmed
        }
      case .end(let name):
        if name == "anime" || name == "manga" { isInside = false }
        element = ""
      }
    }
  }

  /// Old files have numbers for states.
  private static let statuses = [
    "1": "watching", "2": "completed", "3": "onhold", "4": "dropped", "6": "plantowatch",
  ]

  private static func add(
    _ entry: (kind: String, values: [String: String]), _ number: Int, to library: inout TableLibrary
  ) {
    let values = entry.values
    guard entry.kind == "anime" else {
      var row = TableRow("", row: number)
      row.kind = .other("manga")
      return library.add(row)
    }
    guard let title = values["series_title"], !title.isEmpty else {
      return library.fail([
        ImportedRecords.Fault(row: number, column: "series_title", message: "there is no title")
      ])
    }
    var row = TableRow(title, row: number)
    row.kind = values["series_type"]?.lowercased() == "movie" ? .film : .series
    row.status = values["my_status"].flatMap { TableRow.Status(Self.statuses[$0] ?? $0) }
    if let score = values["my_score"].flatMap(Double.init), score > 0,
      let rating = Rating(score, of: score > 10 ? 100 : 10)
    {
      row.rating = ImportedRating(rating: rating, at: nil)
    }
    if row.kind == .series, let count = values["my_watched_episodes"].flatMap({ Int64($0) }),
      count > 0
    {
      row.mark = EpisodeNumber(season: 1, number: count)
    }
    if let count = values["series_episodes"].flatMap({ Int64($0) }), count > 0, row.kind == .series
    {
      row.fields[.numberOfEpisodes] = .int(count)
    }
    if let text = values["my_finish_date"], !Moment.isUnknown(text), let day = Day(text) {
      row.watches = [ImportedWatch(day)]
    }
    if let text = values["my_start_date"], !Moment.isUnknown(text), let day = Day(text) {
      row.fields[.startDate] = .instant(day.milliseconds)
    }
    let tags = (values["my_tags"] ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    if !tags.isEmpty { row.fields[.tags] = .list(tags.map { .string($0) }) }
    if let text = values["my_comments"], !text.isEmpty { row.notes = [text] }
    library.add(row)
  }
}
