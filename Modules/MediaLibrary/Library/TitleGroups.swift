public import SyncKit

/// The items of a library by title: one title in several lists is one group.
public struct TitleGroups: Sendable {
  /// The groups in the order of the lists; within one, the item with most of the title's history first.
  public let groups: [[Record]]
  private let places: [RecordKey: Int]

  /// Groups items that are certainly the same title.
  public init(_ library: LibraryView) { self.init(library.items, library) }

  init(_ items: [Record], _ library: LibraryView) {
    var index = TitleIndex()
    var groups: [[Record]] = []
    for item in items {
      let identity = TitleIdentity(item)
      // Two items of one list are two, however alike they are.
      if case .same(let place) = index.find(identity),
        !groups[place].contains(where: { $0.parent == item.parent })
      {
        index.learn(identity, at: place)
        groups[place].append(item)
      } else {
        index.add(identity)
        groups.append([item])
      }
    }
    self.groups = groups.map { group in
      guard group.count > 1 else { return group }
      let ranked = group.enumerated().map { (Self.history(of: $1, library), -$0, $1) }
      return ranked.sorted { ($0.0, $0.1) > ($1.0, $1.1) }.map(\.2)
    }
    var places: [RecordKey: Int] = [:]
    for (place, group) in self.groups.enumerated() {
      for item in group { places[item.key] = place }
    }
    self.places = places
  }

  /// All items of the title of an item, the one with most history first.
  public func group(of item: Record) -> [Record] { places[item.key].map { groups[$0] } ?? [item] }

  /// How much a person has said about a title in one list.
  private static func history(of item: Record, _ library: LibraryView) -> Int {
    var score = 0
    if !library.watches(of: item.key).isEmpty { score += 8 }
    if library.episodes(of: item.key).contains(where: { $0[.watched].bool == true }) { score += 4 }
    if item[.watched].bool == true || !item[.lastWatched].isNull { score += 4 }
    if !item[.rating].isNull { score += 2 }
    if !library.notes(of: item.key).isEmpty || !library.privateNotes(of: item.key).isEmpty {
      score += 1
    }
    return score
  }
}
