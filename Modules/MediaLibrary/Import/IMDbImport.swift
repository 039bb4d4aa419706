import SyncKitFormats
import SyncKit

/// Reads the tables of ratings and of lists that IMDb exports, in their old and new forms.
///
/// Columns are found by name in any case. Old tables are in latin-1, call the rating
/// `You rated` and write days as `Sat Nov 21 00:00:00 2026`; the kind of title has two spellings.
/// Single episodes, games and podcasts are left out with a count: the table does not say which series an
/// episode is of, and the others have no place in a list. Unrated titles may lack their last cells.
struct IMDbImport {
  static func recognizes(header: [String]) -> Bool {
    let names = Set(header.map { $0.trimmed.lowercased() })
    return names.contains("const") && names.contains("title")
  }

  static func read(_ bytes: [UInt8], list: String) throws -> ImportedLibrary {
    var library = ImportedLibrary("imdb")
    let main = library.list(named: list)
    library.main = main
    var places: [String: Int] = [:]
    try library.forEachRow(of: bytes, file: nil, requiring: ["const", "title"]) { row, library in
      let kind = row.text(["title type", "type"])
      guard let type = mediaType(kind) else {
        library.passOver((kind ?? "unknown").lowercased(), row: row.line)
        return
      }
      guard let id = row.needed("const"), let name = row.needed("title") else { return }
      guard IMDbID.isOne(id) else {
        return row.fail("Const", "'\(id)' is not an id such as tt0133093")
      }
      let year = row.year("year")
      var title = ImportedTitle(
        name, TitleIdentity(type, title: name, year: year, imdb: id), row: row.line)
      readDetails(&row, into: &title)
      readRating(&row, into: &title)
      library.tally.count(
        type == .movie ? "film" : "series", as: title.isWatched ? "rated and watched" : "a title")
      guard row.faults.isEmpty else { return }
      if let known = places[id] {
        library.warnings.append(
          "row \(row.line): \(id) is also in row \(library.lists[main].titles[known].row ?? 0)"
        )
        return
      }
      places[id] = library.lists[main].titles.count
      library.lists[main].titles.append(title)
    }
    if !library.passedOver.isEmpty {
      library.warnings.append(
        "lists hold films and series only, and IMDb does not say which series an episode is of;"
          + " the other rows are passed over")
    }
    return library
  }

  /// Whether a kind of title is a film or a series, in the language of the account; nil for neither.
  static func mediaType(_ kind: String?) -> MediaID.MediaType? {
    guard let kind else { return .movie }
    switch TitleKind(kind) {
    case .film: return .movie
    case .series: return .tv
    default: return nil
    }
  }

  private static func readDetails(_ row: inout ImportRow, into title: inout ImportedTitle) {
    if let original = row.text("original title"), original != title.title {
      title.fields[.originalTitle] = .string(original)
    }
    if let minutes = row.number("runtime (mins)"), minutes > 0 {
      title.fields[.runtime] = .int(minutes)
    }
    if let released = row.text(["release date", "release date (month/day/year)"]).flatMap(Day.init)
    {
      title.fields[title.identity.type == .movie ? .releaseDate : .firstAirDate] =
        .string(released.description)
    }
    for (column, field) in [("genres", FieldName.genres), ("directors", .directors)] {
      let names = row.tags(column)
      if !names.isEmpty { title.fields[field] = .list(names.map { .string($0) }) }
    }
    if let comment = row.text("description") { title.fields[.comment] = .string(comment) }
    title.added = row.text("created") == nil ? nil : row.day("created")?.milliseconds
  }

  private static func readRating(_ row: inout ImportRow, into title: inout ImportedTitle) {
    for column in ["your rating", "you rated"] where row.text(column) != nil {
      guard let rating = row.rating(column, scale: 10) else { continue }
      // In the old form the day of the rating is that of the entry.
      let day =
        row.text("date rated") != nil
        ? row.day("date rated") : column == "you rated" ? row.day("created") : nil
      title.rating = ImportedRating(rating: rating, at: day?.milliseconds)
      // A series may be rated in the middle.
      title.isWatched = title.identity.type == .movie
      return
    }
  }
}
