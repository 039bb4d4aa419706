public import SyncKit

extension WriteTransaction {
  /// Makes a list at the end of the others.
  ///
  /// - Returns: Its key.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a name that no list can have.
  public func addList(
    named name: String, in library: LibraryView, device: String
  ) throws -> RecordKey {
    var fields: [Name: Value] = [.name: .string(name)]
    let last = library.lists.last?[.order].string.flatMap { OrderKey($0) }
    if let order = OrderKey(after: last, before: nil, device: device) {
      fields[.order] = .string(order.text)
    }
    return try save(RecordDraft(.list, fields: fields)).key
  }

  /// Puts a film or series into a list, at its end unless it is there already.
  ///
  /// - Returns: Its key, and what was done.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a field that no item can have.
  @discardableResult
  public func addItem(
    _ fields: [Name: Value], to list: RecordKey, in library: LibraryView, device: String
  ) throws -> (outcome: WriteOutcome, key: RecordKey) {
    var draft = RecordDraft(.item, parent: list, fields: fields)
    let known = try MediaRules.id(of: draft).flatMap {
      try record(RecordKey(zone: list.zone, collection: .item, id: $0))
    }
    if known?.isDeleted != false {
      let last = library.items(of: list).last?[.order].string.flatMap { OrderKey($0) }
      if let order = OrderKey(after: last, before: nil, device: device) {
        draft.fields[.order] = .string(order.text)
      }
    }
    return try save(draft)
  }

  /// Puts an item between two others of its list: behind `previous`, or at the beginning without one.
  ///
  /// Neighbours whose keys leave no room between them, since devices wrote the same, get new ones.
  public func move(
    _ item: RecordKey, behind previous: RecordKey?, in library: LibraryView, device: String
  ) throws {
    guard let list = try record(item)?.parent else { throw Self.isGone(item) }
    let others = library.items(of: list).filter { $0.key != item }
    var place = 0
    if let previous {
      guard let index = others.firstIndex(where: { $0.key == previous }) else {
        throw Self.isGone(previous)
      }
      place = index + 1
    }
    for (key, order) in Rearrangement.keys(for: item, at: place, among: others, device: device) {
      try edit(key, [.order: .string(order.text)])
    }
  }

  private static func isGone(_ key: RecordKey) -> SyncError {
    SyncError(.notFound, "There is no \(key) in the list.")
  }
}

/// Which records need new keys so that one of them stands at a certain place.
enum Rearrangement {
  /// The new keys: mostly one, and more where neighbours have equal keys or none.
  static func keys(
    for item: RecordKey, at place: Int, among others: [Record], device: String
  ) -> [(RecordKey, OrderKey)] {
    func order(_ index: Int) -> OrderKey? { others[index][.order].string.flatMap { OrderKey($0) } }
    let before = place > 0 ? order(place - 1) : nil
    let behind = place < others.count ? order(place) : nil
    let isOpen = (place == 0 || before != nil) && (place == others.count || behind != nil)
    if isOpen, let key = OrderKey(after: before, before: behind, device: device) {
      return [(item, key)]
    }
    // Everything from the first record that has no room up to the next one that has gets new keys.
    var start = place
    while start > 0, order(start - 1) == nil || order(start - 1) == before { start -= 1 }
    let lower = start > 0 ? order(start - 1) : nil
    var end = place
    while end < others.count,
      order(end).map({ key in lower.map { key <= $0 } ?? false || key == before }) ?? true
    {
      end += 1
    }
    let upper = end < others.count ? order(end) : nil
    var keys: [(RecordKey, OrderKey)] = []
    var last = lower
    let row = others[start..<place].map(\.key) + [item] + others[place..<end].map(\.key)
    for key in row {
      guard let next = OrderKey(after: last, before: upper, device: device) else { break }
      keys.append((key, next))
      last = next
    }
    return keys
  }
}
