public import SyncKit

extension WriteTransaction {
  /// Makes a list at the end of the others.
  ///
  /// - Returns: Its key.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for an invalid name.
  public func addList(
    named name: String, in library: LibraryView, device: String
  ) throws -> RecordKey {
    var fields: [FieldName: Value] = [.name: .string(name)]
    let last = library.lists.last?[.order].string.flatMap { OrderKey($0) }
    if let order = OrderKey(after: last, before: nil, device: device) {
      fields[.order] = .string(order.text)
    }
    return try save(RecordDraft(.list, fields: fields)).key
  }

  /// Adds a film or series to a list, at its end unless it is already there.
  ///
  /// - Returns: Its key, and the outcome.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for an invalid field.
  @discardableResult
  public func addItem(
    _ fields: [FieldName: Value], to list: RecordKey, in library: LibraryView, device: String
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

  /// Moves an item between two others of its list: after `previous`, or to the beginning without one.
  ///
  /// Neighbours with no room between their keys, since devices wrote the same, get new ones.
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
