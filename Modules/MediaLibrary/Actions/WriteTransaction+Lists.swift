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
