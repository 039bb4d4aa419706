import SyncKit

/// Finds a title among the items of a list: by its ids, then by title and year.
///
/// TMDB, Trakt and TVDB number films and series separately, so their ids count only with the type.
struct TitleIndex {
  /// The result of a search.
  enum Answer: Equatable {
    /// This one.
    case same(Int)
    /// Maybe one of these: the years differ or are missing, or several match.
    case doubtful([Int])
    case none
  }

  private(set) var identities: [TitleIdentity] = []
  private var byID: [ID: Int] = [:]
  private var byTitle: [Title: [Int]] = [:]

  private enum ID: Hashable {
    case tmdb(MediaID.MediaType, Int64)
    case trakt(MediaID.MediaType, Int64)
    case tvdb(MediaID.MediaType, Int64)
    case imdb(String)
    case letterboxd(String)
  }
  private struct Title: Hashable {
    var type: MediaID.MediaType
    var key: TitleKey
  }

  init(_ identities: some Sequence<TitleIdentity> = []) {
    for identity in identities { add(identity) }
  }

  /// Adds a title; its place is the number of those before it.
  mutating func add(_ identity: TitleIdentity) {
    identities.append(identity)
    learn(identity, at: identities.count - 1)
    byTitle[Title(type: identity.type, key: identity.key), default: []]
      .append(identities.count - 1)
  }

  /// Adds missing ids to a known title.
  mutating func learn(_ identity: TitleIdentity, at index: Int) {
    for id in Self.ids(identity) where byID[id] == nil { byID[id] = index }
    guard identities.indices.contains(index) else { return }
    identities[index].learn(identity)
  }

  /// Whether a title is known for certain.
  func has(_ identity: TitleIdentity) -> Bool {
    if case .same = find(identity) { return true }
    return false
  }

  /// Finds the known title that is the same.
  func find(_ identity: TitleIdentity) -> Answer {
    for id in Self.ids(identity) {
      if let index = byID[id] { return .same(index) }
    }
    guard !identity.key.text.isEmpty else { return .none }
    let named = (byTitle[Title(type: identity.type, key: identity.key)] ?? [])
      .filter { !identities[$0].contradicts(identity) }
    if let year = identity.year {
      let exact = named.filter { identities[$0].year == year }
      if exact.count == 1 { return .same(exact[0]) }
      if exact.count > 1 { return .doubtful(exact) }
    } else if named.count == 1, identities[named[0]].year == nil {
      return .same(named[0])
    }
    let close = named.filter { index in
      guard let year = identity.year, let other = identities[index].year else { return true }
      return abs(year - other) <= 1
    }
    return close.isEmpty ? .none : .doubtful(close)
  }

  private static func ids(_ identity: TitleIdentity) -> [ID] {
    [
      identity.tmdb.map { .tmdb(identity.type, $0) }, identity.imdb.map { .imdb($0) },
      identity.trakt.map { .trakt(identity.type, $0) },
      identity.tvdb.map { .tvdb(identity.type, $0) },
      identity.letterboxd.map { .letterboxd($0) },
    ].compactMap { $0 }
  }
}
