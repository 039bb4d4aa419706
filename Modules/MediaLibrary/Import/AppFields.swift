import SyncKitFormats
import SyncKit

/// The fields of the app's files that have the same meaning as fields of records.
struct AppFields {
  private enum Kind { case text, int, double, flag, time, texts }
  private let fields: [(key: String, field: FieldName, kind: Kind)]

  /// The fields of a title besides its name, year, ids, rating and watch events.
  static let item = AppFields(fields: [
    ("overview", .overview, .text), ("posterPath", .posterPath, .text),
    ("backdropPath", .backdropPath, .text), ("runtime", .runtime, .int),
    ("watchStatus", .watchStatus, .int), ("lastWatched", .lastWatched, .time),
    ("currentSeason", .currentSeason, .int), ("currentEpisode", .currentEpisode, .int),
    ("numberOfSeasons", .numberOfSeasons, .int), ("numberOfEpisodes", .numberOfEpisodes, .int),
    ("mikeRating", .mikeRating, .double), ("lauraRating", .lauraRating, .double),
    ("voteAverage", .voteAverage, .double), ("voteCount", .voteCount, .int),
    ("isFavorite", .isFavorite, .flag), ("likedStatus", .likedStatus, .int),
    ("status", .status, .text), ("streamingService", .streamingService, .text),
    ("mediaCategory", .mediaCategory, .text), ("releaseDate", .releaseDate, .text),
    ("firstAirDate", .firstAirDate, .text), ("lastAirDate", .lastAirDate, .text),
    ("startDate", .startDate, .time), ("originalTitle", .originalTitle, .text),
    ("originalLanguage", .originalLanguage, .text), ("popularity", .popularity, .double),
    ("genres", .genres, .texts), ("customField1", .customField1, .text),
    ("customField2", .customField2, .text),
  ])

  /// The fields of an episode besides its numbers and watch events.
  static let episode = AppFields(fields: [
    ("tmdbId", .tmdbId, .int), ("name", .name, .text), ("overview", .overview, .text),
    ("stillPath", .stillPath, .text), ("airDate", .airDate, .text), ("runtime", .runtime, .int),
    ("isStarred", .isStarred, .flag),
  ])

  /// The values that an object has; those of another type, and empty texts, are left out.
  func values(of json: JSON, time: (JSON?) -> Int64?) -> [FieldName: Value] {
    var values: [FieldName: Value] = [:]
    for (key, field, kind) in fields {
      guard let member = json[key] else { continue }
      switch kind {
      case .text:
        if let text = Self.text(member, of: field), !text.isEmpty { values[field] = .string(text) }
      case .int: values[field] = member.int.map { .int($0) }
      case .double: values[field] = member.double.map { .double($0) }
      case .flag: values[field] = member.bool.map { .bool($0) }
      case .time: values[field] = time(member).map { .instant($0) }
      case .texts:
        if let texts = member.array?.compactMap(\.string), !texts.isEmpty {
          values[field] = .list(texts.map { .string($0) })
        }
      }
    }
    return values
  }

  /// A text; a day may also be a number of seconds since 2001, or a whole time.
  private static func text(_ json: JSON, of field: FieldName) -> String? {
    guard days.contains(field) else { return json.string }
    if let text = json.string { return DateText.day(text)?.description ?? text }
    return time(json).map { Day(milliseconds: $0).description }
  }

  private static let days: Set<FieldName> = [.releaseDate, .firstAirDate, .lastAirDate, .airDate]

  /// Milliseconds since 1970 of a time: RFC 3339, or seconds since 2001 as a number.
  ///
  /// The app writes both, depending on which part of it wrote the file.
  static func time(_ json: JSON?) -> Int64? {
    if let text = json?.string { return Timestamp.parse(text) }
    guard let seconds = json?.double, seconds.isFinite, abs(seconds) < 1e11 else { return nil }
    return Int64((seconds * 1_000).rounded()) + 978_307_200_000
  }
}
