import SyncKitFormats
import SyncKit

extension TableLayout {
  /// The layout of a table by its columns; nil for a table that no service is known to write.
  static func recognize(_ header: [String]) -> TableLayout? {
    let columns = Set(header.map { TableField.fold($0) })
    func has(_ names: String...) -> Bool { columns.isSuperset(of: names) }
    if has("mediaid", "source", "mediatype") { return yamtrack }
    if has("tmdbid", "imdbid", "type", "name", "seasonnumber", "episodenumber") { return tmdb }
    if has("lastepwatched") || has("simklid", "title") { return simkl }
    if has("traktid", "type", "title") || has("trakttype", "title") { return traktTable }
    if has("archive", "episode", "remaining", "title") { return betaSeries }
    if has("id", "title", "status", "date"), columns.count == 4 { return betaSeriesFilms }
    if has("letterboxduri") { return TableLayout(format: .letterboxd, scale: 5) }
    if has("datewatched", "type", "title", "episodetitle") { return primeVideo }
    if has("movieid", "rating", "title") { return movieLens }
    if has("score", "psi") { return criticker }
    if has("title", "iswatched"),
      !columns.isDisjoint(with: ["isspecial", "special", "rewatchcount"])
    {
      return tvTimeTable
    }
    if let kind = collection(columns) { return TableLayout(format: .csv, kind: .other(kind)) }
    return nil
  }

  /// The word for what a table of books or games has rows of; nil for another table.
  private static func collection(_ columns: Set<String>) -> String? {
    let books: Set = ["isbn", "isbn13", "isbnuid", "bookid", "bookshelves", "authorlf"]
    if !columns.isDisjoint(with: books), !columns.isDisjoint(with: ["author", "authors", "title"]) {
      return "book"
    }
    if columns.isSuperset(of: ["mainstory", "platform"]) || columns.contains("playtimeforever") {
      return "game"
    }
    if columns.isSuperset(of: ["artist", "album"]) { return "music" }
    return nil
  }

  /// Any table; what is not read is reported.
  static let any = TableLayout(format: .csv, isKnown: false)

  /// Yamtrack: one row for each title, season and episode, and a number at the source that is named.
  static let yamtrack = TableLayout(
    format: .yamtrack,
    names: [
      .rating: ["score"], .watchedDate: ["enddate", "watchdate"], .progress: [],
      .added: ["createdat"],
      .series: [], .note: ["notes"],
    ], scale: 10, key: "mediaid",
    adjust: { parsed, row, _ in
      if row.text("source")?.lowercased() == "tmdb" {
        parsed.tmdb = row.text("media_id").flatMap { TableReader.whole($0) }
      }
      if row.text("media_type")?.lowercased() == "anime", parsed.status != .planned,
        let count = row.text("progress").flatMap({ TableReader.whole($0) }), count > 0
      {
        parsed.mark = EpisodeNumber(season: 1, number: count)
      }
      // A row of an episode is one that was watched.
      if parsed.kind == .episode { parsed.isWatched = true }
      return true
    })

  /// The Movie Database: `Rating` is the public's, and an episode's ids are its own.
  static let tmdb = TableLayout(
    format: .tmdb, names: [.rating: ["yourrating"], .title: ["name"], .series: []], scale: 10,
    ratingMeansWatched: true,
    adjust: { parsed, _, _ in
      guard parsed.season != nil || parsed.episode != nil else { return true }
      parsed.kind = parsed.episode == nil ? .season : .episode
      parsed.episodeTmdb = parsed.tmdb
      (parsed.tmdb, parsed.imdb, parsed.year) = (nil, nil, nil)
      // `Friends S1E1`
      if let space = parsed.title.lastIndex(of: " "),
        EpisodeNumber(String(parsed.title[parsed.title.index(after: space)...])) != nil
      {
        parsed.title = parsed.title[..<space].trimmed
      }
      return true
    })

  /// Simkl: `LastEpWatched` is how far a series was watched.
  static let simkl = TableLayout(
    format: .simkl,
    names: [
      .status: ["watchlist"], .progress: ["lastepwatched"], .note: ["memo"], .series: [],
      .watchedDate: ["watcheddate"],
    ], scale: 10,
    adjust: { parsed, row, _ in
      if parsed.mark == nil, let text = row.text("LastEpWatched"),
        let number = TableReader.whole(text), number > 0
      {
        parsed.mark = EpisodeNumber(season: 1, number: number)
      }
      if parsed.status == .planned {
        // The day is that of the entry in the list.
        parsed.added = parsed.watches.first.map { $0.at ?? $0.day.milliseconds }
        parsed.watches = []
        if parsed.kind == .film { parsed.isWatched = false }
      }
      return true
    })

  /// The tables that Trakt writes, one for each kind of data.
  static let traktTable = TableLayout(
    format: .trakt,
    names: [
      .series: [], .tmdbId: ["tmdbid", "tmdb"], .rating: ["rating"], .added: ["listedat"],
    ], scale: 10,
    adjust: { parsed, row, columns in
      if row.text("listed_at") != nil, parsed.watches.isEmpty, parsed.rating == nil {
        parsed.status = .planned
      }
      parsed.episodeTmdb = row.text("episode_tmdb_id").flatMap { TableReader.whole($0) }
      return true
    })

  /// BetaSeries: `episode` is the last one watched, `S00E00` for none, and `status` is a percentage.
  static let betaSeries = TableLayout(
    format: .csv, names: [.episode: [], .progress: ["episode"], .status: []], kind: .series,
    adjust: { parsed, row, _ in
      if row.text("archive") == "1" { parsed.status = .paused }
      if row.text("status").flatMap(Double.init) == 100, row.text("remaining") == "0" {
        parsed.status = .finished
      }
      return true
    })

  /// BetaSeries: films that were watched, or are to be.
  static let betaSeriesFilms = TableLayout(
    format: .csv, names: [.status: [], .watchedDate: ["date"]], kind: .film,
    adjust: { parsed, row, _ in
      guard row.text("status") != "1" else {
        parsed.isWatched = true
        return true
      }
      parsed.status = .planned
      parsed.watches = []
      parsed.isWatched = nil
      return true
    })

  /// Amazon Prime Video: every row was watched, at a time in milliseconds.
  static let primeVideo = TableLayout(
    format: .primevideo, names: [.watchedDate: ["datewatched"], .series: []], isHistory: true,
    adjust: { parsed, row, _ in
      guard let text = row.text("Episode Title") else { return true }
      let series = PartTitle(parsed.title, separators: [" - "])
      parsed.kind = .episode
      parsed.title = series.name
      parsed.season = series.season ?? 1
      let part = PartTitle.leading(text)
      parsed.episode = part.number
      parsed.episodeName = part.name
      if part.number == nil { parsed.season = nil }
      return true
    })

  /// MovieLens: five stars, the year within the title, and articles behind it.
  static let movieLens = TableLayout(
    format: .movielens, scale: 5, ratingMeansWatched: true,
    adjust: { parsed, _, _ in
      parsed.splitYear()
      for article in ["The", "A", "An", "La", "Le", "Les", "Der", "Die", "Das", "El", "Il"]
      where parsed.title.hasSuffix(", \(article)") {
        parsed.title = "\(article) \(parsed.title.dropLast(article.count + 2))"
        break
      }
      return true
    })

  /// Criticker: ratings out of a hundred.
  static let criticker = TableLayout(
    format: .csv, names: [.rating: ["score", "rating"]], scale: 100, ratingMeansWatched: true)

  /// The tables of programs that save what TV Time has: one of films, of series, of episodes or of all.
  static let tvTimeTable = TableLayout(
    format: .tvtime, names: [.added: ["createdat"], .progress: []],
    adjust: { parsed, row, columns in
      if parsed.kind != .episode, let word = row.text("status") {
        parsed.status = TVTimeImport.status(word)
      }
      // The id of an episode's row is the episode's own unless the column says otherwise.
      if parsed.kind == .episode, columns.name(.tvdbId).map(TableField.fold) == "tvdbid" {
        parsed.tvdb = nil
      }
      if let times = row.text("rewatch_count").flatMap({ TableReader.whole($0) }), times > 0,
        let first = parsed.watches.first
      {
        parsed.notes.append(
          "Watched \(times == 1 ? "once" : "\(times) times") more, on days that TV Time does not tell."
        )
        parsed.watches = [first]
      }
      return true
    })
}
