import SyncKitFormats
import SyncKit

/// How the table of a service is read: what its columns mean, and what it says by being that table.
struct TableLayout {
  var format: MediaImport.Format
  /// The names of columns that differ from the usual ones.
  var names: [TableField: [String]] = [:]
  /// The best rating; nil when the table or the person says.
  var scale: Int64?
  /// What a row is about that does not say.
  var kind: TitleKind?
  /// Whether a rated title counts as watched.
  var ratingMeansWatched = false
  /// Whether each row is about something that was watched.
  var isHistory = false
  /// Whether all that is not read is known and described; else it is reported.
  var isKnown = true
  /// The state of rows that state none.
  var status: TableRow.Status?
  /// The folded name of a column whose equal cells are of one title, which not every row repeats.
  var key: String?
  /// What else a row of the service means; false leaves it out.
  var adjust: @Sendable (inout TableRow, ImportRow, TableColumns) -> Bool = { _, _, _ in true }
}

/// Reads a table by its layout.
struct TableReader {
  private let layout: TableLayout
  private let columns: TableColumns
  private let options: MediaImport.Options
  private let days: [TableField: DayColumn]
  private let scale: Int64
  private let hasYears: Bool
  private var titles: [String: String] = [:]
  private let key: Int?
  private var zeroes = 0
  private var best = 0.0
  private var ratings = 0

  /// Reads a whole table.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`, `usage` for a map with unknown names.
  static func read(
    _ bytes: [UInt8], file: String? = nil, as layout: TableLayout, _ options: MediaImport.Options,
    into library: inout TableLibrary
  ) throws {
    var table = try ImportTable(bytes, file: file)
    let columns = TableColumns(
      table.header, names: layout.names, map: try Self.map(options.map, table.header))
    guard columns.has(.title) else {
      throw SyncError(
        .inputInvalid, "no column holds the title",
        hint: "name it with --map title=COLUMN; the columns are "
          + table.header.joined(separator: ", "))
    }
    var rows: [ImportRow] = []
    while let row = table.next() { rows.append(row) }
    var reader = try TableReader(layout, columns, rows, options)
    for row in rows {
      var row = row
      if let parsed = reader.parse(&row, file: file) { library.add(parsed) }
      library.fail(row.faults)
    }
    library.count(table.count)
    library.fail(table.faults)
    if let sentence = reader.doubtfulScale { library.warn(sentence) }
    for sentence in reader.notes { library.note(sentence) }
  }

  /// The places of the columns that a person has named.
  private static func map(
    _ map: [String: String], _ header: [String]
  ) throws -> [TableField: Int] {
    var places: [TableField: Int] = [:]
    for (name, column) in map {
      guard let field = TableField(named: name) else {
        throw SyncError(
          .usage, "there is no field '\(name)' to map to",
          hint: "the fields are "
            + TableField.allCases.map(\.rawValue).joined(separator: ", "))
      }
      guard
        let place = header.firstIndex(where: {
          $0.lowercased() == column.trimmed.lowercased()
        })
      else {
        throw SyncError(
          .inputInvalid, "there is no column '\(column)' for \(field.rawValue)",
          hint: "the columns are \(header.joined(separator: ", "))")
      }
      places[field] = place
    }
    return places
  }

  private init(
    _ layout: TableLayout, _ columns: TableColumns, _ rows: [ImportRow],
    _ options: MediaImport.Options
  ) throws {
    self.layout = layout
    self.columns = columns
    self.options = options
    scale = options.scale ?? layout.scale ?? (columns.has(.letterboxdUri) ? 5 : 10)
    hasYears = columns.has(.year) || columns.has(.released)
    var days: [TableField: DayColumn] = [:]
    let dated: [TableField] = [
      .watchedDate, .firstWatched, .ratedDate, .added, .watched, .released,
    ]
    for field in dated {
      guard let place = columns[field] else { continue }
      let texts = rows.compactMap { $0.text(at: place) }.filter { !Moment.isUnknown($0) }
      let found = DayColumn(texts, order: options.dateOrder)
      if found.isDoubtful, field != .added, field != .released {
        throw SyncError(
          .inputInvalid,
          "the dates in the column '\(columns.name(field) ?? "")' can be read in two ways",
          hint: "say with --date-format d/m/y or m/d/y whether the day or the month is first")
      }
      days[field] = found
    }
    self.days = days
    key = layout.key.flatMap { name in
      columns.header.firstIndex { TableField.fold($0) == name }
    }
    guard let key, let title = columns[.title] else { return }
    for row in rows {
      if let id = row.text(at: key), let name = row.text(at: title), titles[id] == nil {
        titles[id] = name
      }
    }
  }

  /// What makes one doubt that the ratings count out of ten.
  private var doubtfulScale: String? {
    guard ratings > 0, best <= 5, scale == 10, options.scale == nil, layout.scale == nil,
      !columns.has(.scale)
    else { return nil }
    return "no rating is above \(Rating.text(best)), and they count out of ten; if they are out of "
      + "five, take this back and add --scale 5"
  }

  /// How the table as a whole was read.
  private var notes: [String] {
    guard !layout.isKnown else { return [] }
    var notes: [String] = []
    if zeroes > 0 {
      notes.append("\(Plural(zeroes, "rating of 0 counts as none", "ratings of 0 count as none"))")
    }
    if !columns.unused.isEmpty {
      notes.append(
        "columns used: \(columns.used.joined(separator: ", ")); not used: "
          + columns.unused.joined(separator: ", "))
    }
    return notes
  }

  // MARK: Rows

  private mutating func parse(_ row: inout ImportRow, file: String?) -> TableRow? {
    func text(_ field: TableField) -> String? { columns[field].flatMap { row.text(at: $0) } }
    var kind = text(.mediaType).map { TitleKind($0) }
    if kind == nil {
      kind =
        text(.episode) != nil
        ? .episode : text(.season) != nil ? .season : layout.kind ?? .film
    }
    let own = text(.title) ?? key.flatMap { row.text(at: $0) }.flatMap { titles[$0] }
    if let kind, case .other = kind {
      // What has no place in a list needs no title, and nothing of it counts.
      var parsed = TableRow(own ?? "", row: row.line, file: file)
      parsed.kind = kind
      return parsed
    }
    let isPart = kind == .episode || kind == .season || text(.episode) != nil
    guard let name = isPart ? text(.series) ?? own : own ?? text(.series) else {
      row.fail(columns.name(.title), "it is empty")
      return nil
    }
    var parsed = TableRow(name, row: row.line, file: file)
    parsed.kind = kind ?? .film
    if isPart, let own, text(.series) != nil, own != name { parsed.episodeName = own }
    parsed.episodeName = text(.episodeName) ?? parsed.episodeName
    readNumbers(&row, into: &parsed)
    readIdentity(&row, into: &parsed)
    readFields(&row, into: &parsed)
    readOpinion(&row, into: &parsed)
    readViewing(&row, into: &parsed)
    guard row.faults.isEmpty, layout.adjust(&parsed, row, columns) else { return nil }
    if layout.ratingMeansWatched, parsed.rating != nil, parsed.isWatched == nil {
      parsed.isWatched = parsed.kind == .film || parsed.kind == .episode
    }
    if layout.isHistory, parsed.isWatched == nil, parsed.kind == .film || parsed.kind == .episode {
      parsed.isWatched = true
    }
    return parsed
  }

  private func text(_ field: TableField, _ row: ImportRow) -> String? {
    columns[field].flatMap { row.text(at: $0) }
  }

  private func readNumbers(_ row: inout ImportRow, into parsed: inout TableRow) {
    if let text = text(.season, row) {
      let digits = text.lowercased().hasPrefix("s") ? text.dropFirst() : text[...]
      if let number = Self.whole(String(digits)) {
        parsed.season = number
      } else {
        row.fail(columns.name(.season), "'\(text)' is not the number of a season")
      }
    }
    guard let text = text(.episode, row) else { return }
    if let both = EpisodeNumber(text) {
      parsed.season = both.season
      parsed.episode = both.number
    } else if let number = Self.whole(
      text.lowercased().hasPrefix("e") ? String(text.dropFirst()) : text)
    {
      parsed.episode = number
    } else {
      row.fail(
        columns.name(.episode), "'\(text)' is not an episode such as S01E02, and no number either")
    }
  }

  private func readIdentity(_ row: inout ImportRow, into parsed: inout TableRow) {
    if let text = text(.year, row), !Self.isNothing(text) {
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      if let year = Int64(digits), (1800...2999).contains(year) {
        parsed.year = year
      } else {
        row.fail(columns.name(.year), "'\(text)' is not a year")
      }
    }
    let released = text(.released, row).flatMap { days[.released]?.read($0)?.day }
    if let released, released.year >= 1880 {
      parsed.year = parsed.year ?? Int64(released.year)
      parsed.fields[parsed.kind == .film ? .releaseDate : .firstAirDate] = .string(
        released.description)
    }
    parsed.tmdb = id(.tmdbId, &row)
    parsed.tvdb = id(.tvdbId, &row)
    parsed.trakt = id(.traktId, &row)
    parsed.letterboxd = text(.letterboxdUri, row)
    if let text = text(.imdbId, row), !Self.isNothing(text) {
      if let id = IMDbID.find(in: text) {
        parsed.imdb = id
      } else {
        row.fail(columns.name(.imdbId), "'\(text)' is not an IMDb id")
      }
    }
    parsed.list = text(.list, row)
    if !hasYears || parsed.year == nil { parsed.splitYear() }
  }

  /// A positive number that identifies a title; the words and numbers for none are none.
  private func id(_ field: TableField, _ row: inout ImportRow) -> Int64? {
    guard let text = text(field, row), !Self.isNothing(text) else { return nil }
    if let number = Self.whole(text) { return number > 0 ? number : nil }
    row.fail(columns.name(field), "'\(text)' is not a whole number")
    return nil
  }

  private func readFields(_ row: inout ImportRow, into parsed: inout TableRow) {
    for field in [TableField.comment, .originalTitle, .overview] {
      if let text = text(field, row), text != parsed.title {
        parsed.fields[FieldName(field.rawValue)] = .string(text)
      }
    }
    for field in [TableField.directors, .genres, .tags] {
      let texts = (text(field, row) ?? "").split { ",;|".contains($0) }.map(\.trimmed)
        .filter { !$0.isEmpty }
      if !texts.isEmpty {
        parsed.fields[FieldName(field.rawValue)] = .list(texts.map { .string($0) })
      }
    }
    if let text = text(.runtime, row), let minutes = Self.whole(text), minutes > 0 {
      parsed.fields[.runtime] = .int(minutes)
    }
    if let note = text(.note, row) { parsed.notes = [note] }
    if let text = text(.favorite, row), Self.isTrue(text) { parsed.fields[.likedStatus] = 1 }
    parsed.added = moment(.added, row).map { $0.at ?? $0.day.milliseconds }
    parsed.review = text(.review, row)
  }

  private mutating func readOpinion(_ row: inout ImportRow, into parsed: inout TableRow) {
    var rating: Rating?
    if let text = text(.rating10, row) {
      rating = read(text, of: .rating10, scale: 10, &row)
    } else if let text = text(.rating, row) {
      let stated = text.isEmpty ? nil : self.text(.scale, row).flatMap { Self.whole($0) }
      let scale = stated.flatMap { (1...100).contains($0) ? $0 : nil } ?? scale
      rating = read(text, of: .rating, scale: scale, &row)
    }
    guard let rating else { return }
    ratings += 1
    best = max(best, rating.value)
    parsed.rating = ImportedRating(
      rating: rating, at: moment(.ratedDate, row).map { $0.at ?? $0.day.milliseconds })
  }

  private mutating func read(
    _ text: String, of field: TableField, scale: Int64, _ row: inout ImportRow
  ) -> Rating? {
    if Self.isNothing(text) {
      if text == "0" { zeroes += 1 }
      return nil
    }
    if let rating = RatingText.read(text, scale: scale) {
      guard rating.value > 0 else {
        zeroes += 1
        return nil
      }
      return rating
    }
    row.fail(
      columns.name(field),
      "'\(text)' is not a rating from 0 to \(scale)"
        + (Double(text).map { $0 > Double(scale) } ?? false ? "; --scale names the best one" : ""))
    return nil
  }

  private func readViewing(_ row: inout ImportRow, into parsed: inout TableRow) {
    if let text = text(.status, row) {
      parsed.status = TableRow.Status(text)
    } else {
      parsed.status = layout.status
    }
    if let text = text(.watchlisted, row), Self.isTrue(text), parsed.status == nil {
      parsed.status = .planned
    }
    if let text = text(.progress, row), let mark = EpisodeNumber(text), mark.number > 0 {
      parsed.mark = mark
    }
    var moments: [Moment] = []
    if let text = text(.watched, row), !Self.isNothing(text) {
      if Self.isTrue(text) {
        parsed.isWatched = true
      } else if Self.isFalse(text) {
        parsed.isWatched = false
      } else if let moment = days[.watched]?.read(text) {
        parsed.isWatched = true
        moments.append(moment)
      }
    }
    for field in [TableField.firstWatched, .watchedDate] {
      guard let text = text(field, row) else { continue }
      if Moment.isLost(text), parsed.isWatched == nil { parsed.isWatched = true }
      guard !Moment.isUnknown(text) else { continue }
      guard let moment = days[field]?.read(text) else {
        row.fail(columns.name(field), "'\(text)' is not a date such as 2026-11-21")
        continue
      }
      guard moment.at.map(Moment.isKnown) ?? true else { continue }
      if !moments.contains(moment) { moments.append(moment) }
    }
    guard parsed.isWatched != false else { return }
    parsed.watches = moments.enumerated().map { number, moment in
      var watch = ImportedWatch(moment.day)
      watch.at = moment.at
      if number > 0 { watch.isRewatch = true }
      if let text = text(.rewatch, row), moments.count == 1 { watch.isRewatch = Self.isTrue(text) }
      if columns.has(.tags), columns.has(.letterboxdUri) {
        // Tags of a diary belong to the entry.
        watch.tags = parsed.fields[.tags]?.texts ?? []
      }
      watch.rating = columns.has(.letterboxdUri) ? parsed.rating?.rating : nil
      return watch
    }
  }

  private func moment(_ field: TableField, _ row: ImportRow) -> Moment? {
    guard let text = text(field, row), !Moment.isUnknown(text) else { return nil }
    guard let moment = days[field]?.read(text),
      moment.at.map(Moment.isKnown) ?? true
    else { return nil }
    return moment
  }

  // MARK: Words

  static func isTrue(_ text: String) -> Bool {
    ["true", "yes", "1", "x", "y", "t", "ja", "oui", "si", "sí", "✓", "✔", "watched", "seen"]
      .contains(text.lowercased())
  }

  static func isFalse(_ text: String) -> Bool {
    ["false", "no", "0", "n", "f", "nein", "non", "unwatched"].contains(text.lowercased())
  }

  /// Whether a text stands for no value.
  static func isNothing(_ text: String) -> Bool {
    [
      "-", "--", "—", "n/a", "na", "null", "nil", "none", "nan", "nr", "unrated", "0", "-1", "?",
      "\\n",
    ]
    .contains(text.lowercased())
  }

  /// A whole number, also as tables write it that were numbers with a fraction: `12.0`.
  static func whole(_ text: String) -> Int64? {
    if let number = Int64(text) { return number >= 0 ? number : nil }
    guard let number = Double(text), number >= 0, number < 1e15, number == number.rounded() else {
      return nil
    }
    return Int64(number)
  }
}

/// Ratings in the forms of tables.
enum RatingText {
  /// Reads `8`, `7,5`, `4.5/5`, `★★★½` and `85%`; nil for any other text.
  static func read(_ text: String, scale: Int64) -> Rating? {
    let plain = String(text.map { $0 == "," ? "." : $0 })
    if let rating = Rating(plain, scale: scale) { return rating }
    if plain.hasSuffix("%"), let value = Double(plain.dropLast().trimmed) {
      return Rating(value, of: 100)
    }
    let stars = text.filter { $0 != " " && $0 != "\u{FE0F}" }
    guard let first = stars.first, "★⭐☆½".contains(first),
      stars.allSatisfy({ "★⭐☆½".contains($0) })
    else { return nil }
    let full = stars.count { $0 == "★" || $0 == "⭐" }
    return Rating(Double(full) + (stars.contains("½") ? 0.5 : 0), of: 5)
  }
}
