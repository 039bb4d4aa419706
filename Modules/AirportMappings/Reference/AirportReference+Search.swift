extension AirportReference {
  /// The airports that a query may mean: by any code, or by words of the name and the city.
  ///
  /// Best first: the airport with exactly that IATA code, ICAO code, ident or local code, then the
  /// airports of a city with that code; then those in whose name and city every word of the query
  /// occurs, ones with an IATA code before others, and among these a name that begins with the
  /// query before a city that does, and both before the rest. Equals stand by ident. Case, accents
  /// and punctuation do not matter. The first search inflates all names, which takes about 20 ms.
  ///
  /// - Parameters:
  ///   - query: The typed text; surrounding spaces are ignored.
  ///   - limit: The maximum number.
  /// - Returns: Nothing if nothing matches or the query is empty.
  public func airports(matching query: String, limit: Int = 20) -> [Airport] {
    guard let table, limit > 0, let codes = try? table.codes(),
      let section = try? table.section(ReferenceLayout.foldings),
      let folding = TextFolding(section)
    else { return [] }
    let code = AirportCode.trimmed(query)
    var ranks = exactRanks(code, codes: codes)
    let words = WordSearch(query, folding: folding)
    let local = code.isEmpty ? nil : code.utf8.map(\.uppercasedASCII)
    for block in 0..<table.layout.blockCount {
      guard let texts = try? table.texts(block) else { continue }
      let rows = table.layout.rows(block)
      for row in rows where ranks[row] == nil {
        guard let fields = texts.fields(row - rows.lowerBound), fields.count == 4 else { continue }
        if let local, texts.code(fields[1], ident: codes.ident(row))?.elementsEqual(local) == true {
          ranks[row] = .localCode
        } else {
          ranks[row] = words.rank(
            name: texts.bytes[fields[2]], city: texts.bytes[fields[3]], hasIATA: !fields[0].isEmpty)
        }
      }
    }
    return ranks.map { ($0.value, $0.key) }.sorted { ($0.0.rawValue, $0.1) < ($1.0.rawValue, $1.1) }
      .prefix(limit).compactMap { try? table.airport($0.1) }
  }

  /// The airports that a code means, and no others.
  ///
  /// The airport with exactly that IATA code, else the one with that ICAO code or ident, else those with
  /// that local code, else those of the city with that code. Case and surrounding spaces do not matter.
  ///
  /// - Returns: Nothing if the text is no code that the reference has.
  public func airports(withCode text: String) -> [Airport] {
    let code = AirportCode.trimmed(text)
    if let airport = airport(iata: code) ?? airport(ident: code) { return [airport] }
    let local = airports(matching: code, limit: 10).filter {
      $0.localCode?.asciiUppercased == code.asciiUppercased
    }
    return local.isEmpty ? airports(inCity: code) : local
  }

  private func exactRanks(_ code: String, codes: ReferenceCodes) -> [Int: SearchRank] {
    var ranks: [Int: SearchRank] = [:]
    for airport in airports(inCity: code) {
      if let row = codes.row(ident: airport.ident) { ranks[row] = .city }
    }
    if let row = codes.row(ident: code) { ranks[row] = .ident }
    if let row = codes.row(iata: code) { ranks[row] = .iata }
    return ranks
  }
}

/// How well an airport matches a query; smaller is better.
private enum SearchRank: Int {
  case iata, ident, localCode, city
  case nameStart, cityStart, words
  case nameStartWithoutIATA, cityStartWithoutIATA, wordsWithoutIATA
}

/// The words of a query, ready to be looked for in names.
private struct WordSearch {
  private let folding: TextFolding
  private let words: [ArraySlice<UInt8>]
  private let phrase: [UInt8]

  init(_ query: String, folding: TextFolding) {
    self.folding = folding
    words = folding.words(query)
    phrase = Array(words.joined(separator: [0x20]))
  }

  func rank(name: ArraySlice<UInt8>, city: ArraySlice<UInt8>, hasIATA: Bool) -> SearchRank? {
    guard !words.isEmpty else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(name.count + city.count + 1)
    folding.append(name, to: &text)
    let nameEnd = text.count
    folding.append(city, to: &text)
    guard words.allSatisfy({ contains($0, in: text) }) else { return nil }
    if text.starts(with: phrase) { return hasIATA ? .nameStart : .nameStartWithoutIATA }
    if text[nameEnd...].drop(while: { $0 == 0x20 }).starts(with: phrase) {
      return hasIATA ? .cityStart : .cityStartWithoutIATA
    }
    return hasIATA ? .words : .wordsWithoutIATA
  }

  private func contains(_ word: ArraySlice<UInt8>, in text: [UInt8]) -> Bool {
    guard let first = word.first, text.count >= word.count else { return false }
    for start in 0...text.count - word.count where text[start] == first {
      if text[start..<start + word.count].elementsEqual(word) { return true }
    }
    return false
  }
}
