/// What a column of a table can mean.
enum TableField: String, CaseIterable {
  case title, series, episodeName, year, mediaType, tmdbId, imdbId, tvdbId, traktId, letterboxdUri
  case list, rating, rating10, scale, ratedDate, watched, watchedDate, firstWatched, rewatch
  case season, episode, status, progress, runtime, directors, genres, tags, review, comment, note
  case originalTitle, overview, released, added, favorite, watchlisted

  /// The field that a person names for a map, in any case.
  init?(named text: String) {
    guard let field = Self.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() })
    else { return nil }
    self = field
  }

  /// The usual names of its column, folded, the most telling first.
  ///
  /// A person's own rating comes before a column that may be the public's.
  var names: [String] {
    switch self {
    case .title:
      [
        "title", "name", "movie", "film", "movietitle", "filmtitle", "moviename", "filmname",
        "titlename", "titel", "titre", "titulo", "titolo", "название", "标题", "片名", "タイトル", "제목",
      ]
    case .series:
      [
        "seriestitle", "seriesname", "showtitle", "showname", "tvshowname", "tvshow", "show",
        "series", "serie",
      ]
    case .episodeName: ["episodetitle", "episodename"]
    case .year: ["year", "releaseyear", "jahr", "annee", "ano", "anno", "год", "年份", "年"]
    case .mediaType:
      ["mediatype", "titletype", "itemtype", "type", "kind", "category", "typ", "tipo", "类型"]
    case .tmdbId: ["showtmdbid", "seriestmdbid", "tmdbid", "tmdb", "themoviedbid", "moviedbid"]
    case .imdbId: ["showimdbid", "seriesimdbid", "imdbid", "imdb", "imdburl", "const", "tconst"]
    case .tvdbId: ["showtvdbid", "seriestvdbid", "tvdbid", "tvdb", "thetvdbid"]
    case .traktId: ["traktid", "trakt"]
    case .letterboxdUri: ["letterboxduri", "letterboxdurl"]
    case .list: ["list", "listname"]
    case .rating:
      [
        "yourrating", "myrating", "userrating", "yourated", "myscore", "yourscore", "userscore",
        "usersrating", "meinebewertung", "我的评分", "rating", "score", "stars", "bewertung",
      ]
    case .rating10: ["rating10"]
    case .scale: ["scale"]
    case .ratedDate: ["daterated", "ratedat", "ratingdate", "rateddate"]
    case .watched: ["watched", "seen", "iswatched", "gesehen", "vu", "checked"]
    case .watchedDate:
      [
        "watcheddate", "watchedat", "datewatched", "watchdate", "lastwatchedat", "lastwatched",
        "lastwatcheddate", "dateseen", "seendate", "dateviewed", "seenon", "watchedon",
      ]
    case .firstWatched: ["firstwatchedat", "firstwatched"]
    case .rewatch: ["rewatch", "isrewatch"]
    case .season: ["season", "seasonnumber", "staffel", "saison", "temporada"]
    case .episode: ["episode", "episodenumber", "folge"]
    case .status: ["status", "liststatus", "watchstatus", "mystatus", "watchlist"]
    case .progress: ["progress", "lastepwatched", "lastepisode", "watchedepisodes"]
    case .runtime: ["runtime", "runtimemins", "runtimeminutes", "runtimemin"]
    case .directors: ["directors", "director"]
    case .genres: ["genres"]
    case .tags: ["tags"]
    case .review: ["review"]
    case .comment: ["comment", "description"]
    case .note: ["note", "notes", "memo"]
    case .originalTitle: ["originaltitle"]
    case .overview: ["overview"]
    case .released: ["releasedate", "released", "firstairdate"]
    case .added: ["addedat", "dateadded", "listedat", "added", "created", "createdat"]
    case .favorite: ["favorite", "isfavorite", "favourite", "liked"]
    case .watchlisted: ["iswatchlisted", "inwatchlist"]
    }
  }

  /// A column's name without case, spaces and signs: `Watched Date`, `watched_date`, `watchedDate`.
  static func fold(_ name: String) -> String { TitleKey(name).text.filter { $0 != " " } }
}

/// The columns of a table by what they mean.
struct TableColumns {
  /// The place of each column that is used.
  private(set) var places: [TableField: Int] = [:]
  let header: [String]

  /// Finds the columns by their usual names, those of a map first.
  init(_ header: [String], names: [TableField: [String]] = [:], map: [TableField: Int] = [:]) {
    self.header = header
    let folded = header.map { TableField.fold($0) }
    places = map
    var taken = Set(map.values)
    for field in TableField.allCases where places[field] == nil {
      for name in names[field] ?? field.names {
        guard let place = folded.firstIndex(of: name), !taken.contains(place) else { continue }
        places[field] = place
        taken.insert(place)
        break
      }
    }
    // A table of series alone calls the title by another name.
    if places[.title] == nil, let series = places[.series] {
      places[.title] = series
      places[.series] = nil
    }
  }

  subscript(field: TableField) -> Int? { places[field] }

  func has(_ field: TableField) -> Bool { places[field] != nil }

  /// The name of a field's column as it is written.
  func name(_ field: TableField) -> String? { places[field].map { header[$0] } }

  /// The columns that are read, as `title (Name)`.
  var used: [String] {
    places.sorted { $0.value < $1.value }.map { field, place in
      TableField.fold(header[place]) == field.rawValue.lowercased()
        ? field.rawValue : "\(field.rawValue) (\(header[place]))"
    }
  }

  /// The columns that are not read.
  var unused: [String] {
    let taken = Set(places.values)
    return header.enumerated().filter { !taken.contains($0.offset) && !$0.element.isEmpty }
      .map(\.element)
  }
}
