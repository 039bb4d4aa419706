public import SyncKit

extension WriteTransaction {
  /// Records that a film, or an episode of a series, was watched on a day.
  ///
  /// The event is one record for the day; the item or episode is marked as watched, and a series
  /// remembers where to go on. If it was watched before, the event is a rewatch unless stated.
  ///
  /// - Returns: The event, and whether it is a rewatch.
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` when there is no such item, `input.invalid`.
  @discardableResult
  public func watch(
    _ item: RecordKey, on day: Day, at moment: Int64? = nil, episode: EpisodeNumber? = nil,
    isRewatch stated: Bool? = nil, in library: LibraryView
  ) throws -> (key: RecordKey, isRewatch: Bool) {
    guard let record = try record(item), !record.isDeleted else {
      throw SyncError(.notFound, "There is no \(item).")
    }
    let earlier = library.watches(of: item).filter {
      $0[.season].int == episode?.season && $0[.number].int == episode?.number
    }
    let known = episode.flatMap { episode in
      library.episodes(of: item).first {
        $0[.season].int == episode.season && $0[.number].int == episode.number
      }
    }
    let today = earlier.first { $0[.date].string == day.description }
    let hasBeen =
      earlier.contains { ($0[.date].string ?? "") < day.description }
      || (earlier.isEmpty && (episode == nil ? record : known)?[.watched].bool == true)
    let isRewatch = stated ?? today?[.rewatch].bool ?? hasBeen
    var fields: [FieldName: Value] = [.date: .string(day.description), .rewatch: .bool(isRewatch)]
    if let moment { fields[.at] = .instant(moment) }
    if let episode {
      fields[.season] = .int(episode.season)
      fields[.number] = .int(episode.number)
    }
    let key = try save(RecordDraft(.watch, parent: item, fields: fields)).key
    let time = moment ?? day.milliseconds
    if let episode {
      try mark(episode, of: record, at: time, known)
    } else {
      try markAsWatched(record, at: time)
    }
    return (key, isRewatch)
  }

  /// Removes the watch event of a day, or all events without a day.
  ///
  /// - Returns: The number of removed events.
  @discardableResult
  public func unwatch(
    _ item: RecordKey, on day: Day? = nil, episode: EpisodeNumber? = nil, in library: LibraryView
  ) throws -> Int {
    let events = library.watches(of: item).filter {
      $0[.season].int == episode?.season && $0[.number].int == episode?.number
    }
    let gone = events.filter { day == nil || $0[.date].string == day?.description }
    for event in gone { try delete(event.key) }
    let last = events.filter { event in !gone.contains { $0.key == event.key } }.last
    let date = last.flatMap { $0[.at].instant ?? $0[.date].string.flatMap(Day.init)?.milliseconds }
    let viewing: [FieldName: Value] = [
      .watched: .bool(last != nil), .watchedDate: date.map { .instant($0) } ?? .null,
    ]
    if let episode {
      let known = library.episodes(of: item).first {
        $0[.season].int == episode.season && $0[.number].int == episode.number
      }
      if let known { try edit(known.key, viewing) }
    } else if gone.count > 0 || day == nil {
      try edit(item, viewing)
    }
    return gone.count
  }

  private func markAsWatched(_ item: Record, at time: Int64) throws {
    var fields: [FieldName: Value] = [
      .watched: true, .watchStatus: .int(WatchStatus.finished.rawValue),
    ]
    if time >= item[.watchedDate].instant ?? .min { fields[.watchedDate] = .instant(time) }
    try edit(item.key, fields)
    try edit(item.key, [.lastWatched: .instant(time)])
  }

  private func mark(
    _ episode: EpisodeNumber, of item: Record, at time: Int64, _ known: Record?
  ) throws {
    var fields: [FieldName: Value] = [
      .season: .int(episode.season), .number: .int(episode.number), .watched: true,
    ]
    if time >= known?[.watchedDate].instant ?? .min { fields[.watchedDate] = .instant(time) }
    try save(RecordDraft(.episode, parent: item.key, fields: fields))
    let current = EpisodeNumber(
      season: item[.currentSeason].int ?? 0, number: item[.currentEpisode].int ?? 0)
    var progress: [FieldName: Value] = [:]
    if episode.season > 0, current < episode {
      progress[.currentSeason] = .int(episode.season)
      progress[.currentEpisode] = .int(episode.number)
    }
    let status = item[.watchStatus].int
    if status == nil || status == WatchStatus.new.rawValue || status == WatchStatus.maybe.rawValue {
      progress[.watchStatus] = .int(WatchStatus.current.rawValue)
    }
    if !progress.isEmpty { try edit(item.key, progress) }
    try edit(item.key, [.lastWatched: .instant(time)])
  }
}

/// A person's progress with an item, by the number in files.
public enum WatchStatus: Int64, CaseIterable, Sendable {
  /// Being watched.
  case current = 0
  /// Not begun.
  case new
  /// Begun, and laid aside.
  case paused
  /// Perhaps to be watched.
  case maybe
  /// Watched to the end.
  case finished

  /// The state in a word.
  public var phrase: String { "\(self)" }
}
