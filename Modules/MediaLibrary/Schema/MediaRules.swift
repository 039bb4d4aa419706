import SyncKitFormats
import SyncKit

/// The limits of fields and what follows from them, for writes and imports alike.
enum MediaRules {
  /// Refuses values beyond their limits and trims names.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` that names the field.
  static func normalize(_ fields: inout [FieldName: Value], of collection: CollectionName) throws {
    for (name, value) in fields {
      fields[name] = try normalized(value, of: name, in: collection)
    }
  }

  private static func normalized(
    _ value: Value, of name: FieldName, in collection: CollectionName
  ) throws -> Value {
    switch (collection, name, value) {
    case (.list, .name, .string(let text)):
      return .string(try Self.text(text, name, upTo: longestName))
    case (.list, .name, .null), (.item, .title, .null), (.note, .noteText, .null),
      (.privateNote, .noteText, .null):
      throw problem(name, "a \(collection) needs it", hint: "remove the \(collection) instead")
    case (.item, .title, .string(let text)):
      return .string(try Self.text(text, name, upTo: longestTitle))
    case (.note, .noteText, .string(let text)), (.privateNote, .noteText, .string(let text)):
      guard (1...longestNote).contains(text.count) else {
        throw problem(name, "a note must have 1 to 10,000 characters")
      }
    case (.item, .mediaType, .string(let text)):
      guard let type = MediaID.MediaType(rawValue: text.lowercased()) else {
        throw problem(name, "it must be movie or tv")
      }
      return .string(type.rawValue)
    case (.item, .mediaType, .null): throw problem(name, "it must be movie or tv")
    case (.item, .watchStatus, .int(let status)): try check(status, name, 0...4)
    case (.item, .likedStatus, .int(let status)): try check(status, name, -1...1)
    case (.item, .year, .int(let year)): try check(year, name, 1800...2999)
    case (.item, .runtime, .int(let minutes)), (.episode, .runtime, .int(let minutes)):
      try check(minutes, name, 0...100_000)
    case (_, .scale, .int(let scale)): try check(scale, name, 1...100)
    case (_, .season, .int(let number)), (_, .number, .int(let number)):
      try check(number, name, 0...100_000)
    case (_, .tmdbId, .int(let number)): try check(number, name, 1...Int64.max)
    case (.item, .imdbId, .string(let text)):
      guard IMDbID.isOne(text) else { throw problem(name, "an IMDb id looks like tt0133093") }
    case (_, .order, .string(let text)):
      guard OrderKey(text) != nil else { throw problem(name, "it is not an order key") }
    case (.watch, .date, .string(let text)):
      guard Day(text) != nil else { throw problem(name, "it must be a date such as 2026-11-21") }
    case (.watch, .date, .null): throw problem(name, "an event needs a date")
    case (.privateNote, .about, .string(let text)):
      guard text.hasPrefix("item/") || text.hasPrefix("episode/") else {
        throw problem(name, "it must be item/ID or episode/ID")
      }
    default: break
    }
    return value
  }

  /// The id that follows from a new record's content; nil when none does.
  static func id(of draft: RecordDraft) throws -> RecordID? {
    switch draft.collection {
    case .item:
      guard let list = draft.parent?.id,
        let type = MediaID.MediaType(rawValue: draft.fields[.mediaType]?.string ?? "movie")
      else { return nil }
      return MediaID.item(
        in: list, type: type, tmdb: draft.fields[.tmdbId]?.int,
        imdb: draft.fields[.imdbId]?.string)
    case .episode:
      guard let item = draft.parent?.id, let season = draft.fields[.season]?.int,
        let number = draft.fields[.number]?.int
      else { return nil }
      return MediaID.episode(of: item, season: season, number: number)
    case .watch:
      guard let item = draft.parent?.id, let date = draft.fields[.date]?.string else { return nil }
      return MediaID.watch(of: item, on: date, episode: episode(of: draft))
    default: return nil
    }
  }

  private static func episode(of draft: RecordDraft) -> (season: Int64, number: Int64)? {
    guard let season = draft.fields[.season]?.int, let number = draft.fields[.number]?.int
    else { return nil }
    return (season, number)
  }

  /// Adds fields that follow from others, and refuses a new record without a required field.
  static func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    if record == nil {
      if draft.collection == .item, draft.fields[.mediaType] == nil {
        draft.fields[.mediaType] = .string(MediaID.MediaType.movie.rawValue)
      }
      for name in needed[draft.collection] ?? [] where draft.fields[name] == nil {
        throw problem(name, "a new \(draft.collection) needs it")
      }
    }
    try completeRating(&draft, over: record)
    completeViewing(&draft)
    keepEarliestCreation(&draft, over: record)
  }

  private static let needed: [CollectionName: [FieldName]] = [
    .list: [.name], .item: [.title], .watch: [.date], .episode: [.season, .number],
    .note: [.noteText], .privateNote: [.noteText, .about],
  ]

  /// A rating has a scale and is within it; without a rating there is neither.
  private static func completeRating(_ draft: inout RecordDraft, over record: Record?) throws {
    guard
      let rating = draft.fields[.rating] ?? (draft.fields[.scale] != nil ? record?[.rating] : nil)
    else { return }
    guard let value = rating.number else {
      draft.fields[.scale] = .null
      if draft.collection != .watch { draft.fields[.ratedDate] = .null }
      return
    }
    let stated = draft.fields[.scale]?.int
    let scale = stated ?? record?[.scale].int ?? 10
    guard value.isFinite, (0...Double(scale)).contains(value) else {
      throw problem(.rating, "it must be between 0 and its scale, which is \(scale)")
    }
    draft.fields[.scale] = .int(scale)
    if draft.fields[.rating] != nil { draft.fields[.rating] = .double(value) }
  }

  /// A title watched on a day is watched; an unwatched one has no day.
  private static func completeViewing(_ draft: inout RecordDraft) {
    guard draft.collection == .item || draft.collection == .episode else { return }
    if draft.fields[.watched] == nil, draft.fields[.watchedDate]?.instant != nil {
      draft.fields[.watched] = true
    }
    if draft.fields[.watched]?.bool == false { draft.fields[.watchedDate] = .null }
  }

  /// Drops a creation time that is not earlier than the record's own.
  private static func keepEarliestCreation(_ draft: inout RecordDraft, over record: Record?) {
    guard let created = draft.fields[.created]?.instant else { return }
    let known = record.map { min($0.created, $0[.created].instant ?? .max) } ?? draft.at
    if let known, created >= known { draft.fields[.created] = nil }
  }

  // MARK: Limits

  static let longestName = 100
  static let longestNote = 10_000
  static let longestTitle = 1_000

  private static func text(_ text: String, _ name: FieldName, upTo limit: Int) throws -> String {
    let trimmed = text.trimmed
    guard (1...limit).contains(trimmed.count) else {
      throw problem(name, "it must have 1 to \(limit) characters")
    }
    return trimmed
  }

  private static func check(_ number: Int64, _ name: FieldName, _ range: ClosedRange<Int64>) throws
  {
    guard range.contains(number) else {
      throw problem(name, "it must be between \(range.lowerBound) and \(range.upperBound)")
    }
  }

  private static func problem(_ name: FieldName, _ reason: String, hint: String? = nil) -> SyncError
  {
    SyncError(.inputInvalid, "the field '\(name)' is invalid: \(reason)", hint: hint)
  }
}

extension Value {
  /// The number, whole or not.
  var number: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }
}
