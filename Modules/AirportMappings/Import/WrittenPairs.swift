/// Pairs of codes that stand within a text rather than in columns of their own.
///
/// | Text | Where |
/// |---|---|
/// | `Sample / Sample Field (LHR/EGLL)` | flights in a logbook's export |
/// | `JFK KJFK`, `JFK = KJFK`, `JFK: KJFK` | a line of a list made by hand |
enum WrittenPairs {
  /// A pair, both codes as they stand there.
  typealias Pair = (iata: String, icao: String)

  /// The pairs of a row, in capitals only: words of a sentence are no codes.
  static func pairs(in cells: [String]) -> [Pair] {
    let found = cells.flatMap(bracketed)
    guard found.isEmpty, cells.count == 1 else { return found }
    let words = cells[0].unicodeScalars.split { !$0.properties.isAlphabetic && !isDigit($0) }
      .map { String($0) }
    return words.count == 2 ? [pair(words)].compactMap { $0 } : []
  }

  /// Whether rows have such pairs, at least every second of them besides a header.
  static func areIn(_ rows: [[String]]) -> Bool {
    let count = rows.count { !pairs(in: $0).isEmpty }
    return count > 0 && count * 2 >= rows.count - 1
  }

  /// The pairs in brackets; of one that is no pair the rest is judged as that of any row.
  private static func bracketed(_ cell: String) -> [Pair] {
    cell.split(separator: "(").dropFirst().compactMap { part in
      guard let end = part.firstIndex(of: ")") else { return nil }
      let words = part[..<end].split(separator: "/", omittingEmptySubsequences: false)
        .map { AirportCode.trimmed(String($0)) }
      if let pair = pair(words) { return pair }
      guard words.count == 2, words.allSatisfy({ $0 == $0.asciiUppercased && $0.count < 5 }),
        (try? AirportCode.iata(words[0])) != nil || (try? AirportCode.icao(words[1])) != nil
      else { return nil }
      return (words[0], words[1])
    }
  }

  private static func pair(_ words: [String]) -> Pair? {
    guard words.count == 2, words.allSatisfy({ $0 == $0.asciiUppercased }) else { return nil }
    for (iata, icao) in [(words[0], words[1]), (words[1], words[0])]
    where (try? AirportCode.iata(iata)) != nil && (try? AirportCode.icao(icao)) != nil {
      return (iata, icao)
    }
    return nil
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
