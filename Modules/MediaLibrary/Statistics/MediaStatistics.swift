import SyncKit

/// Viewings and ratings over all lists: a title in several lists counts once.
public struct MediaStatistics: Sendable {
  /// One viewing.
  public struct Event: Sendable, Hashable {
    /// The day.
    public let day: Day
    /// The title.
    public let title: String
    /// Whether it is a film or a series.
    public let type: MediaID.MediaType
    /// The episode of a series.
    public let episode: EpisodeNumber?
    /// Whether it was watched before.
    public let isRewatch: Bool
    /// Minutes; nil when unknown.
    public let minutes: Int64?
  }

  /// The number of films and of series in the lists.
  public private(set) var films = 0
  /// How many series.
  public private(set) var series = 0
  /// The number of watched films.
  public private(set) var watchedFilms = 0
  /// All viewings, in the order of the days.
  public private(set) var events: [Event] = []
  /// The ratings on a scale of ten.
  public private(set) var ratings: [(title: String, rating: Double)] = []
  /// How often each genre was watched, the most frequent first.
  public private(set) var genres: [(name: String, count: Int)] = []

  /// Counts the content of the lists; with a year only the viewings in it.
  ///
  /// A title marked as watched on a day without an event counts as a viewing.
  public init(_ library: LibraryView, year: Int? = nil) {
    self.init(library, TitleGroups(library), year: year)
  }

  /// Counts the content of the lists whose titles are grouped already.
  public init(_ library: LibraryView, _ titles: TitleGroups, year: Int? = nil) {
    var byGenre: [String: Int] = [:]
    for group in titles.groups {
      let found = count(group, library, year)
      guard found > 0,
        case .list(let names)? = group.lazy.map({ $0[.genres] }).first(where: { !$0.isNull })
      else { continue }
      for name in names.compactMap(\.string) { byGenre[name, default: 0] += found }
    }
    events.sort {
      ($0.day, $0.title, $0.episode ?? EpisodeNumber(season: 0, number: 0))
        < ($1.day, $1.title, $1.episode ?? EpisodeNumber(season: 0, number: 0))
    }
    ratings.sort { ($1.rating, $0.title) < ($0.rating, $1.title) }
    genres = byGenre.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Minutes of all events whose length is known.
  public var minutes: Int64 { events.reduce(0) { $0 &+ ($1.minutes ?? 0) } }
  /// The number of rewatches.
  public var rewatches: Int { events.count(where: \.isRewatch) }
  /// The mean rating; nil without ratings.
  public var meanRating: Double? {
    ratings.isEmpty ? nil : ratings.reduce(0) { $0 + $1.rating } / Double(ratings.count)
  }
  /// The number of events in each month, from January.
  public var months: [Int] {
    var counts = [Int](repeating: 0, count: 12)
    for event in events where (1...12).contains(event.day.month) {
      counts[event.day.month - 1] += 1
    }
    return counts
  }
  /// The number of ratings at each whole point, from 1 to 10; halves are rounded up.
  public var histogram: [Int] {
    var counts = [Int](repeating: 0, count: 10)
    for rating in ratings {
      let point = min(max(Int((rating.rating).rounded(.toNearestOrAwayFromZero)), 1), 10)
      counts[point - 1] += 1
    }
    return counts
  }

  /// Adds one title, which several lists may have; returns how many of its events count.
  private mutating func count(_ group: [Record], _ library: LibraryView, _ year: Int?) -> Int {
    guard let first = group.first else { return 0 }
    let title = first[.title].string ?? ""
    let type = MediaID.MediaType(rawValue: first[.mediaType].string ?? "") ?? .movie
    if type == .movie { films += 1 } else { series += 1 }
    let isWatched = group.contains { $0[.watched].bool == true }
    if isWatched, type == .movie { watchedFilms += 1 }
    var found: [Event] = []
    var seen: Set<String> = []
    for item in group {
      var viewings: [String: Int] = [:]
      for watch in library.watches(of: item.key) {
        guard let day = watch[.date].string.flatMap(Day.init) else { continue }
        var episode: EpisodeNumber?
        if let season = watch[.season].int, let number = watch[.number].int {
          episode = EpisodeNumber(season: season, number: number)
        }
        let name = "\(day) \(episode.map { "\($0)" } ?? watch[.name].string ?? "")"
        // A title may be seen twice on a day, and be in two lists.
        viewings[name, default: 0] += 1
        guard seen.insert("\(name) \(viewings[name] ?? 1)").inserted else { continue }
        let length = episode.flatMap { episode in
          library.detail(
            RecordKey(
              zone: item.key.zone, collection: .episode,
              id: MediaID.episode(of: item.key.id, season: episode.season, number: episode.number))
          )?[.runtime].int
        }
        found.append(
          Event(
            day: day, title: title, type: type, episode: episode,
            isRewatch: watch[.rewatch].bool ?? false, minutes: length ?? item[.runtime].int))
      }
    }
    if found.isEmpty, let date = group.lazy.compactMap({ $0[.watchedDate].instant }).first {
      found = [
        Event(
          day: Day(milliseconds: date), title: title, type: type, episode: nil, isRewatch: false,
          minutes: first[.runtime].int)
      ]
    }
    let counted = found.filter { year == nil || $0.day.year == year }
    events += counted
    if year == nil || !counted.isEmpty, let rating = group.lazy.compactMap({ Rating($0) }).first {
      ratings.append((title, rating.ofTen))
    }
    return counted.count
  }
}
