import SyncKitFormats
public import SyncKit

/// Writes lists as Markdown, one table each, for people to read and to publish.
///
/// Private notes are left out unless asked for, since such a page is made to be shown.
public enum MarkdownExport {
  /// The page.
  public static func page(
    _ lists: [Record], _ library: LibraryView, withPrivateNotes: Bool = false
  ) -> [UInt8] {
    var text = ""
    for list in lists {
      if !text.isEmpty { text += "\n" }
      text += "# \(escaped(list[.name].string ?? ""))\n\n"
      if let about = list[.about].string { text += "\(escaped(about))\n\n" }
      text += "| # | Title | Year | Rating | Watched |\n|---:|---|---|---|---|\n"
      let items = library.items(of: list.key)
      for (index, item) in items.enumerated() {
        text += "| \(index + 1) | \(escaped(item[.title].string ?? "")) "
        text += "| \(item[.year].int.map { "\($0)" } ?? "") "
        text += "| \(Rating(item).map { "\($0)" } ?? "") | \(watched(item, library)) |\n"
      }
      for item in items {
        var notes = library.notes(of: item.key)
        if withPrivateNotes { notes += library.privateNotes(of: item.key) }
        for note in notes.flatMap({ $0[.noteText].texts }) {
          let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
          text += "\n**\(escaped(item[.title].string ?? ""))**\n\n"
          text += lines.map { "> \(escaped(String($0)))\n" }.joined()
        }
      }
    }
    return Array(text.utf8)
  }

  private static func watched(_ item: Record, _ library: LibraryView) -> String {
    let days = library.watches(of: item.key).filter { $0[.season].isNull }
      .compactMap { $0[.date].string }
    if let last = days.last { return days.count > 1 ? "\(last) (\(days.count) times)" : last }
    if let date = item[.watchedDate].instant { return Day(milliseconds: date).description }
    return item[.watched].bool == true ? "yes" : ""
  }

  /// The text with the markup of Markdown and HTML escaped.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~": result += "\\\(character)"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\n", "\r", "\r\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
