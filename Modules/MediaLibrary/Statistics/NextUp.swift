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
  /// A title in several lists is proposed once, and what is said of it in any of them counts.
  ///
  /// Series in progress come first, the last watched at the top; then new and unwatched titles, in the
  /// order of the lists. Paused, finished and maybe titles are left out.
  public init(_ library: LibraryView, in list: RecordKey? = nil, today: Day) {
    self.init(library, TitleGroups(library), in: list, today: today)
  }

  /// Looks through the lists whose titles are grouped already.
  public init(
    _ library: LibraryView, _ titles: TitleGroups, in list: RecordKey? = nil, today: Day
  ) {
    var running: [(Proposal, Int64)] = []
    var waiting: [Proposal] = []
    var done: Set<RecordKey> = []
    for found in list.map({ library.items(of: $0) }) ?? library.items {
      let copies = titles.group(of: found)
      guard let lead = copies.first, done.insert(lead.key).inserted else { continue }
      let item = list == nil ? lead : found
      let status =
        copies.lazy.compactMap { $0[.watchStatus].int }.first ?? WatchStatus.new.rawValue
      guard status == WatchStatus.current.rawValue || status == WatchStatus.new.rawValue else {
        continue
      }
      if item[.mediaType].string == MediaID.MediaType.tv.rawValue {
        guard let (episode, record) = Self.nextEpisode(of: copies, library, today) else { continue }
        let isUnderWay = copies.contains { !Self.watched($0, library).isEmpty }
        let proposal = Proposal(
          item: item, episode: episode, record: record,
          reason: isUnderWay ? "in progress" : "not started yet")
        if isUnderWay {
          let last = copies.compactMap { $0[.lastWatched].instant }.max()
          running.append((proposal, last ?? lead.modified))
        } else {
          waiting.append(proposal)
        }
      } else if copies.allSatisfy({ $0[.watched].bool != true }),
        Self.isOut(item[.releaseDate].string, today)
      {
        waiting.append(Proposal(item: item, episode: nil, record: nil, reason: "not watched yet"))
      }
    }
    proposals =
      running.sorted { ($1.1, $0.0.item.key.id) < ($0.1, $1.0.item.key.id) }.map(\.0) + waiting
  }

  /// The first episode after the last one watched; specials only when there are no others.
  private static func nextEpisode(
    of copies: [Record], _ library: LibraryView, _ today: Day
  ) -> (EpisodeNumber, Record?)? {
    let seen = copies.reduce(into: Set()) { $0.formUnion(watched($1, library)) }
    var listed: [EpisodeNumber: Record] = [:]
    for record in copies.flatMap({ library.episodes(of: $0.key) }) {
      guard let season = record[.season].int, let number = record[.number].int, season > 0
      else { continue }
      let name = EpisodeNumber(season: season, number: number)
      if listed[name]?[.name].string == nil { listed[name] = record }
    }
    let episodes = listed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
    let total = copies.lazy.compactMap { $0[.numberOfEpisodes].int }.first
    if let total, Int64(seen.count { $0.season > 0 }) >= total { return nil }
    let isListed = episodes.contains { !seen.contains($0.0) } || episodes.count > seen.count
    let isOver = copies.contains { $0[.status].string == "Ended" }
    if isListed || isOver, total == nil { return nil }
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
