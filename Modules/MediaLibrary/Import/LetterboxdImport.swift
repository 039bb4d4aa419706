import SyncKitFormats
import SyncKit

/// Reads the archive that Letterboxd exports: films only, rated in halves of five stars.
///
/// The archive has no TMDB ids, and the addresses in `diary.csv` and `reviews.csv` are those of the
/// entries, not of the films; so films are joined by title and year.
///
/// | File | Becomes |
/// |---|---|
/// | `watched.csv`, `likes/films.csv` | items of the main list: watched, liked |
/// | `ratings.csv` | their ratings, with the date |
/// | `diary.csv`, `reviews.csv` | watch events with rewatch, rating, tags and review |
/// | `watchlist.csv` | the list `Watchlist` |
/// | `lists/*.csv` | one list each, in its order, with descriptions |
///
/// Deleted data, comments and the profile are not read.
struct LetterboxdImport {
  private var library = ImportedLibrary("letterboxd")
  private let main: Int
  private var places: [Film: Int] = [:]

  private struct Film: Hashable {
    var key: TitleKey
    var year: Int64?
  }

  private init(list: String) { main = library.list(named: list) }

  /// Whether the files are such an export.
  static func recognizes(_ files: ExportFiles) -> Bool {
    ["watched.csv", "ratings.csv", "diary.csv", "watchlist.csv"].contains {
      files.path($0) != nil
    } && files.path("ratings-movies.json") == nil
  }

  /// Reads the files into a main list and those that the export names.
  static func read(_ files: ExportFiles, list: String) throws -> ImportedLibrary {
    var reader = LetterboxdImport(list: list)
    try reader.read(files)
    return reader.library
  }

  private mutating func read(_ files: ExportFiles) throws {
    try films("watched.csv", files) { _, title in title.isWatched = true }
    try films("ratings.csv", files) { row, title in
      title.isWatched = true
      guard let rating = row.rating("Rating", scale: 5) else { return }
      title.rating = ImportedRating(rating: rating, at: row.day("Date")?.milliseconds)
    }
    try films("likes/films.csv", files) { _, title in title.fields[.likedStatus] = 1 }
    try films("diary.csv", files, addressIsFilm: false) { row, title in
      Self.addEntry(&row, to: &title)
    }
    try films("reviews.csv", files, addressIsFilm: false) { row, title in
      Self.addEntry(&row, to: &title)
    }
    try readWatchlist(files)
    for path in files.paths.sorted() where Self.isList(path) { try readList(path, files) }
    if library.lists[main].titles.isEmpty, library.lists.count > 1 {
      library.lists.remove(at: main)
    }
  }

  // MARK: Films

  private mutating func films(
    _ name: String, _ files: ExportFiles, addressIsFilm: Bool = true,
    _ body: (inout ImportRow, inout ImportedTitle) -> Void
  ) throws {
    guard let path = files.path(name) else { return }
    let bytes = try files.read(path)
    var places = places
    let main = main
    try library.forEachRow(of: bytes, file: path, requiring: ["Name", "Year"]) { row, library in
      guard let title = Self.title(&row, file: path, addressIsFilm: addressIsFilm) else { return }
      let film = Film(key: title.identity.key, year: title.identity.year)
      let place = places[film] ?? library.lists[main].titles.count
      if places.updateValue(place, forKey: film) == nil { library.lists[main].titles.append(title) }
      body(&row, &library.lists[main].titles[place])
      if let day = row.day("Date")?.milliseconds {
        let added = library.lists[main].titles[place].added
        library.lists[main].titles[place].added = min(added ?? day, day)
      }
    }
    self.places = places
  }

  private static func title(
    _ row: inout ImportRow, file: String, addressIsFilm: Bool
  ) -> ImportedTitle? {
    guard let name = row.needed("Name") else { return nil }
    let year = row.year("Year")
    guard row.faults.isEmpty else { return nil }
    return ImportedTitle(
      name,
      TitleIdentity(
        .movie, title: name, year: year,
        letterboxd: addressIsFilm ? row.text(["Letterboxd URI", "URL"]) : nil),
      row: row.record.line, file: file)
  }

  /// Reads an entry of the diary; the same entry as a review adds the text.
  private static func addEntry(_ row: inout ImportRow, to title: inout ImportedTitle) {
    title.isWatched = true
    let review = row.text("Review")
    guard let day = row.day("Watched Date") else {
      if let review, !title.notes.contains(where: { $0.text == review }) {
        title.notes += review.parts(of: MediaRules.longestNote).map { ImportedNote($0) }
      }
      return
    }
    var watch = ImportedWatch(day)
    watch.isRewatch = row.text("Rewatch")?.lowercased() == "yes"
    watch.rating = row.rating("Rating", scale: 5)
    watch.tags = row.tags("Tags")
    watch.review = review
    if let index = title.watches.firstIndex(where: { $0.day == day }) {
      if title.watches[index].review == nil { title.watches[index].review = review }
      title.watches[index].rating = title.watches[index].rating ?? watch.rating
    } else {
      title.watches.append(watch)
    }
    if title.rating == nil, let rating = watch.rating {
      title.rating = ImportedRating(rating: rating, at: day.milliseconds)
    }
  }

  // MARK: Lists

  private mutating func readWatchlist(_ files: ExportFiles) throws {
    guard let path = files.path("watchlist.csv") else { return }
    let list = library.list(named: "Watchlist")
    try library.forEachRow(
      of: files.read(path), file: path, requiring: ["Name", "Year"]
    ) { row, library in
      guard var title = Self.title(&row, file: path, addressIsFilm: true) else { return }
      title.added = row.day("Date")?.milliseconds
      library.lists[list].titles.append(title)
    }
  }

  private static func isList(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".csv") && (path.hasPrefix("lists/") || path.contains("/lists/"))
      && !path.contains("deleted/")
  }

  /// A list's file has a table of one row that describes it, an empty line, and the table of its films.
  private mutating func readList(_ path: String, _ files: ExportFiles) throws {
    let bytes = TextDecoding.utf8(try files.read(path))
    guard let split = ListParts(bytes) else {
      throw SyncError(
        .inputInvalid, "\(path): this is not a Letterboxd list",
        hint: "export the data of your account again")
    }
    var name = path.split(separator: "/").last.map { String($0.dropLast(4)) } ?? "List"
    var about: String?
    var created: Int64?
    try library.forEachRow(of: split.head, file: path, requiring: ["Name"]) { row, library in
      library.rows -= 1
      name = row.text("Name") ?? name
      about = row.text("Description")
      created = row.day("Date")?.milliseconds
    }
    let list = library.list(named: String(name.prefix(MediaRules.longestName)))
    if let about { library.lists[list].fields[.about] = .string(about) }
    library.lists[list].created = created
    let offset = split.linesBefore
    try library.forEachRow(of: split.films, file: path, requiring: ["Name", "Year"]) {
      row, library in
      guard var title = Self.title(&row, file: path, addressIsFilm: true) else { return }
      title.row = title.row.map { $0 + offset }
      if let comment = row.text("Description") { title.fields[.comment] = .string(comment) }
      library.lists[list].titles.append(title)
    }
  }
}

/// The two tables of a list's file.
private struct ListParts {
  let head: [UInt8]
  let films: [UInt8]
  /// The number of lines before the table of films.
  let linesBefore: Int

  init?(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    guard text.starts(with: "Letterboxd list export".utf8),
      let first = text.firstIndex(of: 0x0A)
    else { return nil }
    // A description may have empty lines; the films' header cannot be mistaken.
    let header = Array("\nPosition,".utf8)
    var index = first
    while index < text.endIndex, !text[index...].starts(with: header) { index += 1 }
    guard index < text.endIndex else { return nil }
    head = Array(text[(first + 1)...index])
    films = Array(text[(index + 1)...])
    linesBefore = text[...index].count { $0 == 0x0A }
  }
}

extension String {
  /// The text in pieces of at most that many characters.
  func parts(of size: Int) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while !rest.isEmpty {
      parts.append(String(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return parts
  }
}
