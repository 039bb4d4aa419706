import SyncKitFormats
import SyncKit

/// Reads what Netflix gives out: the history of a profile, and the tables of the whole account.
///
/// | File | Becomes |
/// |---|---|
/// | `NetflixViewingHistory.csv`, `ViewingActivity.csv` | viewings, one for each title and day |
/// | `Ratings.csv` | stars as ratings out of five, thumbs as likes |
/// | `MyList.csv` | titles to be watched |
///
/// A title is all that Netflix tells, so whether it is an episode follows from the words in it and from
/// the other titles. Episodes mostly have no number there; they are viewings of their series, by name.
/// Trailers, and what ran for less than two minutes, are left out with a count.
struct NetflixImport {
  private enum Table { case history, activity, ratings, list }

  private let options: MediaImport.Options
  private var library: TableLibrary
  private var views: [View] = []
  private var trailers = 0
  private var glimpses = 0
  private var nameless = 0
  private var repeats = 0

  private struct View {
    var title: String
    var watch: ImportedWatch
    var row: Int
  }

  private static func table(_ header: [String]) -> Table? {
    let columns = header.map { TableField.fold($0) }
    func has(_ names: String...) -> Bool { Set(columns).isSuperset(of: names) }
    if has("profilename", "starttime", "title") { return .activity }
    if has("profilename", "titlename", "ratingtype") { return .ratings }
    if has("profilename", "titlename"), columns.contains(where: { $0.contains("adddate") }) {
      return .list
    }
    let words = Self.titleWords.contains(columns.first ?? "")
    return columns.count == 2 && words && Self.dateWords.contains(columns[1]) ? .history : nil
  }

  private static let titleWords: Set = [
    "title", "titel", "titre", "titulo", "titolo", "tytul", "nimi", "название", "标题", "タイトル", "제목",
    "baslik", "cim",
  ]
  private static let dateWords: Set = [
    "date", "datum", "fecha", "data", "dato", "paivamaara", "дата", "日期", "日付", "날짜", "tarih",
    "datetime",
  ]

  static func recognizes(header: [String]) -> Bool { table(header) != nil }

  static func recognizes(_ files: ExportFiles) -> Bool {
    files.path("viewingactivity.csv") != nil || files.path("netflixviewinghistory.csv") != nil
  }

  /// Reads one table, or those of an archive.
  static func read(
    _ files: ExportFiles, list: String, _ options: MediaImport.Options
  ) throws -> ImportedLibrary {
    var reader = NetflixImport(
      options: options, library: TableLibrary(MediaImport.Format.netflix.rawValue, list: list))
    var isFound = false
    for path in files.paths.sorted() where path.lowercased().hasSuffix(".csv") {
      var table = try ImportTable(files.read(path), file: files.paths.count > 1 ? path : nil)
      guard let kind = Self.table(table.header) else { continue }
      isFound = true
      try reader.read(&table, as: kind)
    }
    guard isFound else {
      throw SyncError(
        .inputInvalid, "there is no table of viewings, ratings or of the list in it",
        hint: "name ViewingActivity.csv of its folder CONTENT_INTERACTION")
    }
    reader.addViews()
    return reader.finish()
  }

  // MARK: Tables

  private mutating func read(_ table: inout ImportTable, as kind: Table) throws {
    var rows: [ImportRow] = []
    while let row = table.next() { rows.append(row) }
    if kind != .history { rows = try ofOneProfile(rows) }
    library.count(table.count)
    library.fail(table.faults)
    switch kind {
    case .history: try readHistory(rows)
    case .activity: readActivity(rows)
    case .ratings: readRatings(rows)
    case .list: readList(rows)
    }
  }

  /// The rows of the one person whose viewings these are to be.
  private func ofOneProfile(_ rows: [ImportRow]) throws -> [ImportRow] {
    let names = Set(rows.compactMap { $0.text("Profile Name") })
    guard let wanted = options.viewer else {
      guard names.count < 2 else {
        throw SyncError(
          .inputInvalid, "it has the viewings of \(names.count) profiles",
          hint: "say whose to take with --viewer: " + names.sorted().joined(separator: ", "))
      }
      return rows
    }
    guard let name = names.first(where: { $0.lowercased() == wanted.lowercased() }) else {
      throw SyncError(
        .inputInvalid, "it has no profile '\(wanted)'",
        hint: "the profiles are " + names.sorted().joined(separator: ", "))
    }
    return rows.filter { $0.text("Profile Name") == name }
  }

  private mutating func readHistory(_ rows: [ImportRow]) throws {
    let days = DayColumn(rows.compactMap { $0.text(at: 1) }, order: options.dateOrder)
    guard !days.isDoubtful else {
      throw SyncError(
        .inputInvalid, "the dates can be read in two ways",
        hint: "say with --date-format d/m/y or m/d/y whether the day or the month is first")
    }
    for row in rows {
      var row = row
      defer { library.fail(row.faults) }
      guard let title = row.text(at: 0) else { continue }
      guard let text = row.text(at: 1), let moment = days.read(text) else {
        row.fail("date", "'\(row.text(at: 1) ?? "")' is not a date such as 2026-11-21")
        continue
      }
      add(title, ImportedWatch(moment.day), row.line)
    }
  }

  private mutating func readActivity(_ rows: [ImportRow]) {
    for row in rows {
      var row = row
      defer { library.fail(row.faults) }
      guard let title = row.text("Title") else { continue }
      guard row.text("Supplemental Video Type") == nil else {
        trailers += 1
        continue
      }
      if let length = row.text("Duration").flatMap(Self.seconds), length < 120 {
        glimpses += 1
        continue
      }
      guard let text = row.text("Start Time"), let moment = Self.universal(text) else {
        row.fail(
          "Start Time",
          "'\(row.text("Start Time") ?? "")' is not a time such as 2026-11-21 20:15:00")
        continue
      }
      var watch = ImportedWatch(Day(milliseconds: moment))
      watch.at = moment
      add(title, watch, row.line)
    }
  }

  private mutating func add(_ title: String, _ watch: ImportedWatch, _ row: Int) {
    guard let first = title.first(where: { !$0.isWhitespace }), first != ":" else {
      nameless += 1
      return
    }
    views.append(View(title: title, watch: watch, row: row))
  }

  private mutating func readRatings(_ rows: [ImportRow]) {
    for row in rows {
      guard let title = row.text("Title Name") else { continue }
      var parsed = TableRow(title, row: row.line, file: row.file)
      parsed.kind = isSeries(title) ? .series : .film
      let at = row.text("Event Utc Ts").flatMap(Self.universal)
      if let stars = row.text("Star Value").flatMap(Double.init), stars > 0,
        let rating = Rating(stars, of: 5)
      {
        parsed.rating = ImportedRating(rating: rating, at: at)
      }
      switch row.text("Thumbs Value") {
      case "2", "3": parsed.fields[.likedStatus] = 1
      case "1": parsed.fields[.likedStatus] = -1
      default: if parsed.rating == nil { continue }
      }
      library.add(parsed)
    }
  }

  private mutating func readList(_ rows: [ImportRow]) {
    for row in rows {
      guard let title = row.text("Title Name") else { continue }
      var parsed = TableRow(title, row: row.line, file: row.file)
      parsed.kind = isSeries(title) ? .series : .film
      parsed.status = .planned
      library.add(parsed)
    }
  }

  /// A time without a zone, which Netflix writes in UTC.
  private static func universal(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 2 else { return Timestamp.parse(text) }
    return Timestamp.parse("\(parts[0])T\(parts[1].count == 7 ? "0" : "")\(parts[1])Z")
  }

  private static func seconds(_ text: String) -> Int? {
    var seconds = 0
    for part in text.split(separator: ":") {
      guard let number = Int(part), number >= 0, number < 100_000 else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds
  }

  // MARK: Titles

  /// The series of the file: what stands before a word for a season or an episode, and what is followed
  /// by several names of episodes of one season.
  private lazy var series: Set<String> = {
    var names: Set<String> = []
    var thirds: [String: Set<String>] = [:]
    for view in views {
      let part = PartTitle(view.title)
      if part.isSeries { names.insert(part.name) }
      let parts = Self.parts(view.title)
      guard parts.count > 2 else { continue }
      thirds["\(parts[0]): \(parts[1])", default: []].insert(parts[2...].joined(separator: ": "))
    }
    for (start, episodes) in thirds where episodes.count > 1 {
      if !names.contains(where: { start.hasPrefix($0) }) {
        names.insert(Self.parts(start).first ?? start)
      }
    }
    return names
  }()

  private mutating func isSeries(_ title: String) -> Bool { series.contains(title) }

  private static func parts(_ title: String) -> [String] {
    var parts: [String] = []
    var rest = title[...]
    while let colon = rest.firstIndex(of: ":") {
      let next = rest.index(after: colon)
      guard next < rest.endIndex, rest[next] == " " else { return parts + [rest.trimmed] }
      parts.append(rest[..<colon].trimmed)
      rest = rest[next...]
    }
    return parts + [rest.trimmed]
  }

  private mutating func addViews() {
    var seen: Set<String> = []
    var films: [String: Set<String>] = [:]
    // The oldest first, so that the first viewing is not taken for a later one.
    views.sort {
      ($0.watch.day, $0.watch.at ?? 0, $1.row) < ($1.watch.day, $1.watch.at ?? 0, $0.row)
    }
    for view in views {
      guard seen.insert("\(view.watch.day) \(view.title)").inserted else {
        repeats += 1
        continue
      }
      let part = PartTitle(view.title)
      var row = TableRow(view.title, row: view.row)
      row.watches = [view.watch]
      row.isWatched = true
      if part.isSeries {
        row.kind = .episode
        row.title = part.name
        row.season = part.season
        row.episode = part.number
        row.episodeName = part.episode ?? view.title
        if part.number == nil {
          // The season stays with the name, since the number is not known.
          let rest = view.title.dropFirst(part.name.count).drop { ": ".contains($0) }
          row.episodeName = rest.isEmpty ? view.title : String(rest)
          row.season = nil
        }
      } else if let name = series.filter({ view.title.hasPrefix($0 + ": ") }).max(by: {
        $0.count < $1.count
      }) {
        row.kind = .episode
        row.title = name
        row.episodeName = String(view.title.dropFirst(name.count + 2))
      } else {
        let parts = Self.parts(view.title)
        if parts.count > 1 { films[parts[0], default: []].insert(view.title) }
      }
      library.add(row)
    }
    for (start, titles) in films.sorted(by: { $0.key < $1.key }) where titles.count > 2 {
      library.warn(
        "\(titles.count) titles begin with '\(start):' and are taken as films, since no word says that"
          + " they are episodes")
    }
  }

  private mutating func finish() -> ImportedLibrary {
    func warn(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { library.warn("\(Plural(count, one, many))") }
    }
    warn(trailers, "trailer or other clip is left out", "trailers and other clips are left out")
    warn(
      glimpses, "row is left out that ran for less than two minutes",
      "rows are left out that ran for less than two minutes")
    warn(
      nameless, "episode is left out whose series is not named",
      "episodes are left out whose series is not named")
    warn(
      repeats, "further row of a title and day is the same viewing",
      "further rows of a title and day are the same viewings")
    return library.finish()
  }
}
