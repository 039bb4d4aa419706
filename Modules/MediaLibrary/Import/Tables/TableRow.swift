import SyncKitFormats
import SyncKit

/// What one row of a foreign table says.
struct TableRow {
  /// A state that a service keeps for a title.
  enum Status { case planned, current, paused, dropped, finished }

  var kind = TitleKind.film
  /// The title of the film or series.
  var title: String
  var row: Int?
  var file: String?
  var year: Int64?
  var tmdb: Int64?
  var imdb: String?
  var tvdb: Int64?
  var trakt: Int64?
  var letterboxd: String?
  var list: String?

  var season: Int64?
  var episode: Int64?
  var episodeName: String?
  /// The number of the episode at TMDB.
  var episodeTmdb: Int64?

  var rating: ImportedRating?
  /// Nil when the row does not say.
  var isWatched: Bool?
  /// Viewings with a known day.
  var watches: [ImportedWatch] = []
  var status: Status?
  /// The last episode watched.
  var mark: EpisodeNumber?
  var review: String?
  var notes: [String] = []
  var added: Int64?
  var fields: [FieldName: Value] = [:]

  init(_ title: String, row: Int? = nil, file: String? = nil) {
    self.title = title
    self.row = row
    self.file = file
  }

  /// Takes the year out of a title such as `Bodyguard (2018)`, unless the year is known.
  mutating func splitYear() {
    guard title.hasSuffix(")"), let open = title.lastIndex(of: "(") else { return }
    let text = title[title.index(after: open)...].dropLast()
    guard text.utf8.count == 4, let found = Int64(text), (1880...2100).contains(found) else {
      return
    }
    let rest = title[..<open].trimmed
    guard !rest.isEmpty, year == nil || year == found else { return }
    title = rest
    year = found
  }
}

extension TableRow.Status {
  /// Reads the word of a service; nil for an unknown one.
  init?(_ word: String) {
    let folded = TitleKey(word).text.filter { $0 != " " }
    switch folded {
    case "completed", "complete", "watched", "finished", "seen", "done": self = .finished
    case "watching", "inprogress", "current", "currentlywatching", "started", "rewatching",
      "repeating":
      self = .current
    case "plantowatch", "planned", "planning", "plan", "planntowatch", "ptw", "watchlist",
      "wanttowatch", "towatch", "wishlist", "notstarted", "notstartedyet", "forlater", "unwatched",
      "backlog", "following":
      self = .planned
    case "onhold", "hold", "paused", "pause": self = .paused
    case "dropped", "drop", "stopped", "stoppedwatching", "abandoned", "notinteresting",
      "discontinued":
      self = .dropped
    default: return nil
    }
  }

  var number: Int64 {
    switch self {
    case .planned: WatchStatus.new.rawValue
    case .current: WatchStatus.current.rawValue
    case .paused, .dropped: WatchStatus.paused.rawValue
    case .finished: WatchStatus.finished.rawValue
    }
  }
}

/// Gathers the rows of foreign tables into titles of lists.
struct TableLibrary {
  private(set) var library: ImportedLibrary
  private let main: Int
  private var indexes: [Int: TitleIndex] = [:]
  private var unnumbered = 0
  private var seasons = 0

  init(_ source: String, list: String) {
    library = ImportedLibrary(source)
    main = library.list(named: list)
    library.main = main
  }

  /// Adds a row to its title, made if it is new.
  mutating func add(_ row: TableRow) {
    switch row.kind {
    case .other(let word): return leaveOut(word, row)
    case .film where row.season != nil || row.episode != nil:
      var row = row
      row.kind = row.episode == nil ? .season : .episode
      return add(row)
    case .series where row.episode != nil || row.season != nil:
      var row = row
      row.kind = row.episode == nil ? .season : .episode
      return add(row)
    default: break
    }
    let type = row.kind == .film ? MediaID.MediaType.movie : .tv
    let list = row.list.map { library.list(named: String($0.prefix(MediaRules.longestName))) }
    let identity = TitleIdentity(
      type, title: row.title, year: row.year, tmdb: row.tmdb, imdb: row.imdb, trakt: row.trakt,
      tvdb: row.tvdb, letterboxd: row.letterboxd)
    var title = ImportedTitle(row.title, identity, row: row.row, file: row.file)
    title.added = row.added
    switch row.kind {
    case .episode: addEpisode(row, to: &title)
    case .season:
      seasons += row.rating == nil && row.status == nil ? 0 : 1
      library.tally.count(
        "season", as: "its series; the season's own rating and state are left out")
    default: addTitle(row, to: &title)
    }
    for text in row.notes {
      title.notes += text.parts(of: MediaRules.longestNote).map { ImportedNote($0) }
    }
    put(title, in: list ?? main)
  }

  private mutating func leaveOut(_ word: String, _ row: TableRow) {
    library.passOver(word.lowercased(), row: row.row)
  }

  private mutating func addTitle(_ row: TableRow, to title: inout ImportedTitle) {
    title.fields = row.fields
    title.rating = row.rating
    title.watches = row.watches.map { watch in
      var watch = watch
      watch.episodeName = row.kind == .series ? row.episodeName : nil
      return watch
    }
    if row.kind == .series, row.episodeName != nil {
      unnumbered += 1
      if let mark = row.mark { title.episode(mark) { $0.isWatched = true } }
      library.tally.count("episode", as: "a viewing of the series, by the episode's name")
      return
    }
    let isFinished = row.status == .finished
    title.isWatched =
      row.isWatched ?? (isFinished || (row.kind == .film && !row.watches.isEmpty))
    if let status = row.status {
      title.fields[.watchStatus] = .int(status.number)
      if status == .dropped {
        title.fields[.tags] = .list(
          (title.fields[.tags]?.texts ?? []).map { .string($0) } + ["dropped"])
      }
    }
    if let review = row.review {
      if title.watches.isEmpty {
        title.notes += review.parts(of: MediaRules.longestNote).map { ImportedNote($0) }
      } else {
        title.watches[0].review = review
      }
    }
    if row.kind == .series, row.mark == nil, let last = title.watches.last {
      // The day is that of some episode.
      title.fields[.lastWatched] = .instant(last.at ?? last.day.milliseconds)
      title.watches = []
    }
    if let mark = row.mark {
      title.fields[.currentSeason] = .int(mark.season)
      title.fields[.currentEpisode] = .int(mark.number)
      title.episode(mark) { $0.isWatched = true }
      // The day is that of the last episode, not of the series.
      for place in title.watches.indices { title.watches[place].episode = mark }
    }
    library.tally.count(
      row.kind.word,
      as: title.isWatched ? "a watched title" : row.mark == nil ? "a title" : "a series under way")
  }

  private mutating func addEpisode(_ row: TableRow, to title: inout ImportedTitle) {
    guard let season = row.season ?? (row.episode == nil ? nil : 1), let number = row.episode,
      (0...100_000).contains(season), (0...100_000).contains(number)
    else {
      unnumbered += 1
      library.tally.count("episode", as: "its series; the episode has no number")
      title.watches = row.watches.map { watch in
        var watch = watch
        watch.episodeName = row.episodeName
        return watch
      }
      return
    }
    let name = EpisodeNumber(season: season, number: number)
    let isWatched = row.isWatched ?? (!row.watches.isEmpty || row.status == .finished)
    title.episode(name) { episode in
      episode.isWatched = isWatched
      episode.rating = row.rating
      if let name = row.episodeName, !name.isEmpty { episode.fields[.name] = .string(name) }
      if let tmdb = row.episodeTmdb { episode.fields[.tmdbId] = .int(tmdb) }
    }
    title.watches = row.watches.map { watch in
      var watch = watch
      watch.episode = name
      return watch
    }
    if let review = row.review {
      if title.watches.isEmpty {
        title.episode(name) {
          $0.notes += review.parts(of: MediaRules.longestNote).map { ImportedNote($0) }
        }
      } else {
        title.watches[0].review = review
      }
    }
    library.tally.count(
      "episode", as: isWatched ? "a watched episode of its series" : "an episode of its series")
  }

  private mutating func put(_ title: ImportedTitle, in list: Int) {
    var index = indexes.removeValue(forKey: list) ?? TitleIndex()
    var found = index.find(title.identity)
    if case .doubtful(let places) = found, title.identity.type == .tv, places.count == 1,
      title.identity.year == nil || index.identities[places[0]].year == nil
    {
      // Rows of episodes do not repeat the year of their series.
      found = .same(places[0])
    }
    if case .same(let place) = found {
      index.learn(title.identity, at: place)
      library.lists[list].titles[place].take(title)
    } else {
      index.add(title.identity)
      library.lists[list].titles.append(title)
    }
    indexes[list] = index
  }

  mutating func warn(_ sentence: String) { library.warnings.append(sentence) }

  mutating func note(_ sentence: String) { library.notes.append(sentence) }

  mutating func fail(_ faults: [ImportedRecords.Fault]) { library.faults += faults }

  mutating func count(_ rows: Int) { library.rows += rows }

  /// The library with what was left out.
  mutating func finish() -> ImportedLibrary {
    if !library.passedOver.isEmpty {
      library.warnings.append("lists hold films and series only; the other rows are passed over")
    }
    if seasons > 0 {
      library.warnings.append(
        "ratings and states of \(Plural(seasons, "season")) are left out; only titles and episodes"
          + " can have them")
    }
    if unnumbered > 0 {
      library.warnings.append(
        "\(Plural(unnumbered, "episode")) without a number: each is a viewing of its series, by name"
      )
    }
    for list in library.lists.indices {
      for title in library.lists[list].titles.indices {
        library.lists[list].titles[title].sortEvents()
      }
    }
    library.dropEmptyMain()
    return library
  }
}
