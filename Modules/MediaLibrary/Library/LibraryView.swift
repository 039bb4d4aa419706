public import SyncKit

/// The content of the lists at one moment, in display order.
///
/// A copy for reading: it does not follow the store. Deleted records are left out.
public struct LibraryView: Sendable {
  /// The lists in their order.
  public let lists: [Record]
  /// All items, list after list, each list in its order.
  public let items: [Record]

  private let itemsByList: [RecordKey: [Record]]
  private let children: [RecordKey: [Record]]
  private let byKey: [RecordKey: Record]
  private let privateByTarget: [String: [Record]]

  /// Reads the lists of a store.
  ///
  /// - Throws: ``SyncKit/SyncError`` when the store cannot be read.
  public init(_ store: SyncStore) throws {
    let lists = try store.records(.list).sorted(by: Self.precedes)
    var byList: [RecordKey: [Record]] = [:]
    try store.forEachRecord(in: .item) { record in
      guard let list = record.parent else { return }
      byList[list, default: []].append(record)
    }
    for list in byList.keys { byList[list]?.sort(by: Self.precedes) }
    var children: [RecordKey: [Record]] = [:]
    var byKey: [RecordKey: Record] = [:]
    for collection in [CollectionName.watch, .episode, .note] {
      try store.forEachRecord(in: collection) { record in
        guard let parent = record.parent else { return }
        children[parent, default: []].append(record)
        byKey[record.key] = record
      }
    }
    var notes: [String: [Record]] = [:]
    try store.forEachRecord(in: .privateNote) { record in
      notes[record[.about].string ?? "", default: []].append(record)
      byKey[record.key] = record
    }
    self.lists = lists
    items = lists.flatMap { byList[$0.key] ?? [] }
    itemsByList = byList
    self.children = children
    self.byKey = byKey
    privateByTarget = notes
  }

  /// The event, episode or note with that key.
  func detail(_ key: RecordKey) -> Record? { byKey[key] }

  /// The items of a list in their order.
  public func items(of list: RecordKey) -> [Record] { itemsByList[list] ?? [] }

  /// The watch events of an item and its episodes, the earliest first.
  public func watches(of item: RecordKey) -> [Record] {
    children(of: item, .watch).sorted {
      ($0[.date].string ?? "", $0.key.id) < ($1[.date].string ?? "", $1.key.id)
    }
  }

  /// The episodes of an item in the order of their numbers.
  public func episodes(of item: RecordKey) -> [Record] {
    children(of: item, .episode).sorted {
      ($0[.season].int ?? 0, $0[.number].int ?? 0) < ($1[.season].int ?? 0, $1[.number].int ?? 0)
    }
  }

  /// The notes on an item or an episode, the earliest first.
  public func notes(of parent: RecordKey) -> [Record] {
    children(of: parent, .note).sorted { ($0.created, $0.key.id) < ($1.created, $1.key.id) }
  }

  /// The notes on it that never leave this device, the earliest first.
  public func privateNotes(of parent: RecordKey) -> [Record] {
    (privateByTarget["\(parent)"] ?? [])
      .sorted { ($0.created, $0.key.id) < ($1.created, $1.key.id) }
  }

  private func children(of parent: RecordKey, _ collection: CollectionName) -> [Record] {
    (children[parent] ?? []).filter { $0.key.collection == collection }
  }

  /// The order of lists, and of the items of one: by key, records without one last, ties by id.
  static func precedes(_ left: Record, _ right: Record) -> Bool {
    switch (left[.order].string, right[.order].string) {
    case (let a?, let b?) where a != b: a.utf8.lexicographicallyPrecedes(b.utf8)
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil) where left.created != right.created: left.created < right.created
    default: left.key.id < right.key.id
    }
  }
}
