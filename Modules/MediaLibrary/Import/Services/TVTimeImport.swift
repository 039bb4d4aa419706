import SyncKitFormats
import SyncKit

/// Reads the tables that TV Time sent on request before it closed.
///
/// | File | Becomes |
/// |---|---|
/// | `tracking-prod-records-v2.csv` | viewings of episodes, and the state of series |
/// | `tracking-prod-records.csv` | films watched and to be watched; viewings of episodes without the other file |
/// | `followed_tv_show.csv`, `user_tv_show_data.csv`, `user_show_special_status.csv` | series and their state |
/// | `seen_episode_source.csv`, `seen_episode_latest.csv` | viewings of episodes, without the files above |
///
/// Series have their number at TVDB, and times are in UTC. Reactions, comments, devices and personal
/// data are not read.
struct TVTimeImport {
  private enum Table: Int { case episodes, records, followed, data, special, seen }

  private var library: TableLibrary
  private var hasEpisodes = false
  private var names: [Int64: String] = [:]
  private var states: [Int64: TableRow.Status] = [:]
  private var favorites: Set<Int64> = []
  private var nameless = 0

  private static func table(_ header: [String]) -> Table? {
    let columns = Set(header.map { TableField.fold($0) })
    func has(_ names: String...) -> Bool { columns.isSuperset(of: names) }
    if has("key", "sid", "seriesname") { return .episodes }
    if has("moviename", "entitytype") { return .records }
    if has("tvshowid", "tvshowname", "active") { return .followed }
    if has("tvshowid", "tvshowname"), has("isfollowed") || has("nbepisodesseen") { return .data }
    if has("tvshowid", "tvshowname", "status") { return .special }
    if has("tvshowname", "episodeseasonnumber", "episodenumber")
      || has("showname", "episodeseasonnumber", "episodenumber")
    {
      return .seen
    }
    return nil
  }

  static func recognizes(header: [String]) -> Bool { table(header) != nil }

  static func recognizes(_ files: ExportFiles) -> Bool {
    ["tracking-prod-records-v2.csv", "tracking-prod-records.csv", "followed_tv_show.csv"].contains {
      files.path($0) != nil
    }
  }

  static func read(_ files: ExportFiles, list: String) throws -> ImportedLibrary {
    var reader = TVTimeImport(
      library: TableLibrary(MediaImport.Format.tvtime.rawValue, list: list))
    var tables: [(kind: Table, table: ImportTable)] = []
    for path in files.paths.sorted() where path.lowercased().hasSuffix(".csv") {
      guard
        let table = try? ImportTable(files.read(path), file: files.paths.count > 1 ? path : nil),
        let kind = Self.table(table.header)
      else { continue }
      tables.append((kind, table))
    }
    tables.sort { $0.kind.rawValue < $1.kind.rawValue }
    for index in tables.indices { reader.read(&tables[index].table, as: tables[index].kind) }
    reader.addStates()
    return reader.library.finish()
  }

  private mutating func read(_ table: inout ImportTable, as kind: Table) {
    var rows: [ImportRow] = []
    while let row = table.next() { rows.append(row) }
    library.count(table.count)
    library.fail(table.faults)
    if kind == .episodes {
      // Some records have no name; another one of the series does.
      for row in rows {
        if let id = Self.number(row, "s_id"), let name = row.text("series_name") {
          names[id] = name
        }
      }
    }
    for row in rows {
      switch kind {
      case .episodes: readEpisode(row)
      case .records: readRecord(row)
      case .followed: readFollowed(row)
      case .data: readData(row)
      case .special: readSpecial(row)
      case .seen: readSeen(row)
      }
    }
    if kind == .episodes { hasEpisodes = true }
    if kind == .records || kind == .seen { hasEpisodes = true }
  }

  // MARK: Rows

  private mutating func readEpisode(_ row: ImportRow) {
    let key = row.text("key") ?? ""
    guard let id = Self.number(row, "s_id") else { return }
    if key.hasPrefix("watch-episode") || key.hasPrefix("rewatch-episode") {
      guard let name = names[id] else {
        nameless += 1
        return
      }
      add(
        name, tvdb: id, season: Self.number(row, "season_number") ?? Self.number(row, "s_no"),
        episode: Self.number(row, "episode_number") ?? Self.number(row, "ep_no"),
        at: Self.time(row.text("created_at")), isRewatch: key.hasPrefix("rewatch"), row)
    } else if key.hasPrefix("user-series") {
      if Self.isTrue(row, "is_archived") {
        states[id] = .dropped
      } else if Self.isTrue(row, "is_for_later") {
        states[id] = .planned
      } else if Self.isTrue(row, "is_followed") {
        states[id] = states[id] ?? .current
      }
    }
  }

  private mutating func readRecord(_ row: ImportRow) {
    let type = row.text("type") ?? ""
    let entity = row.text("entity_type") ?? (row.text("movie_name") == nil ? "episode" : "movie")
    let moment =
      Self.time(
        row.text("watch_date_range_key").flatMap { $0.split(separator: "-").last.map(String.init) })
      ?? Self.time(row.text("watch_date")) ?? Self.time(row.text("created_at"))
    if entity == "movie", let name = row.text("movie_name") {
      guard ["watch", "rewatch", "towatch"].contains(type) else { return }
      var parsed = TableRow(name, row: row.line, file: row.file)
      if let day = row.text("release_date").flatMap({ Day(String($0.prefix(10))) }),
        day.year > 1880
      {
        parsed.year = Int64(day.year)
        parsed.fields[.releaseDate] = .string(day.description)
      }
      if let seconds = Self.number(row, "runtime"), seconds >= 60 {
        parsed.fields[.runtime] = .int(seconds / 60)
      }
      if type == "towatch" {
        parsed.status = .planned
        parsed.isWatched = nil
        parsed.added = moment
      } else {
        parsed.isWatched = true
        parsed.watches = Self.watches(moment, isRewatch: type == "rewatch")
      }
      library.add(parsed)
    } else if !hasEpisodes, type == "watch" || type == "rewatch" || type == "last-episode-watched",
      let name = row.text("series_name")
    {
      add(
        name, tvdb: Self.number(row, "series_id"), season: Self.number(row, "season_number"),
        episode: Self.number(row, "episode_number"), at: moment, isRewatch: type == "rewatch", row)
    }
  }

  private mutating func readFollowed(_ row: ImportRow) {
    guard let id = Self.number(row, "tv_show_id"), let name = row.text("tv_show_name") else {
      return
    }
    names[id] = names[id] ?? name
    if Self.isTrue(row, "archived") || row.text("active") == "0" {
      states[id] = .dropped
    } else {
      states[id] = states[id] ?? .current
    }
  }

  private mutating func readData(_ row: ImportRow) {
    guard let id = Self.number(row, "tv_show_id"), let name = row.text("tv_show_name") else {
      return
    }
    names[id] = names[id] ?? name
    if Self.isTrue(row, "is_favorited") { favorites.insert(id) }
    if Self.isTrue(row, "is_followed") { states[id] = states[id] ?? .current }
  }

  private mutating func readSpecial(_ row: ImportRow) {
    guard let id = Self.number(row, "tv_show_id"), let name = row.text("tv_show_name") else {
      return
    }
    names[id] = names[id] ?? name
    switch row.text("status") {
    case "for_later": states[id] = .planned
    case "favorite": favorites.insert(id)
    default: break
    }
  }

  private mutating func readSeen(_ row: ImportRow) {
    guard !hasEpisodes, let name = row.text(["tv_show_name", "show_name"]) else { return }
    add(
      name, tvdb: Self.number(row, "tv_show_id"), season: Self.number(row, "episode_season_number"),
      episode: Self.number(row, "episode_number"),
      at: Self.time(row.text(["created_at", "ts", "updated_at"])), isRewatch: false, row)
  }

  private mutating func add(
    _ name: String, tvdb: Int64?, season: Int64?, episode: Int64?, at moment: Int64?,
    isRewatch: Bool, _ row: ImportRow
  ) {
    var parsed = TableRow(name, row: row.line, file: row.file)
    parsed.splitYear()
    parsed.kind = .episode
    parsed.tvdb = tvdb
    parsed.season = season
    parsed.episode = episode
    parsed.isWatched = true
    parsed.watches = Self.watches(moment, isRewatch: isRewatch)
    library.add(parsed)
  }

  /// Adds the series with their states, after their episodes.
  private mutating func addStates() {
    for (id, name) in names.sorted(by: { $0.key < $1.key })
    where states[id] != nil || favorites.contains(id) {
      var parsed = TableRow(name)
      parsed.splitYear()
      parsed.kind = .series
      parsed.tvdb = id
      parsed.status = states[id]
      if favorites.contains(id) { parsed.fields[.likedStatus] = 1 }
      library.add(parsed)
    }
    if nameless > 0 {
      library.warn("\(nameless) viewings left out whose series has no name in the file")
    }
  }

  // MARK: Values

  /// A series' state in the words of TV Time.
  static func status(_ word: String) -> TableRow.Status? {
    switch word.lowercased() {
    case "continuing", "up_to_date": .current
    default: TableRow.Status(word)
    }
  }

  private static func watches(_ moment: Int64?, isRewatch: Bool) -> [ImportedWatch] {
    guard let moment else { return [] }
    var watch = ImportedWatch(Day(milliseconds: moment))
    watch.at = moment
    if isRewatch { watch.isRewatch = true }
    return [watch]
  }

  private static func number(_ row: ImportRow, _ column: String) -> Int64? {
    row.text(column).flatMap { TableReader.whole($0) }
  }

  private static func isTrue(_ row: ImportRow, _ column: String) -> Bool {
    row.text(column).map { TableReader.isTrue($0) } ?? false
  }

  /// A time in UTC without a zone, or seconds since 1970; nil when it is unknown.
  private static func time(_ text: String?) -> Int64? {
    guard let text, !Moment.isUnknown(text) else { return nil }
    let moment = Timestamp.parse("\(text.prefix(19))Z") ?? DayColumn([text]).read(text)?.at
    return moment.flatMap { Moment.isKnown($0) ? $0 : nil }
  }
}
