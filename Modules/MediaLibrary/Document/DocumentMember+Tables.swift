import SyncKit

extension DocumentMember {
  /// The keys that every record has.
  static let common: Set<FieldName> = [
    "id", "createdAt", "updatedAt", "deleted", "deletedAt", "deviceID",
  ]

  static func members(of collection: CollectionName) -> [DocumentMember] {
    switch collection {
    case .list: list
    case .item: item
    case .episode: episode
    case .note: note
    default: []
    }
  }

  private static let list = [
    DocumentMember("name", .text, unset: ""),
    DocumentMember("order", .position, unset: 0),
  ]

  private static let item = [
    DocumentMember("tmdbId", .count, unset: 0),
    DocumentMember("mediaType", .text),
    DocumentMember("title", .text, unset: ""),
    DocumentMember("year", .count, unset: 0),
    DocumentMember("overview", .text),
    DocumentMember("posterPath", .text),
    DocumentMember("backdropPath", .text),
    DocumentMember("runtime", .count, unset: 0),
    DocumentMember("watched", .flag, unset: false),
    DocumentMember("watchedDate", .time, unset: .null),
    DocumentMember("watchStatus", .whole, unset: 1),
    DocumentMember("lastWatched", .time),
    DocumentMember("currentSeason", .whole, unset: 1),
    DocumentMember("currentEpisode", .whole, unset: 1),
    DocumentMember("numberOfSeasons", .whole, unset: 0),
    DocumentMember("numberOfEpisodes", .whole, unset: 0),
    DocumentMember("rating", .rating, unset: .null, twin: "userRating"),
    DocumentMember("userRating", .rating, of: .rating, unset: .null, twin: "rating"),
    DocumentMember("mikeRating", .number),
    DocumentMember("lauraRating", .number),
    DocumentMember("voteAverage", .number),
    DocumentMember("voteCount", .whole, unset: 0),
    DocumentMember("popularity", .number),
    DocumentMember("isFavorite", .flag, unset: false),
    DocumentMember("likedStatus", .whole, unset: 0),
    DocumentMember("status", .text),
    DocumentMember("streamingService", .text),
    DocumentMember("mediaCategory", .text),
    DocumentMember("releaseDate", .day),
    DocumentMember("firstAirDate", .day),
    DocumentMember("lastAirDate", .day),
    DocumentMember("startDate", .time),
    DocumentMember("originalTitle", .text),
    DocumentMember("originalLanguage", .text),
    DocumentMember("imdbId", .text),
    DocumentMember("genres", .texts),
    DocumentMember("customField1", .text),
    DocumentMember("customField2", .text),
    DocumentMember("order", .position, unset: 0),
  ]

  private static let episode = [
    DocumentMember("tmdbId", .count, unset: 0),
    DocumentMember("seasonNumber", .whole, of: .season),
    DocumentMember("episodeNumber", .whole, of: .number),
    DocumentMember("name", .text, unset: ""),
    DocumentMember("overview", .text),
    DocumentMember("stillPath", .text),
    DocumentMember("airDate", .day),
    DocumentMember("runtime", .count, unset: 0),
    DocumentMember("watched", .flag, unset: false),
    DocumentMember("watchedDate", .time, unset: .null),
    DocumentMember("isStarred", .flag, unset: false),
  ]

  private static let note = [DocumentMember("text", .text, unset: "")]
}
