/// Finds the airport codes in a roster, a flight plan or any other text.
///
/// A code is a word of three or four ASCII capitals or, of four, capitals and digits that begin with
/// a letter, with no letter, digit or `_` beside it: in `DL123 JFK-LHR 0830Z` these are `JFK` and
/// `LHR`. Small letters count where a word is alone on its line, as in a list made by hand; so a
/// sentence has none.
public struct RosterReader: Sendable {
  /// A code with its first line and its count.
  public struct Code: Hashable, Sendable {
    /// The code in capitals.
    public var text: String
    /// The line where it first appears, counted from 1.
    public var line: Int
    /// How often it occurs.
    public var count: Int
  }

  /// The codes in the order of their first appearance.
  public let codes: [Code]

  /// Reads a text in UTF-8; invalid bytes separate words.
  public init(_ bytes: some Sequence<UInt8>) {
    var codes: [Code] = []
    var places: [String: Int] = [:]
    let lines = Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = Self.words(line)
      for word in words {
        guard let code = Self.code(word, anyCase: words.count == 1) else { continue }
        if let place = places[code] {
          codes[place].count += 1
        } else {
          places[code] = codes.count
          codes.append(Code(text: code, line: index + 1, count: 1))
        }
      }
    }
    self.codes = codes
  }

  private static func words(_ line: ArraySlice<UInt8>) -> [Substring.UnicodeScalarView] {
    // Letters of other scripts belong to a word, which is then not a code; arrows and dashes do not.
    String(decoding: line, as: UTF8.self)[...].unicodeScalars.split { scalar in
      !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
    }
  }

  private static func code(_ word: Substring.UnicodeScalarView, anyCase: Bool) -> String? {
    guard (3...4).contains(word.count) else { return nil }
    for (index, scalar) in word.enumerated() {
      switch scalar {
      case "A"..."Z": continue
      case "a"..."z" where anyCase: continue
      case "0"..."9" where word.count == 4 && index > 0: continue
      default: return nil
      }
    }
    return String(decoding: word.map { UInt8($0.value).uppercasedASCII }, as: UTF8.self)
  }
}
