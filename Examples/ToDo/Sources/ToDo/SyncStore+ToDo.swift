import SyncKitApp

// What a person does with lists and items, in the words of this app. Each is one step to undo.
extension SyncStore {
  /// Makes a list.
  func addList(_ name: String) async throws -> (list: TaskList, batch: BatchID?) {
    let list = TaskList(name: name)
    return (list, try await write { try $0.insert(list) }.summary.batch)
  }

  /// Adds an item at the end of a list.
  func add(_ title: String, to list: TaskList) async throws -> BatchID? {
    let rank = Ranks.last(after: try all(Item.self, in: list).map(\.rank))
    let item = Item(title: title, rank: rank)
    return try await write { try $0.insert(item, in: list) }.summary.batch
  }

  /// Changes an item: the properties that `change` gives another value, and no others.
  func change(
    _ item: Item, _ change: @escaping @Sendable (inout Item) -> Void
  ) async throws -> BatchID? {
    try await write { try $0.update(Item.self, item.id, change) }.summary.batch
  }

  /// Marks an item as done today, or as open again.
  func toggle(_ item: Item) async throws -> BatchID? {
    let today = Day.today
    return try await change(item) { item in
      item.isDone.toggle()
      item.finished = item.isDone ? today : nil
    }
  }

  /// Gives an item another place in its list; the others are in the order of their ranks.
  func move(_ item: Item, to place: Int, among items: [Item]) async throws -> BatchID? {
    var others = items.filter { $0.id != item.id }
    if let rank = Ranks.rank(at: place, among: others.map(\.rank)) {
      return try await change(item) { $0.rank = rank }
    }
    // No number is left between the two neighbours: the whole list is numbered again.
    others.insert(item, at: place)
    let order = others.map(\.id)
    return try await write { transaction in
      for (rank, id) in order.enumerated() {
        try transaction.update(Item.self, id) { $0.rank = Double(rank) }
      }
    }.summary.batch
  }

  /// Deletes an item; undo brings it back.
  func delete(_ item: Item) async throws -> BatchID? {
    try await write { try $0.delete(Item.self, item.id) }.summary.batch
  }

  /// Makes one note of several, on every device.
  func settleNote(of item: Item, as note: String) async throws -> BatchID? {
    try await write { try $0.resolve(Item.self, item.id, \.note, with: note) }.summary.batch
  }
}
