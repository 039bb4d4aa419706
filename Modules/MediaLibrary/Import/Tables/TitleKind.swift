/// What a table says that a row is about.
enum TitleKind: Hashable {
  case film, series, season, episode
  /// What has no place in a list, such as a game; the word is that of the table.
  case other(String)

  /// Reads the word of a service, in its language; an unknown word is something else.
  init(_ word: String) {
    let folded = TitleKey(word).text.filter { $0 != " " }
    switch folded {
    case _ where Self.filmsWords.contains(folded): self = .film
    case _ where Self.seriesWords.contains(folded): self = .series
    case _ where Self.seasonsWords.contains(folded): self = .season
    case _ where Self.episodesWords.contains(folded): self = .episode
    default: self = .other(word.trimmed)
    }
  }

  /// The word for a count of rows.
  var word: String {
    switch self {
    case .film: "film"
    case .series: "series"
    case .season: "season"
    case .episode: "episode"
    case .other(let word): word
    }
  }

  private static let filmsWords: Set = [
    "movie", "movies", "film", "films", "feature", "featurefilm", "tvmovie", "tvfilm", "short",
    "shortfilm", "shortmovie", "video", "videomovie", "tvshort", "documentary", "documentaire",
    "dokumentarfilm", "dokumentation", "tvspecial", "musicvideo", "animatedmovie", "animemovie",
    "pelicula", "cortometraje", "cortometraggio", "filmetv", "filmtv", "filme", "filmes",
    "spielfilm", "kurzfilm", "fernsehfilm", "courtmetrage", "telefilm", "filmtelevise",
    "curtametragem", "elokuva", "фильм", "кино", "电影", "電影", "映画", "영화", "cinema",
  ]

  private static let seriesWords: Set = [
    "tv", "show", "shows", "series", "serie", "serien", "tvseries", "tvserie", "tvshow", "tvshows",
    "tvminiseries", "tvminiserie", "miniseries", "miniserie", "minisarja", "serietv", "seriestv",
    "miniserietv", "miniseriestv", "fernsehserie", "serietelevisee", "seriedetv",
    "seriedetelevision",
    "minissérie", "minissérietv", "minisserie", "serial", "tvsarja", "sarja", "anime", "animes",
    "animeseries", "ona", "ova", "сериал", "剧集", "电视剧", "劇集", "電視劇", "动画", "ドラマ", "アニメ",
    "드라마", "tvshowseries", "limitedseries", "webseries", "scriptedseries", "docuseries",
  ]

  private static let seasonsWords: Set = [
    "season", "tvseason", "staffel", "saison", "temporada", "stagione", "сезон", "季",
  ]

  private static let episodesWords: Set = [
    "episode", "episodes", "tvepisode", "folge", "episodio", "episodiotv", "episodioditv",
    "episodiodetv", "episodedeserietv", "episodetv", "aflevering", "afsnit", "avsnitt", "jakso",
    "odcinek", "серия", "эпизод", "集", "エピソード",
  ]
}
