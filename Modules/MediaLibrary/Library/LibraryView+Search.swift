public import SyncKit

extension LibraryView {
  /// The items that a person means by an id or by words of the title, the best first.
  ///
  /// An exact title beats the start of a title, and that beats words within. With a list only its
  /// items count.
  public func items(matching query: String, in list: RecordKey? = nil) -> [Record] {
    let pool = list.map { items(of: $0) } ?? items
    let id = query.hasPrefix("item/") ? String(query.dropFirst(5)) : query
    let named = pool.filter { $0.key.id == RecordID(id) }
    if !named.isEmpty { return named }
    let wanted = TitleKey(query).text
    guard !wanted.isEmpty else { return [] }
    var found: [[Record]] = [[], [], []]
    for item in pool {
      let titles = [item[.title].string, item[.originalTitle].string].compactMap { $0 }
      let best = titles.compactMap { rank(TitleKey($0).text, wanted, item[.year].int) }.min()
      if let best { found[best].append(item) }
    }
    return found.first { !$0.isEmpty } ?? []
  }

  /// The titles that a person means, each as its items in the lists, that with most history first.
  ///
  /// A title that is in several lists is one; only different titles are several.
  public func titles(matching query: String, in list: RecordKey? = nil) -> [[Record]] {
    TitleGroups(items(matching: query, in: list), self).groups
  }

  private func rank(_ title: String, _ wanted: String, _ year: Int64?) -> Int? {
    if title == wanted { return 0 }
    if let year, "\(title) \(year)" == wanted { return 0 }
    if title.hasPrefix(wanted) { return 1 }
    return " \(title) ".contains(" \(wanted) ") || title.contains(wanted) ? 2 : nil
  }

  /// The list that a person means by an id or a name; nil when none or several are.
  public func list(matching query: String) -> Record? {
    let id = query.hasPrefix("list/") ? String(query.dropFirst(5)) : query
    if let named = lists.first(where: { $0.key.id == RecordID(id) }) { return named }
    let exact = lists.filter { $0[.name].string == query.trimmed }
    if exact.count == 1 { return exact[0] }
    let wanted = TitleKey(query)
    let folded = lists.filter { $0[.name].string.map { TitleKey($0) == wanted } ?? false }
    return folded.count == 1 ? folded[0] : nil
  }
}
