public import SyncKit

/// The identity of a film or series: its ids, else its title and year.
public struct TitleIdentity: Hashable, Sendable {
  /// Whether it is a film or a series.
  public var type: MediaID.MediaType
  /// Its number at The Movie Database.
  public var tmdb: Int64?
  /// Its id at IMDb, such as `tt0087182`.
  public var imdb: String?
  /// Its number at Trakt.
  public var trakt: Int64?
  /// Its number at TheTVDB.
  public var tvdb: Int64?
  /// Its id at Letterboxd.
  public var letterboxd: String?
  /// The year of the first release.
  public var year: Int64?
  /// The title in the form for comparing.
  let key: TitleKey

  /// Describes a title.
  public init(
    _ type: MediaID.MediaType, title: String, year: Int64? = nil, tmdb: Int64? = nil,
    imdb: String? = nil, trakt: Int64? = nil, tvdb: Int64? = nil, letterboxd: String? = nil
  ) {
    self.type = type
    self.year = year
    self.tmdb = tmdb
    self.imdb = imdb
    self.trakt = trakt
    self.tvdb = tvdb
    self.letterboxd = letterboxd
    key = TitleKey(title)
  }

  /// Reads an item.
  public init(_ item: Record) {
    self.init(
      MediaID.MediaType(rawValue: item[.mediaType].string ?? "") ?? .movie,
      title: item[.title].string ?? "", year: item[.year].int, tmdb: item[.tmdbId].int,
      imdb: item[.imdbId].string, trakt: item[.traktId].int, tvdb: item[.tvdbId].int,
      letterboxd: item[.letterboxdUri].string)
  }

  /// The id of an item of this title in a list.
  ///
  /// Two titles of one name and year have one id unless TMDB or IMDb tells them apart; the other one
  /// gets an id that also follows from what distinguishes it.
  func item(in list: RecordID, isSecond: Bool = false) -> RecordID {
    MediaID.item(in: list, type: type, tmdb: tmdb, imdb: imdb)
      ?? MediaID.item(
        in: list, type: type, title: key.text, year: year,
        distinguished: isSecond ? distinction : nil)
  }

  /// What tells it from another title of the same name and year; nil when nothing does.
  var distinction: String? {
    letterboxd ?? trakt.map { "trakt \($0)" } ?? tvdb.map { "tvdb \($0)" }
  }

  /// The ids as fields.
  var fields: [FieldName: Value] {
    var fields: [FieldName: Value] = [.mediaType: .string(type.rawValue)]
    if let year { fields[.year] = .int(year) }
    if let tmdb { fields[.tmdbId] = .int(tmdb) }
    if let imdb { fields[.imdbId] = .string(imdb) }
    if let trakt { fields[.traktId] = .int(trakt) }
    if let tvdb { fields[.tvdbId] = .int(tvdb) }
    if let letterboxd { fields[.letterboxdUri] = .string(letterboxd) }
    return fields
  }

  /// Adds what only the other one knows of the same title.
  mutating func learn(_ other: TitleIdentity) {
    tmdb = tmdb ?? other.tmdb
    imdb = imdb ?? other.imdb
    trakt = trakt ?? other.trakt
    tvdb = tvdb ?? other.tvdb
    letterboxd = letterboxd ?? other.letterboxd
    year = year ?? other.year
  }

  /// Whether the ids show that they are different.
  func contradicts(_ other: TitleIdentity) -> Bool {
    func differ<T: Equatable>(_ left: T?, _ right: T?) -> Bool {
      if let left, let right { return left != right }
      return false
    }
    return type != other.type || differ(tmdb, other.tmdb) || differ(imdb, other.imdb)
      || differ(trakt, other.trakt) || differ(tvdb, other.tvdb)
      || LetterboxdAddress.differ(letterboxd, other.letterboxd)
  }
}
