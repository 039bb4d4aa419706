public import SyncKit

/// What to watch next: the next episode of each series in progress, then unwatched titles.
public struct NextUp: Sendable {
  /// One suggestion.
  public struct Proposal: Sendable {
    /// The film or series.
    public let item: Record
    /// The episode; nil for a film.
    public let episode: EpisodeNumber?
    /// The record of the episode, if there is one.
    public let record: Record?
    /// The reason, as a clause.
    public let reason: String
  }

  /// The best first.
  public let proposals: [Proposal]

  /// Looks through the lists, or one of them; titles released after the day are left out.
  ///
  /// Series in progress come first, the last watched at the top; then new and unwatched titles, in the
  /// order of the lists. Paused, finished and maybe titles are left out.
  public init(_ library: LibraryView, in list: RecordKey? = nil, today: Day) {
    var running: [(Proposal, Int64)] = []
    var waiting: [Proposal] = []
    for item in list.map({ library.items(of: $0) }) ?? library.items {
      let status = item[.watchStatus].int ?? WatchStatus.new.rawValue
      guard status == WatchStatus.current.rawValue || status == WatchStatus.new.rawValue else {
        continue
      }
      if item[.mediaType].string == MediaID.MediaType.tv.rawValue {
        guard let (episode, record) = Self.nextEpisode(of: item, library, today) else { continue }
        let isUnderWay = !Self.watched(item, library).isEmpty
        let proposal = Proposal(
          item: item, episode: episode, record: record,
          reason: isUnderWay ? "in progress" : "not started yet")
        if isUnderWay {
          running.append((proposal, item[.lastWatched].instant ?? item.modified))
        } else {
          waiting.append(proposal)
        }
      } else if item[.watched].bool != true, Self.isOut(item[.releaseDate].string, today) {
        waiting.append(Proposal(item: item, episode: nil, record: nil, reason: "not watched yet"))
      }
    }
    proposals =
      running.sorted { ($1.1, $0.0.item.key.id) < ($0.1, $1.0.item.key.id) }.map(\.0) + waiting
  }

  /// The first episode after the last one watched; specials only when there are no others.
  private static func nextEpisode(
    of item: Record, _ library: LibraryView, _ today: Day
  ) -> (EpisodeNumber, Record?)? {
    let seen = watched(item, library)
    let episodes = library.episodes(of: item.key).compactMap { record -> (EpisodeNumber, Record)? in
      guard let season = record[.season].int, let number = record[.number].int, season > 0
      else { return nil }
      return (EpisodeNumber(season: season, number: number), record)
    }
    let last = seen.filter { $0.season > 0 }.max()
    if let next = episodes.first(where: { pair in
      !seen.contains(pair.0) && last.map { $0 < pair.0 } ?? true
    }) {
      return isOut(next.1[.airDate].string, today) ? next : nil
    }
    guard let last else {
      return episodes.isEmpty ? (EpisodeNumber(season: 1, number: 1), nil) : nil
    }
    // Where the list of episodes ends, a known total tells whether there is more to come.
    let total = item[.numberOfEpisodes].int
    if let total, Int64(seen.count { $0.season > 0 }) >= total { return nil }
    let isListed = episodes.contains { !seen.contains($0.0) } || episodes.count > seen.count
    if isListed || item[.status].string == "Ended", total == nil { return nil }
    return (EpisodeNumber(season: last.season, number: last.number + 1), nil)
  }

  private static func watched(_ item: Record, _ library: LibraryView) -> Set<EpisodeNumber> {
    var seen: Set<EpisodeNumber> = []
    for record in library.episodes(of: item.key) where record[.watched].bool == true {
      if let season = record[.season].int, let number = record[.number].int {
        seen.insert(EpisodeNumber(season: season, number: number))
      }
    }
    for record in library.watches(of: item.key) {
      if let season = record[.season].int, let number = record[.number].int {
        seen.insert(EpisodeNumber(season: season, number: number))
      }
    }
    if let season = item[.currentSeason].int, let number = item[.currentEpisode].int, seen.isEmpty,
      item[.lastWatched].instant != nil
    {
      seen.insert(EpisodeNumber(season: season, number: number))
    }
    return seen
  }

  private static func isOut(_ date: String?, _ today: Day) -> Bool {
    date.flatMap(Day.init).map { $0 <= today } ?? true
  }
}
