/// What servers on one database tell each other of a commit, as texts of NOTIFY.
///
/// The first line names the sender. Each further line is `p` with an account and a domain, or `t` with the part of a
/// token that names it. A text without further lines says only that something was written.
enum PostgreSQLWord {
  static let channel = "cloudsync"
  /// PostgreSQL takes less than 8,000 bytes.
  private static let room = 7_900

  /// The texts that tell news; at least one.
  static func texts(_ news: StorageNews, from sender: String) -> [String] {
    let lines =
      news.endedTokens.sorted().map { "t \($0)" }
      + news.places.map { "p \($0.account) \($0.domain)" }.sorted()
    var texts: [String] = []
    var text = sender
    for line in lines {
      if text.utf8.count + line.utf8.count + 1 > room {
        texts.append(text)
        text = sender
      }
      text += "\n\(line)"
    }
    return texts + [text]
  }

  /// Reads a text; what it does not know, as a newer version may write, is left out.
  static func read(_ text: String) -> (sender: String, news: StorageNews) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let sender = lines.popFirst().map { String($0) } ?? ""
    var news = StorageNews()
    for line in lines {
      let words = line.split(separator: " ").map { String($0) }
      switch (words.first, words.count) {
      case ("p", 3): news.places.insert(.init(account: words[1], domain: words[2]))
      case ("t", 2): news.endedTokens.insert(words[1])
      default: continue
      }
    }
    return (sender, news)
  }
}
