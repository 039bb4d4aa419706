public import SyncKit

/// The items for a person to review: those that may be the same, and those without an id.
public struct MatchReview: Sendable {
  /// Two items of a list that may be one.
  public struct Pair: Sendable {
    /// One of the two.
    public let first: Record
    /// The other one.
    public let second: Record
    /// Why they may be one, as a clause.
    public let reason: String
  }

  /// Pairs, list after list.
  public let pairs: [Pair]
  /// Items without an id at TMDB or IMDb, list after list.
  public let unidentified: [Record]

  /// Looks through the lists, or one of them.
  public init(_ library: LibraryView, in list: RecordKey? = nil) {
    var pairs: [Pair] = []
    var unidentified: [Record] = []
    for list in list.map({ [$0] }) ?? library.lists.map(\.key) {
      let items = library.items(of: list)
      unidentified += items.filter { $0[.tmdbId].isNull && $0[.imdbId].isNull }
      var groups: [TitleKey: [Record]] = [:]
      for item in items { groups[TitleIdentity(item).key, default: []].append(item) }
      for item in items {
        let others = groups.removeValue(forKey: TitleIdentity(item).key) ?? []
        guard others.count > 1, !TitleIdentity(item).key.text.isEmpty else { continue }
        for (place, first) in others.enumerated() {
          for second in others.dropFirst(place + 1) {
            if let reason = Self.reason(first, second) {
              pairs.append(Pair(first: first, second: second, reason: reason))
            }
          }
        }
      }
    }
    self.pairs = pairs
    self.unidentified = unidentified
  }

  private static func reason(_ first: Record, _ second: Record) -> String? {
    let (left, right) = (TitleIdentity(first), TitleIdentity(second))
    guard !left.contradicts(right) else { return nil }
    guard let a = left.year, let b = right.year else { return "one of them has no year" }
    switch abs(a - b) {
    case 0: return "title and year are the same"
    case 1: return "the years differ by one"
    default: return nil
    }
  }
}

extension WriteTransaction {
  /// Merges two items: the first stays and gets what only the second has.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when their ids differ, or when they are
  ///   in different lists.
  public func unite(
    _ second: Record, into first: Record, in library: LibraryView, device: String
  ) throws {
    guard let list = first.parent, list == second.parent, first.key != second.key else {
      throw SyncError(.inputInvalid, "Only items of the same list can be merged.")
    }
    guard !TitleIdentity(first).contradicts(TitleIdentity(second)) else {
      throw SyncError(
        .inputInvalid, "Their ids belong to different titles, so they cannot be merged.")
    }
    try ItemUnion(self, library, device: device, into: list).unite(second, into: first)
    try delete(second.key)
  }
}
