import SyncKitFormats

/// Reads the dates of an export: UTC, in the language of the account.
///
/// In English `Jan 15, 2024, 7:30:00 AM`, sometimes with a narrow space before AM; in other languages
/// the same parts in another order, months by name or by number.
enum ExportDate {
  /// Milliseconds since 1970; nil for any other text.
  static func parse(_ text: String) -> Int64? {
    if let time = Timestamp.parse(text) { return time }
    var words: [Word] = []
    var current = ""
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
    for scalar in text.unicodeScalars {
      let isWord = isDigit(scalar) || scalar.properties.isAlphabetic
      // `15janv` and `7PM` are two words.
      if !isWord || current.unicodeScalars.last.map({ isDigit($0) != isDigit(scalar) }) ?? false {
        if !current.isEmpty { words.append(Word(current)) }
        current = ""
      }
      if isWord { current.unicodeScalars.append(scalar) }
      if scalar == ":" { words.append(.colon) }
      guard words.count < 20, current.utf8.count < 20 else { return nil }
    }
    if !current.isEmpty { words.append(Word(current)) }
    return Parts(words)?.milliseconds
  }

  private enum Word: Equatable {
    case number(Int64, digits: Int)
    case name(String)
    case colon

    init(_ text: String) {
      if let number = Int64(text) {
        self = .number(number, digits: text.utf8.count)
      } else {
        self = .name(text.lowercased())
      }
    }
  }

  /// A date in its parts.
  private struct Parts {
    var year: Int64 = 0
    var month: Int64 = 0
    var day: Int64 = 0
    var seconds: Int64 = 0

    init?(_ words: [Word]) {
      // The time begins at the number before the first colon.
      guard let colon = words.firstIndex(of: .colon), colon > 0 else { return nil }
      var clock: [Int64] = []
      var rest = words[(colon - 1)...]
      while case .number(let number, _)? = rest.first {
        clock.append(number)
        rest = rest.dropFirst()
        guard rest.first == .colon else { break }
        rest = rest.dropFirst()
      }
      guard clock.count == 2 || clock.count == 3, var hour = clock.first, hour < 24,
        clock[1] < 60, clock.count == 2 || clock[2] < 60
      else { return nil }
      for case .name(let name) in rest {
        if name == "pm" || name == "p", hour < 12 { hour += 12 }
        if name == "am" || name == "a", hour == 12 { hour = 0 }
      }
      seconds = hour * 3600 + clock[1] * 60 + (clock.count == 3 ? clock[2] : 0)
      guard setDate(Array(words[..<(colon - 1)])) else { return nil }
    }

    private mutating func setDate(_ words: [Word]) -> Bool {
      var numbers: [(value: Int64, digits: Int)] = []
      for word in words {
        switch word {
        case .number(let value, let digits): numbers.append((value, digits))
        case .name(let name):
          if month == 0, let number = Months.number(of: name) { month = number }
        case .colon: return false
        }
      }
      guard let yearIndex = numbers.firstIndex(where: { $0.digits == 4 }) else { return false }
      year = numbers.remove(at: yearIndex).value
      if month > 0 {
        guard numbers.count == 1 else { return false }
        day = numbers[0].value
      } else {
        guard numbers.count == 2 else { return false }
        // After a year comes the month; otherwise the day comes before the month.
        (month, day) =
          yearIndex == 0
          ? (numbers[0].value, numbers[1].value) : (numbers[1].value, numbers[0].value)
      }
      return true
    }

    var milliseconds: Int64? {
      guard (1...12).contains(month), (1...31).contains(day) else { return nil }
      func padded(_ number: Int64, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
      }
      guard
        let midnight = Timestamp.parse("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
      else { return nil }
      return midnight + seconds * 1000
    }
  }

  /// The months by the beginnings of their names in some languages.
  private enum Months {
    static func number(of name: String) -> Int64? {
      // In Czech the name of July begins with that of June.
      if name.hasPrefix("červenec") || name.hasPrefix("července") { return 7 }
      for (index, starts) in table.enumerated()
      where starts.contains(where: { name.hasPrefix($0) }) {
        return Int64(index + 1)
      }
      return nil
    }

    /// English, German, Spanish, French, Italian, Portuguese, Dutch and Czech.
    private static let table: [[String]] = [
      ["jan", "jän", "ene", "gen", "led"], ["feb", "fev", "fév", "úno"],
      ["mar", "mär", "mrz", "maa", "mrt", "bře"], ["apr", "abr", "avr", "dub"],
      ["may", "mai", "mei", "mag", "kvě"], ["jun", "juin", "giu", "červ", "čvn"],
      ["jul", "juil", "lug", "čvc"], ["aug", "ago", "aoû", "srp"],
      ["sep", "set", "zář"], ["oct", "okt", "out", "ott", "říj"], ["nov", "lis"],
      ["dec", "dez", "dic", "déc", "pro"],
    ]
  }
}
