import SyncKitFormats
import SyncKit

/// Reads the archive that Trakt exports: films and series, with the history of every play.
///
/// Files may be in folders and in pages, `watched-history-1.json` and so on. The history
/// counts; the summaries in `watched-movies` and `watched-shows` are read for titles that it does
/// not have. Ids are those of Trakt, IMDb and TMDB, of which all but the first may be missing.
///
/// A time of 1970 or earlier, `unknown` or none at all is how Trakt says that the day is unknown.
/// Collections, comments, likes, hidden titles and personal data are not read.
struct TraktImport {
  private var library = ImportedLibrary("trakt")
  private let main: Int
  private var places: [Int: [String: Int]] = [:]

  private init(list: String) {
    main = library.list(named: list)
    library.main = main
  }

  private static let starts = [
    "watched-history", "watched-movies", "watched-shows", "ratings-movies", "ratings-shows",
    "ratings-episodes", "lists-watchlist", "lists-favorites", "lists-lists",
  ]

  static func recognizes(_ files: ExportFiles) -> Bool {
    files.paths.contains { path in
      starts.contains { Self.name(path).hasPrefix($0) && path.lowercased().hasSuffix(".json") }
    }
  }

  /// The name that a single file of the archive has there, by its elements; nil for another file.
  static func name(of json: JSON) -> String? {
    guard let first = json.array?.first(where: { $0["movie"] != nil || $0["show"] != nil }),
      (first["movie"] ?? first["show"])?["ids"] != nil
    else { return nil }
    if first["watched_at"] != nil { return "watched-history.json" }
    if first["rated_at"] != nil {
      return first["episode"] != nil
        ? "ratings-episodes.json"
        : first["movie"] != nil ? "ratings-movies.json" : "ratings-shows.json"
    }
    if first["listed_at"] != nil { return "lists-watchlist.json" }
    if first["plays"] != nil || first["last_watched_at"] != nil {
      return first["movie"] != nil ? "watched-movies.json" : "watched-shows.json"
    }
    return nil
  }

  static func read(_ files: ExportFiles, list: String) throws -> ImportedLibrary {
    var reader = TraktImport(list: list)
    try reader.read(files)
    return reader.library
  }

  private mutating func read(_ files: ExportFiles) throws {
    try forEach("watched-history", files) { try $0.readPlay($1, $2) }
    try forEach("watched-movies", files) { try $0.readSummary($1, $2) }
    try forEach("watched-shows", files) { try $0.readSummary($1, $2) }
    for name in ["movies", "shows", "episodes"] {
      try forEach("ratings-\(name)", files) { try $0.readRating($1, $2) }
    }
    if files.paths.contains(where: { Self.name($0).hasPrefix("ratings-seasons") }) {
      library.warnings.append(
        "ratings of seasons are left out; only titles and episodes can have them")
    }
    try readLists(files)
    for index in library.lists.indices {
      for title in library.lists[index].titles.indices {
        library.lists[index].titles[title].sortEvents()
      }
    }
    library.dropEmptyMain()
  }

  // MARK: Files

  private struct Place {
    var file: String
    var row: Int
  }
  /// The fault of an element that cannot be used.
  private struct Problem: Error {
    var column: String
    var message: String
  }

  /// Visits the elements of a file and its pages, in the order of the pages.
  private mutating func forEach(
    _ name: String, _ files: ExportFiles, _ body: (inout TraktImport, JSON, Place) throws -> Void
  ) throws {
    let pages = files.paths.compactMap { path -> (number: Int, path: String)? in
      let file = Self.name(path)
      guard file.hasPrefix(name), file.hasSuffix(".json") else { return nil }
      let rest = file.dropFirst(name.count).dropLast(5)
      if rest.isEmpty { return (0, path) }
      guard rest.hasPrefix("-"), let number = Int(rest.dropFirst()) else { return nil }
      return (number, path)
    }
    for page in pages.sorted(by: { ($0.number, $0.path) < ($1.number, $1.path) }) {
      try readElements(page.path, files, body)
    }
  }

  private mutating func readElements(
    _ path: String, _ files: ExportFiles, _ body: (inout TraktImport, JSON, Place) throws -> Void
  ) throws {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: files.readAny(path)) } catch {
      throw SyncError(.inputInvalid, "\(path): not valid JSON: \(error)")
    }
    guard let elements = document.array else {
      throw SyncError(.inputInvalid, "\(path): it is not an array")
    }
    for (index, element) in elements.enumerated() {
      library.rows += 1
      do { try body(&self, element, Place(file: path, row: index + 1)) } catch let problem
        as Problem
      {
        library.faults.append(
          ImportedRecords.Fault(
            row: index + 1, column: problem.column, message: "\(path): \(problem.message)"))
      }
    }
  }

  /// The name of a file; `watched/history-1.json` is `watched-history-1.json`.
  private static func name(_ path: String) -> String {
    let parts = path.lowercased().split(separator: "/").suffix(2)
    guard let name = parts.last else { return "" }
    guard parts.count == 2, let folder = parts.first,
      ["watched", "ratings", "lists"].contains(folder), !name.hasPrefix("\(folder)-")
    else { return String(name) }
    return "\(folder)-\(name)"
  }

  // MARK: Elements

  private mutating func readPlay(_ element: JSON, _ place: Place) throws {
    let moment = try time(element, "watched_at")
    let index = try title(of: element, place, in: main)
    var watch = moment.map { moment in
      var watch = ImportedWatch(Day(milliseconds: moment))
      watch.at = moment
      watch.entry = element["id"]?.int.map { "\($0)" }
      return watch
    }
    if element["type"]?.string == "episode" {
      let number = try episode(of: element)
      watch?.episode = number
      library.lists[main].titles[index].episode(number) { episode in
        episode.isWatched = true
        episode.learn(element["episode"])
      }
      library.tally.count("play of an episode", as: "the episode is watched")
    } else {
      library.lists[main].titles[index].isWatched = true
      library.tally.count("play of a film", as: "the film is watched")
    }
    if let watch { library.lists[main].titles[index].watches.append(watch) }
  }

  /// A time; nil when it is unknown.
  private func time(_ element: JSON, _ column: String) throws -> Int64? {
    guard let value = element[column], value != .null else { return nil }
    if value.string == "unknown" { return nil }
    guard let moment = value.string.flatMap({ Timestamp.parse($0) }) else {
      throw Problem(column: column, message: "it is not a time")
    }
    return Moment.isKnown(moment) ? moment : nil
  }

  private mutating func readSummary(_ element: JSON, _ place: Place) throws {
    let known = library.lists[main].titles.count
    let index = try title(of: element, place, in: main)
    if index >= known, element["movie"] != nil {
      library.lists[main].titles[index].isWatched = true
      if let moment = try time(element, "last_watched_at") {
        var watch = ImportedWatch(Day(milliseconds: moment))
        watch.at = moment
        library.lists[main].titles[index].watches.append(watch)
      }
    }
    for season in element["seasons"]?.array ?? [] {
      guard let number = season["number"]?.int else { continue }
      for episode in season["episodes"]?.array ?? [] {
        guard let count = episode["number"]?.int, (0...100_000).contains(count),
          (0...100_000).contains(number)
        else { continue }
        let name = EpisodeNumber(season: number, number: count)
        let hasPlay = library.lists[main].titles[index].watches.contains { $0.episode == name }
        library.lists[main].titles[index].episode(name) { $0.isWatched = true }
        if !hasPlay, let moment = try time(episode, "last_watched_at") {
          var watch = ImportedWatch(Day(milliseconds: moment))
          watch.at = moment
          watch.episode = name
          library.lists[main].titles[index].watches.append(watch)
        }
      }
    }
  }

  private mutating func readRating(_ element: JSON, _ place: Place) throws {
    guard let value = element["rating"]?.double, value > 0, let rating = Rating(value, of: 10)
    else {
      throw Problem(column: "rating", message: "it is not a rating from 1 to 10")
    }
    let at = element["rated_at"]?.string.flatMap { Timestamp.parse($0) }
      .flatMap { Moment.isKnown($0) ? $0 : nil }
    library.tally.count("rating", as: "a rating of ten")
    let index = try title(of: element, place, in: main)
    let imported = ImportedRating(rating: rating, at: at)
    if element["type"]?.string == "episode" || element["episode"] != nil {
      let number = try episode(of: element)
      library.lists[main].titles[index].episode(number) { episode in
        episode.rating = imported
        episode.learn(element["episode"])
      }
    } else {
      library.lists[main].titles[index].rating = imported
    }
  }

  private mutating func readLists(_ files: ExportFiles) throws {
    library.watchlistName = "Watchlist"
    for (name, list) in [("lists-watchlist", "Watchlist"), ("lists-favorites", "Favorites")] {
      try forEach(name, files) { reader, element, place in
        let number = reader.library.list(named: list)
        try reader.readListed(element, place, in: number)
      }
    }
    var names: [(id: Int64, name: String, about: String?)] = []
    try forEach("lists-lists", files) { _, element, _ in
      guard let id = element["ids"]?["trakt"]?.int, let name = element["name"]?.string else {
        throw Problem(column: "name", message: "a list needs a name and an id")
      }
      names.append((id, name, element["description"]?.string))
    }
    for known in names {
      let list = library.list(named: String(known.name.trimmed.prefix(MediaRules.longestName)))
      if let about = known.about, !about.trimmed.isEmpty {
        library.lists[list].fields[.about] = .string(about)
      }
      for path in files.paths.sorted()
      where Self.name(path).hasPrefix("lists-list-\(known.id)-") && path.hasSuffix(".json") {
        try readElements(path, files) { try $0.readListed($1, $2, in: list) }
      }
    }
  }

  private mutating func readListed(_ element: JSON, _ place: Place, in list: Int) throws {
    guard ["movie", "show"].contains(element["type"]?.string ?? "movie") else {
      return library.passOver("\(element["type"]?.string ?? "entry") in a list", row: place.row)
    }
    let index = try title(of: element, place, in: list)
    library.tally.count("entry of a list", as: "a title of the list")
    library.lists[list].titles[index].added =
      element["listed_at"]?.string.flatMap { Timestamp.parse($0) }
    if let notes = element["notes"]?.string?.trimmed, !notes.isEmpty {
      library.lists[list].titles[index].fields[.comment] = .string(notes)
    }
  }

  // MARK: Titles

  private mutating func title(of element: JSON, _ place: Place, in list: Int) throws -> Int {
    let isFilm = element["movie"] != nil
    guard let media = element["movie"] ?? element["show"],
      let name = media["title"]?.string?.trimmed, !name.isEmpty
    else { throw Problem(column: isFilm ? "movie" : "show", message: "there is no title") }
    let ids = media["ids"]
    let type = isFilm ? MediaID.MediaType.movie : .tv
    let year = media["year"]?.int.flatMap { (1800...2999).contains($0) ? $0 : nil }
    let identity = TitleIdentity(
      type, title: name, year: year, tmdb: ids?["tmdb"]?.int.flatMap { $0 > 0 ? $0 : nil },
      imdb: ids?["imdb"]?.string.flatMap { IMDbID.isOne($0) ? $0 : nil },
      trakt: ids?["trakt"]?.int, tvdb: ids?["tvdb"]?.int.flatMap { $0 > 0 ? $0 : nil })
    // A film and a series can have the same number.
    let key =
      "\(type.rawValue) \(identity.trakt.map { "\($0)" } ?? "\(identity.key.text) \(year ?? 0)")"
    if let known = places[list]?[key] { return known }
    let title = ImportedTitle(name, identity, row: place.row, file: place.file)
    library.lists[list].titles.append(title)
    places[list, default: [:]][key] = library.lists[list].titles.count - 1
    return library.lists[list].titles.count - 1
  }

  private func episode(of element: JSON) throws -> EpisodeNumber {
    guard let season = element["episode"]?["season"]?.int, (0...100_000).contains(season),
      let number = element["episode"]?["number"]?.int, (0...100_000).contains(number)
    else { throw Problem(column: "episode", message: "it needs a season and a number") }
    return EpisodeNumber(season: season, number: number)
  }
}

extension ExportFiles {
  /// The bytes, for callers whose errors are of one type; an unreadable file counts as invalid JSON.
  fileprivate func readAny(_ path: String) -> [UInt8] { (try? read(path)) ?? [] }
}

extension ImportedTitle {
  /// Changes an episode, or adds it if it is new.
  mutating func episode(_ number: EpisodeNumber, _ body: (inout ImportedEpisode) -> Void) {
    let index = episodes.lastIndex { $0.number == number } ?? episodes.count
    if index == episodes.count { episodes.append(ImportedEpisode(number)) }
    body(&episodes[index])
  }

  /// Sorts events by time, each once, and marks rewatches.
  mutating func sortEvents() {
    watches.sort { ($0.day, $0.at ?? 0) < ($1.day, $1.at ?? 0) }
    var seen: Set<EpisodeNumber?> = []
    var entries: Set<String> = []
    watches = watches.compactMap { watch in
      if let entry = watch.entry, !entries.insert(entry).inserted { return nil }
      guard watch.episodeName == nil else { return watch }
      var watch = watch
      let isFirst = seen.insert(watch.episode).inserted
      watch.isRewatch = watch.isRewatch ?? !isFirst
      return watch
    }
    episodes.sort { $0.number < $1.number }
  }
}

extension ImportedEpisode {
  fileprivate mutating func learn(_ episode: JSON?) {
    if let name = episode?["title"]?.string?.trimmed, !name.isEmpty {
      fields[.name] = .string(name)
    }
    if let tmdb = episode?["ids"]?["tmdb"]?.int, tmdb > 0 { fields[.tmdbId] = .int(tmdb) }
  }
}
