import SyncKitApp

/// What a window shows, as a value; ``text`` is how it looks in a terminal.
struct Page {
  var list: TaskList?
  var otherLists: [TaskList] = []
  var items: [Item] = []
  /// The notes of an item between which a person has to choose, with the devices that wrote them.
  var rivals: [RecordID: [(device: String, note: String)]] = [:]
  var statuses: [RecordID: RecordStatus] = [:]
  var state = SyncState.neverSynced
  var today = Day.today

  var text: String {
    guard let list else { return "No list yet: 'list Errands' makes one. (\(state.rawValue))" }
    let open = items.count { !$0.isDone }
    var lines = ["\(list.name): \(open) open (\(state.rawValue))"]
    for (index, item) in items.enumerated() { lines += self.lines(index + 1, item) }
    if !otherLists.isEmpty {
      lines.append("other lists: " + otherLists.map(\.name).joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  private func lines(_ number: Int, _ item: Item) -> [String] {
    var line = "\(number) [\(item.isDone ? "x" : " ")] \(item.title)"
    if let due = item.due {
      line += ", due \(due)" + (!item.isDone && due < today ? " (overdue)" : "")
    }
    if let finished = item.finished { line += ", done \(finished)" }
    switch statuses[item.id] {
    case .pending: line += " *"
    case .conflicted: line += " !"
    case .synced, nil: break
    }
    guard let notes = rivals[item.id] else {
      return [line] + (item.note.map { ["    \($0)"] } ?? [])
    }
    return [line]
      + notes.map { "    \($0.device) wrote: \($0.note)" }
      + ["    'settle \(number) TEXT' makes one note of them"]
  }
}
