/// A title that names a series, a season and an episode in one, as streaming services write it.
struct PartTitle {
  /// The series.
  var name: String
  /// The season, if its number is there.
  var season: Int64?
  /// The episode's name.
  var episode: String?
  /// The episode's number, if it is there.
  var number: Int64?
  /// Whether a word for a season or an episode shows that it is one.
  var isSeries = false

  /// Splits at the last word for a season, in any of the known languages.
  init(_ title: String, separators: [String] = [": "]) {
    name = title
    let parts = Self.split(title, separators)
    for place in parts.indices.dropFirst() {
      guard let season = Self.season(parts[place], after: parts[0]) else { continue }
      name = parts[..<place].joined(separator: separators[0])
      self.season = season.number
      let rest = parts[(place + 1)...].joined(separator: separators[0])
      take(rest)
      // `The Hangover: Part II` is a film; `Money Heist: Part 5: A Family Tradition` is not.
      isSeries = season.isSure || !rest.isEmpty
      if !isSeries { self = PartTitle(film: title) }
      return
    }
    if parts.count > 1, let last = parts.last {
      let part = Self.leading(last)
      if part.number != nil, part.isWord {
        name = parts.dropLast().joined(separator: separators[0])
        take(last)
        isSeries = true
      }
    }
    if !isSeries, let open = Self.bracketed(title) {
      name = parts.count > 1 ? parts.dropLast().joined(separator: separators[0]) : title
      episode = parts.count > 1 ? parts[parts.count - 1] : nil
      number = open
      isSeries = parts.count > 1
    }
  }

  private init(film title: String) { name = title }

  private mutating func take(_ rest: String) {
    guard !rest.isEmpty else { return }
    episode = rest
    let part = Self.leading(rest)
    number = (part.isWord ? part.number : nil) ?? Self.bracketed(rest)
  }

  private static func split(_ title: String, _ separators: [String]) -> [String] {
    var parts = [""]
    var rest = title[...]
    while let first = rest.first {
      if let separator = separators.first(where: { rest.hasPrefix($0) }) {
        parts.append("")
        rest = rest.dropFirst(separator.count)
      } else {
        parts[parts.count - 1].append(first)
        rest = rest.dropFirst()
      }
    }
    return parts.map(\.trimmed).filter { !$0.isEmpty }
  }

  /// What a part says of a season; nil when it is no season.
  private static func season(
    _ part: String, after name: String
  ) -> (number: Int64?, isSure: Bool)? {
    let words = part.lowercased().split(separator: " ").map(String.init)
    guard let first = words.first else { return nil }
    if part.lowercased() == "limited series" || whole.contains(words.joined(separator: " ")) {
      return (1, true)
    }
    if seasonWords.contains(first), words.count >= 2 {
      return (numeral(words[1]), true)
    }
    if words.count == 2, seasonWords.contains(words[1]) {
      // `1. Staffel`
      return (numeral(words[0]), true)
    }
    for word in ["シーズン", "시즌", "第", "сезон"] where part.hasPrefix(word) {
      if let number = numeral(String(part.dropFirst(word.count).trimmed.prefix { $0.isNumber })) {
        return (number, true)
      }
    }
    if partWords.contains(first), words.count == 2 || (words.count > 2 && words[1].hasSuffix(":")) {
      return numeral(words[1]).map { ($0, false) }
    }
    // `Stranger Things: Stranger Things 5: …`
    if part.lowercased().hasPrefix(name.lowercased() + " "), let last = words.last,
      let number = numeral(last)
    {
      return (number, false)
    }
    return nil
  }

  /// An episode's number and name: `Episode 5: The End`, `Folge 5`, `第5話`.
  static func leading(_ text: String) -> (number: Int64?, name: String, isWord: Bool) {
    var words = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard let first = words.first?.lowercased() else { return (nil, text, false) }
    if episodeWords.contains(first), words.count > 1 {
      let end = words[1].hasSuffix(":") || words[1].hasSuffix("-")
      let number = numeral(end ? String(words[1].dropLast()) : words[1])
      words.removeFirst(2)
      var name = words.joined(separator: " ")
      while let first = name.first, ":-– ".contains(first) { name.removeFirst() }
      return (number, name.isEmpty ? text : name, number != nil)
    }
    for (start, end) in [("第", "話"), ("第", "集"), ("제", "화"), ("제", "회"), ("", "화"), ("", "회")]
    where text.hasPrefix(start) {
      let rest = text.dropFirst(start.count)
      let digits = rest.prefix { $0.isNumber }
      guard !digits.isEmpty, rest.dropFirst(digits.count).hasPrefix(end) else { continue }
      return (Int64(digits), text, true)
    }
    return (nil, text, false)
  }

  /// The number in `… (Episode 4)`.
  private static func bracketed(_ text: String) -> Int64? {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    let part = leading(String(text[text.index(after: open)...].dropLast()))
    return part.isWord ? part.number : nil
  }

  private static func numeral(_ text: String) -> Int64? {
    let text = text.lowercased().filter { !".:,".contains($0) }
    if let number = Int64(text) { return (0...100_000).contains(number) ? number : nil }
    return numerals[text]
  }

  private static let numerals: [String: Int64] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7,
  ]

  private static let seasonWords: Set = [
    "season", "series", "staffel", "saison", "temporada", "stagione", "seizoen", "säsong", "sesong",
    "sæson", "kausi", "sezon", "sezona", "sezóna", "séria", "évad", "évad:", "сезон", "seria",
    "σεζόν", "κύκλος", "musim", "mùa", "ฤดูกาล", "serie", "série",
  ]

  private static let whole: Set = [
    "limited series", "miniseries", "mini-series", "miniserie", "mini-serie", "mini-série",
    "miniserien", "minisérie", "serie limitada", "série limitada", "serie limitata",
    "série limitée",
  ]

  private static let partWords: Set = [
    "part", "parte", "partie", "teil", "deel", "del", "book", "buch", "libro", "livre", "volume",
    "vol", "vol.", "volumen", "chapter", "chapitre", "capítulo", "kapitel", "część",
  ]

  private static let episodeWords: Set = [
    "episode", "folge", "épisode", "episodio", "episódio", "aflevering", "afsnit", "avsnitt",
    "jakso", "odcinek", "bölüm", "epizoda", "epizód", "серия", "эпизод", "επεισόδιο", "chapter",
    "capítulo", "kapitel",
  ]
}
