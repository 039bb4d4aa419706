import SyncKitFormats
import SyncKit

/// Reads the archive that Letterboxd exports: films only, rated in halves of five stars.
///
/// The archive has no TMDB ids, and the addresses in `diary.csv` and `reviews.csv` are those of the
/// entries, not of the films; so entries are joined with films by title and year, and of several such
/// films with the one of the same day or rating.
///
/// | File | Becomes |
/// |---|---|
/// | `watched.csv`, `likes/films.csv` | items of the main list: watched, liked |
/// | `ratings.csv` | their ratings, with the date |
/// | `diary.csv`, `reviews.csv` | watch events with rewatch, rating, tags and review |
/// | `watchlist.csv` | the list `Watchlist` |
/// | `lists/*.csv` | one list each, in its order, with descriptions |
///
/// One of these files alone is read like the archive with that file alone. Deleted and orphaned data,
/// comments and the profile are not read.
struct LetterboxdImport {
  private var library = ImportedLibrary("letterboxd")
  private let main: Int
  private var places: [Film: [Int]] = [:]
  /// The address of a film without year and title.
  private var placesByAddress: [String: Int] = [:]
  /// The days on which films were logged, for telling films of one name apart.
  private var days: [Int: Set<Day>] = [:]

  private struct Film: Hashable {
    var key: TitleKey
    var year: Int64?
  }

  private init(list: String) {
    main = library.list(named: list)
    library.main = main
  }

  /// Whether the files are such an export.
  static func recognizes(_ files: ExportFiles) -> Bool {
    let names = ["watched.csv", "ratings.csv", "diary.csv", "reviews.csv", "watchlist.csv"]
    return (names + ["likes/films.csv"]).contains { name in
      guard let path = files.letterboxdPath(name), let bytes = try? files.read(path) else {
        return false
      }
      return file(of: bytes, named: name) != nil
    }
  }

  /// The name in the archive of a single file; nil when it is not from Letterboxd.
  ///
  /// `watched.csv`, `watchlist.csv` and `likes/films.csv` have the same columns, so only their name
  /// tells what they say.
  static func file(of bytes: [UInt8], named name: String?) -> String? {
    guard let start = try? DecodedText(bytes).utf8 else { return nil }
    if start.starts(with: "Letterboxd list export".utf8) {
      let own = name?.split(separator: "/").last.map(String.init) ?? "list.csv"
      return "lists/\(own.lowercased().hasSuffix(".csv") ? own : own + ".csv")"
    }
    guard let header = try? ImportTable(bytes).header else { return nil }
    let columns = Set(header.map { $0.trimmed.lowercased() })
    guard columns.isSuperset(of: ["name", "year", "letterboxd uri"]) else { return nil }
    if columns.contains("review") { return "reviews.csv" }
    if columns.contains("watched date") { return "diary.csv" }
    if columns.contains("rating") { return "ratings.csv" }
    let name = name?.lowercased() ?? ""
    if name.contains("watchlist") { return "watchlist.csv" }
    if name.contains("likes") || name.hasSuffix("films.csv") { return "likes/films.csv" }
    if name.contains("watched") { return "watched.csv" }
    return "films.csv"
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
    try films("films.csv", files) { _, _ in }
    if files.letterboxdPath("films.csv") != nil {
      library.warnings.append(
        "the file does not say whether its films were watched, liked or are to be watched; they are"
          + " taken as neither: its name in the archive would tell")
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
    library.dropEmptyMain()
  }

  // MARK: Films

  private mutating func films(
    _ name: String, _ files: ExportFiles, addressIsFilm: Bool = true,
    _ body: (inout ImportRow, inout ImportedTitle) -> Void
  ) throws {
    guard let path = files.letterboxdPath(name) else { return }
    var table = try ImportTable(files.read(path), file: path, requiring: ["Name", "Year"])
    while var row = table.next() {
      defer { library.faults += row.faults }
      guard let title = Self.title(&row, file: path, addressIsFilm: addressIsFilm) else { continue }
      let day = row.day("Date")
      let place = place(of: title, loggedOn: day, rating: row.text("Rating"), path)
      body(&row, &library.lists[main].titles[place])
      if let day {
        if addressIsFilm { days[place, default: []].insert(day) }
        let added = library.lists[main].titles[place].added ?? day.milliseconds
        library.lists[main].titles[place].added = min(added, day.milliseconds)
      }
      library.tally.count("row of \(name)", as: Self.outcomes[name] ?? "a film")
    }
    library.rows += table.count
    library.faults += table.faults
  }

  private static let outcomes = [
    "watched.csv": "a watched film", "ratings.csv": "the rating of a watched film, of five stars",
    "diary.csv": "a viewing", "reviews.csv": "a viewing with its review",
    "likes/films.csv": "a liked film",
  ]

  /// The place of a film: by its address, else by title and year.
  private mutating func place(
    of title: ImportedTitle, loggedOn day: Day?, rating: String?, _ path: String
  ) -> Int {
    let film = Film(key: title.identity.key, year: title.identity.year)
    let address = title.identity.letterboxd
    if let address, let known = placesByAddress[address] { return known }
    let named = (places[film] ?? []).filter {
      !library.lists[main].titles[$0].identity.contradicts(title.identity)
    }
    let place: Int
    if named.count > 1 {
      place = choose(among: named, day, rating) ?? named[0]
      if choose(among: named, day, rating) == nil {
        library.warnings.append(
          "\(path), row \(title.row ?? 0): there are \(named.count) films '\(title.title)' of one"
            + " year, and nothing tells which one it is; it went to the first of them")
      }
    } else if let only = named.first {
      place = only
      library.lists[main].titles[only].identity.learn(title.identity)
    } else {
      place = library.lists[main].titles.count
      library.lists[main].titles.append(title)
      places[film, default: []].append(place)
    }
    if let address { placesByAddress[address] = place }
    return place
  }

  /// The one film that was logged on that day, or that has that rating.
  private func choose(among named: [Int], _ day: Day?, _ rating: String?) -> Int? {
    let sameDay = named.filter { place in day.map { days[place]?.contains($0) ?? false } ?? false }
    if sameDay.count == 1 { return sameDay[0] }
    guard let rating = rating.flatMap({ Rating($0, scale: 5) }) else { return nil }
    let rated = (sameDay.isEmpty ? named : sameDay).filter {
      library.lists[main].titles[$0].rating?.rating == rating
    }
    return rated.count == 1 ? rated[0] : nil
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
      row: row.line, file: file)
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
    watch.entry = row.text(["Letterboxd URI", "URL"])
    watch.isRewatch = row.text("Rewatch")?.lowercased() == "yes"
    watch.rating = row.rating("Rating", scale: 5)
    watch.tags = row.tags("Tags")
    watch.review = review
    // The diary and the reviews have the same entry under the same address.
    if let index = title.watches.firstIndex(where: { $0.day == day && $0.entry == watch.entry }) {
      if title.watches[index].review == nil { title.watches[index].review = review }
      title.watches[index].rating = title.watches[index].rating ?? watch.rating
      if title.watches[index].tags.isEmpty { title.watches[index].tags = watch.tags }
    } else {
      title.watches.append(watch)
    }
    if title.rating == nil, let rating = watch.rating {
      title.rating = ImportedRating(rating: rating, at: day.milliseconds)
    }
  }

  // MARK: Lists

  private mutating func readWatchlist(_ files: ExportFiles) throws {
    library.watchlistName = "Watchlist"
    guard let path = files.letterboxdPath("watchlist.csv") else { return }
    let list = library.list(named: "Watchlist")
    try library.forEachRow(
      of: files.read(path), file: path, requiring: ["Name", "Year"]
    ) { row, library in
      guard var title = Self.title(&row, file: path, addressIsFilm: true) else { return }
      title.added = row.day("Date")?.milliseconds
      library.tally.count("row of watchlist.csv", as: "a film to be watched")
      library.lists[list].titles.append(title)
    }
  }

  private static func isList(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".csv") && (path.hasPrefix("lists/") || path.contains("/lists/"))
      && !path.contains("deleted/") && !path.contains("orphaned/")
  }

  /// A list's file has a table of one row that describes it, an empty line, and the table of its films.
  private mutating func readList(_ path: String, _ files: ExportFiles) throws {
    let bytes = try DecodedText.utf8(files.read(path), file: path)
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
      library.tally.count("row of a list", as: "a film of the list")
      if let comment = row.text("Description") { title.fields[.comment] = .string(comment) }
      library.lists[list].titles.append(title)
    }
  }
}

extension ExportFiles {
  /// The path of a file of the archive that is neither deleted nor orphaned.
  fileprivate func letterboxdPath(_ name: String) -> String? {
    let living = paths.filter { path in
      let path = path.lowercased()
      return !path.contains("deleted/") && !path.contains("orphaned/")
        && (name == "likes/films.csv" || !path.contains("likes/"))
    }
    return living.first { $0.lowercased() == name }
      ?? living.first { $0.lowercased().hasSuffix("/" + name) }
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
