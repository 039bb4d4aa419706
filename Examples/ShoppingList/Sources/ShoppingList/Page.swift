import SyncKitApp

/// What a window shows, as a value.
struct Page {
  var isJoined = false
  var list: ShoppingList?
  /// The person whose list it is; nil for one's own.
  var owner: String?
  var otherLists: [ShoppingList] = []
  var items: [Item] = []
  var state: SyncState?

  /// How it looks in a terminal.
  var text: String {
    var lines: [String] = []
    if !isJoined { lines.append("This device has joined no account: 'join LINK'.") }
    if let list {
      var title = "\(list.name): \(items.count { !$0.isBought }) to buy"
      if let owner { title += ", shared by \(owner)" }
      if let state { title += " (\(state.rawValue))" }
      lines.append(title)
    } else {
      lines.append("No list yet: 'list Groceries' makes one.")
    }
    for (index, item) in items.enumerated() { lines.append(line(index + 1, item)) }
    if !otherLists.isEmpty {
      lines.append("other lists: " + otherLists.map(\.name).joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ number: Int, _ item: Item) -> String {
    var line = "\(number) [\(item.isBought ? "x" : " ")] \(item.name)"
    if item.amount > 1 { line += " x \(item.amount)" }
    if !item.wishes.isEmpty { line += ", for \(item.wishes.sorted().joined(separator: " and "))" }
    if let buyer = item.buyer { line += ", bought by \(buyer)" }
    return line
  }
}
