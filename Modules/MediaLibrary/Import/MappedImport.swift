import SyncKitFormats
import SyncKit

/// Reads any table with a row for each title or each time it was watched.
///
/// A column is found by the name of its field, by another usual name, or through a map. Rows of
/// one title are one item; each row with a day of watching is an event.
struct MappedImport {
  /// The meanings of columns, with the names under which they are found.
  static let columns: [(field: String, names: [String])] = [
    ("title", ["title", "name", "movie", "film", "show"]),
    ("year", ["year", "release year", "released"]),
    ("mediaType", ["mediatype", "media type", "type", "title type"]),
    ("tmdbId", ["tmdbid", "tmdb id", "tmdb", "tmdb_id"]),
    ("imdbId", ["imdbid", "imdb id", "imdb", "imdb_id", "const"]),
    ("letterboxdUri", ["letterboxduri", "letterboxd uri"]),
    ("list", ["list"]),
    ("rating", ["rating", "your rating", "score"]),
    ("rating10", ["rating10"]),
    ("scale", ["scale"]),
    ("watched", ["watched", "seen"]),
    ("watchedDate", ["watcheddate", "watched date", "date watched", "watched at"]),
    ("rewatch", ["rewatch"]),
    ("episode", ["episode"]),
    ("runtime", ["runtime", "runtime (mins)"]),
    ("directors", ["directors", "director"]),
    ("genres", ["genres"]),
    ("tags", ["tags"]),
    ("review", ["review"]),
    ("comment", ["comment", "description"]),
    ("note", ["note", "notes"]),
    ("originalTitle", ["originaltitle", "original title"]),
    ("overview", ["overview"]),
  ]

  private let columns: [String: String]
  private let scale: Int64
  private var library = ImportedLibrary("csv")
  private var places: [Int: [TitleIdentity: Int]] = [:]

  /// Whether a header can be read without a map.
  static func recognizes(header: [String]) -> Bool {
    let names = Set(header.map { $0.trimmed.lowercased() })
    return !names.isDisjoint(with: ["title", "name", "movie", "film", "show"])
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - header: Its first row.
  ///   - map: The columns of fields, where these have other names.
  ///   - scale: The best rating.
  ///   - list: The list for titles that name none.
  /// - Returns: The titles by list, with the faults of single rows.
  /// - Throws: ``SyncKit/SyncError`` `usage` for a map with unknown names, `input.invalid`.
  static func read(
    _ bytes: [UInt8], header: [String], map: [String: String], scale: Int64, list: String
  ) throws -> ImportedLibrary {
    let present = header.map { $0.trimmed.lowercased() }
    var found: [String: String] = [:]
    for (field, names) in columns {
      if let name = names.first(where: { present.contains($0) }) { found[field] = name }
    }
    for (field, column) in map {
      guard let known = columns.first(where: { $0.field.lowercased() == field.lowercased() }) else {
        throw SyncError(
          .usage, "there is no field '\(field)' to map to",
          hint: "the fields are \(columns.map(\.field).joined(separator: ", "))")
      }
      guard present.contains(column.trimmed.lowercased()) else {
        throw SyncError(
          .inputInvalid, "there is no column '\(column)' for \(known.field)",
          hint: "the columns are \(header.joined(separator: ", "))")
      }
      found[known.field] = column.trimmed.lowercased()
    }
    guard let title = found["title"] else {
      throw SyncError(
        .inputInvalid, "no column holds the title",
        hint: "name it with --map title=COLUMN; the columns are "
          + header.joined(separator: ", "))
    }
    var reader = MappedImport(columns: found, scale: scale)
    try reader.read(bytes, title: title, list: list)
    return reader.library
  }

  private init(columns: [String: String], scale: Int64) {
    self.columns = columns
    self.scale = scale
  }

  private mutating func read(_ bytes: [UInt8], title: String, list: String) throws {
    var library = library
    try library.forEachRow(of: bytes, file: nil, requiring: [title]) { row, library in
      readRow(&row, into: &library, list)
    }
    for index in library.lists.indices {
      for title in library.lists[index].titles.indices {
        library.lists[index].titles[title].sortEvents()
      }
    }
    self.library = library
  }

  private mutating func readRow(
    _ row: inout ImportRow, into library: inout ImportedLibrary, _ list: String
  ) {
    guard let name = columns["title"].flatMap({ row.needed($0) }),
      let identity = identity(name, &row)
    else { return }
    var title = ImportedTitle(name, identity, row: row.record.line)
    readFields(&row, into: &title)
    readOpinion(&row, into: &title)
    readEvent(&row, into: &title)
    guard row.faults.isEmpty else { return }
    let index = library.list(named: text("list", row) ?? list)
    if let known = places[index]?[identity] {
      library.lists[index].titles[known].add(title)
    } else {
      places[index, default: [:]][identity] = library.lists[index].titles.count
      library.lists[index].titles.append(title)
    }
  }

  private func text(_ field: String, _ row: ImportRow) -> String? {
    columns[field].flatMap { row.text($0) }
  }

  private func identity(_ name: String, _ row: inout ImportRow) -> TitleIdentity? {
    var type = MediaID.MediaType.movie
    if let text = text("mediaType", row) {
      guard let known = MediaID.MediaType(rawValue: text.lowercased()) ?? IMDbImport.mediaType(text)
      else {
        row.fail(columns["mediaType"], "'\(text)' is neither movie nor tv")
        return nil
      }
      type = known
    } else if text("episode", row) != nil {
      type = .tv
    }
    let imdb = text("imdbId", row)
    if let imdb, !IMDbID.isOne(imdb) { row.fail(columns["imdbId"], "'\(imdb)' is not an IMDb id") }
    let tmdb = columns["tmdbId"].flatMap { row.number($0) }
    let year = columns["year"].flatMap { row.year($0) }
    guard row.faults.isEmpty else { return nil }
    return TitleIdentity(
      type, title: name, year: year, tmdb: tmdb.flatMap { $0 > 0 ? $0 : nil }, imdb: imdb,
      letterboxd: text("letterboxdUri", row))
  }

  private func readFields(_ row: inout ImportRow, into title: inout ImportedTitle) {
    for name in ["comment", "originalTitle", "overview"] {
      if let text = text(name, row) { title.fields[Name(name)] = .string(text) }
    }
    for name in ["directors", "genres", "tags"] {
      let texts = columns[name].map { row.tags($0) } ?? []
      if !texts.isEmpty { title.fields[Name(name)] = .list(texts.map { .string($0) }) }
    }
    if let minutes = columns["runtime"].flatMap({ row.number($0) }) {
      title.fields[.runtime] = .int(minutes)
    }
    if let note = text("note", row) {
      title.notes = note.parts(of: MediaRules.longestNote).map { ImportedNote($0) }
    }
  }

  private func readOpinion(_ row: inout ImportRow, into title: inout ImportedTitle) {
    let rating: Rating?
    if let column = columns["rating10"], row.text(column) != nil {
      rating = row.rating(column, scale: 10)
    } else {
      let stated = columns["scale"].flatMap { row.number($0) }
      let scale = stated.flatMap { (1...100).contains($0) ? $0 : nil } ?? scale
      rating = columns["rating"].flatMap { row.rating($0, scale: scale) }
    }
    if let rating { title.rating = ImportedRating(rating: rating, at: nil) }
  }

  private func readEvent(_ row: inout ImportRow, into title: inout ImportedTitle) {
    var episode: EpisodeNumber?
    if let text = text("episode", row) {
      episode = EpisodeNumber(text)
      if episode == nil {
        row.fail(columns["episode"], "'\(text)' is not an episode such as S01E02")
      }
    }
    let isWatched = ["true", "yes", "1", "x"].contains((text("watched", row) ?? "").lowercased())
    if let day = columns["watchedDate"].flatMap({ row.day($0) }) {
      var watch = ImportedWatch(day)
      watch.episode = episode
      watch.review = text("review", row)
      if let text = text("rewatch", row) {
        watch.isRewatch = ["true", "yes", "1"].contains(text.lowercased())
      }
      title.watches = [watch]
    } else if let review = text("review", row) {
      title.notes += review.parts(of: MediaRules.longestNote).map { ImportedNote($0) }
    }
    if let episode {
      let wasWatched = isWatched || !title.watches.isEmpty
      title.episode(episode) { $0.isWatched = wasWatched }
    } else if isWatched || !title.watches.isEmpty {
      title.isWatched = true
    }
  }
}

extension ImportedTitle {
  /// Takes over the values of another row of the same title.
  fileprivate mutating func add(_ other: ImportedTitle) {
    fields.merge(other.fields) { first, _ in first }
    rating = other.rating ?? rating
    isWatched = isWatched || other.isWatched
    watches += other.watches
    for note in other.notes where !notes.contains(note) { notes.append(note) }
    for episode in other.episodes {
      self.episode(episode.number) { $0.isWatched = $0.isWatched || episode.isWatched }
    }
  }
}
