import SyncKitFormats
import SyncKit

/// TMDB's answers as fields of records.
enum TMDBFields {
  static func item(_ json: JSON, _ type: MediaID.MediaType) -> [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    let isFilm = type == .movie
    text(json[isFilm ? "original_title" : "original_name"], .originalTitle, &fields)
    text(json["original_language"], .originalLanguage, &fields)
    text(json["overview"], .overview, &fields)
    text(json["poster_path"], .posterPath, &fields)
    text(json["backdrop_path"], .backdropPath, &fields)
    text(json["status"], .status, &fields)
    let minutes = isFilm ? json["runtime"] : json["episode_run_time"]?[0]
    if let minutes = minutes?.int, (1...100_000).contains(minutes) {
      fields[.runtime] = .int(minutes)
    }
    for (key, field) in [("vote_average", FieldName.voteAverage), ("popularity", .popularity)] {
      if let number = json[key]?.double, number.isFinite { fields[field] = .double(number) }
    }
    for (key, field) in [
      ("vote_count", FieldName.voteCount), ("number_of_seasons", .numberOfSeasons),
      ("number_of_episodes", .numberOfEpisodes),
    ] {
      if let number = json[key]?.int, number >= 0 { fields[field] = .int(number) }
    }
    let genres = (json["genres"]?.array ?? []).compactMap { $0["name"]?.string }
    if !genres.isEmpty { fields[.genres] = .list(genres.map { .string($0) }) }
    if let imdb = json["imdb_id"]?.string, IMDbID.isOne(imdb) { fields[.imdbId] = .string(imdb) }
    day(json["release_date"], .releaseDate, &fields)
    day(json["first_air_date"], .firstAirDate, &fields)
    day(json["last_air_date"], .lastAirDate, &fields)
    let first = (fields[.releaseDate] ?? fields[.firstAirDate])?.string.flatMap(Day.init)
    if let first { fields[.year] = .int(Int64(first.year)) }
    return fields
  }

  static func episode(_ json: JSON) -> [FieldName: Value]? {
    guard let season = json["season_number"]?.int, (0...100_000).contains(season),
      let number = json["episode_number"]?.int, (0...100_000).contains(number)
    else { return nil }
    var fields: [FieldName: Value] = [.season: .int(season), .number: .int(number)]
    text(json["name"], .name, &fields)
    text(json["overview"], .overview, &fields)
    text(json["still_path"], .stillPath, &fields)
    day(json["air_date"], .airDate, &fields)
    if let minutes = json["runtime"]?.int, (1...100_000).contains(minutes) {
      fields[.runtime] = .int(minutes)
    }
    if let id = json["id"]?.int, id > 0 { fields[.tmdbId] = .int(id) }
    return fields
  }

  private static func text(_ json: JSON?, _ field: FieldName, _ fields: inout [FieldName: Value]) {
    if let text = json?.string, !text.isEmpty { fields[field] = .string(text) }
  }

  private static func day(_ json: JSON?, _ field: FieldName, _ fields: inout [FieldName: Value]) {
    if let day = json?.string.flatMap(Day.init) { fields[field] = .string(day.description) }
  }
}

extension WriteTransaction {
  /// Fills in the missing details of an item and its episodes; existing values stay.
  public func fill(
    _ item: RecordKey, _ details: [FieldName: Value], episodes: [[FieldName: Value]] = [],
    in library: LibraryView
  ) throws {
    guard let record = try record(item), !record.isDeleted else {
      throw SyncError(.notFound, "There is no \(item).")
    }
    let missing = details.filter { record[$0.key].isNull }
    if !missing.isEmpty { try edit(item, missing) }
    for fields in episodes {
      guard let season = fields[.season]?.int, let number = fields[.number]?.int else { continue }
      let id = MediaID.episode(of: item.id, season: season, number: number)
      let known = library.detail(RecordKey(zone: item.zone, collection: .episode, id: id))
      var draft = fields.filter { known?[$0.key].isNull ?? true }
      draft[.season] = .int(season)
      draft[.number] = .int(number)
      try save(RecordDraft(.episode, id: id, parent: item, fields: draft))
    }
  }
}
