import SyncKitFormats
import SyncKit

/// Reads JSON with titles that hold their seasons and episodes: of Simkl, TV Time and SeriesGuide.
///
/// | File | Shape |
/// |---|---|
/// | Simkl's backup | an object with `shows`, `anime` and `movies`, the title under `show` or `movie` |
/// | TV Time, by programs that save what it has | an array of series or films with `id`, `is_watched`, `status` |
/// | SeriesGuide's backup | an array of series or films with `tmdb_id`, `watched`, `plays` |
struct NestedImport {
  private var library: TableLibrary
  private let file: String?
  private let format: MediaImport.Format

  /// The service that wrote the file; nil for another file.
  static func format(of json: JSON) -> MediaImport.Format? {
    if let object = json.object {
      let parts = ["shows", "anime", "movies"].compactMap { object[$0]?.array }
      guard let first = parts.lazy.compactMap(\.first).first else { return nil }
      return (first["show"] ?? first["movie"] ?? first["anime"])?["title"] != nil ? .simkl : nil
    }
    guard let first = json.array?.first, first["title"]?.string != nil else { return nil }
    if first["is_watched"] != nil || (first["seasons"] != nil && first["id"] != nil) {
      return .tvtime
    }
    if first["tmdb_id"] != nil || first["tvdb_id"] != nil,
      first["seasons"] != nil || first["in_watchlist"] != nil || first["in_collection"] != nil
    {
      return .seriesguide
    }
    return nil
  }

  static func read(
    _ json: JSON, file: String?, format: MediaImport.Format, list: String
  ) -> ImportedLibrary {
    var reader = NestedImport(
      library: TableLibrary(format.rawValue, list: list), file: file, format: format)
    if let object = json.object {
      reader.readAll(object["movies"]?.array ?? [], kind: .film)
      reader.readAll(object["shows"]?.array ?? [], kind: .series)
      reader.readAll(object["anime"]?.array ?? [], kind: .series)
    } else {
      reader.readAll(json.array ?? [], kind: nil)
    }
    return reader.library.finish()
  }

  private mutating func readAll(_ elements: [JSON], kind: TitleKind?) {
    library.count(elements.count)
    for (index, element) in elements.enumerated() { read(element, index + 1, kind) }
  }

  private mutating func read(_ element: JSON, _ row: Int, _ stated: TitleKind?) {
    let title = element["show"] ?? element["movie"] ?? element["anime"] ?? element
    var kind = stated ?? (element["seasons"] == nil ? .film : .series)
    if element["anime_type"]?.string == "movie" { kind = .film }
    guard let name = title["title"]?.string?.trimmed, !name.isEmpty else {
      library.fail([
        ImportedRecords.Fault(
          row: row, column: "title", message: (file.map { "\($0): " } ?? "") + "there is no title")
      ])
      return
    }
    var parsed = TableRow(name, row: row, file: file)
    parsed.kind = kind
    parsed.year = Self.number(title["year"]).flatMap { (1800...2999).contains($0) ? $0 : nil }
    readIds(title["ids"] ?? title["id"], title, into: &parsed)
    if parsed.year == nil { parsed.splitYear() }
    readRating(element, into: &parsed)
    readState(element, into: &parsed)
    if kind == .series { parsed.watches = [] }
    library.add(parsed)
    for season in element["seasons"]?.array ?? [] {
      for episode in season["episodes"]?.array ?? [] {
        readEpisode(episode, of: Self.number(season["number"] ?? season["season"]), parsed)
      }
    }
  }

  private func readIds(_ ids: JSON?, _ title: JSON, into parsed: inout TableRow) {
    func id(_ name: String) -> Int64? {
      Self.number(ids?[name] ?? title["\(name)_id"]).flatMap { $0 > 0 ? $0 : nil }
    }
    parsed.tmdb = id("tmdb")
    parsed.tvdb = id("tvdb")
    parsed.imdb = (ids?["imdb"] ?? title["imdb_id"])?.string.flatMap { IMDbID.find(in: $0) }
  }

  private func readRating(_ element: JSON, into parsed: inout TableRow) {
    guard let value = (element["user_rating"] ?? element["rating_user"])?.double, value > 0,
      let rating = Rating(value, of: 10)
    else { return }
    parsed.rating = ImportedRating(rating: rating, at: time(element["user_rated_at"]))
  }

  private func readState(_ element: JSON, into parsed: inout TableRow) {
    // With SeriesGuide it says whether the series is still being made.
    if format != .seriesguide, let word = element["status"]?.string {
      parsed.status =
        format == .tvtime ? TVTimeImport.status(word) : TableRow.Status(word)
    }
    if parsed.status == nil, element["in_watchlist"]?.bool == true { parsed.status = .planned }
    parsed.added = time(element["added_to_watchlist_at"] ?? element["created_at"])
    if let memo = element["memo"]?["text"]?.string?.trimmed, !memo.isEmpty { parsed.notes = [memo] }
    if element["favorite"]?.bool == true || element["is_favorite"]?.bool == true {
      parsed.fields[.likedStatus] = 1
    }
    parsed.isWatched = (element["is_watched"] ?? element["watched"])?.bool
    if let moment = time(element["watched_at"] ?? element["last_watched_at"]) {
      if parsed.kind == .series {
        parsed.fields[.lastWatched] = .instant(moment)
      } else if parsed.isWatched != false, parsed.status != .planned {
        parsed.watches = [Self.watch(moment)]
      }
    }
    if let text = element["last_watched"]?.string, let mark = EpisodeNumber(text), mark.number > 0 {
      parsed.mark = mark
    }
    if let minutes = Self.number(element["runtime"]), minutes > 0, minutes < 10_000 {
      parsed.fields[.runtime] = .int(minutes)
    }
  }

  private mutating func readEpisode(_ json: JSON, of season: Int64?, _ series: TableRow) {
    guard let season, let number = Self.number(json["number"] ?? json["episode"]) else { return }
    var row = TableRow(series.title, row: series.row, file: file)
    row.kind = .episode
    (row.year, row.tmdb, row.tvdb, row.imdb) = (series.year, series.tmdb, series.tvdb, series.imdb)
    (row.season, row.episode) = (season, number)
    row.episodeName = json["title"]?.string?.trimmed
    let moment = time(json["watched_at"])
    // Simkl names the watched ones only.
    row.isWatched = (json["is_watched"] ?? json["watched"])?.bool ?? (moment != nil)
    if row.isWatched == true, let moment { row.watches = [Self.watch(moment)] }
    library.add(row)
  }

  private static func watch(_ moment: Int64) -> ImportedWatch {
    var watch = ImportedWatch(Day(milliseconds: moment))
    watch.at = moment
    return watch
  }

  private static func number(_ json: JSON?) -> Int64? {
    json?.int ?? json?.string.flatMap { TableReader.whole($0) }
  }

  /// A time of RFC 3339, or in UTC without a zone; nil when it is unknown.
  private func time(_ json: JSON?) -> Int64? {
    guard let text = json?.string, !Moment.isUnknown(text) else { return nil }
    let moment = Timestamp.parse(text) ?? Timestamp.parse("\(text.prefix(19))Z")
    return moment.flatMap { Moment.isKnown($0) ? $0 : nil }
  }
}
