/// How files of other programs say that there is no code.
enum CodeText {
  /// Whether a cell is empty, or a word for nothing.
  ///
  /// Some such words have the shape of a code, as `NaN` has that of Nadi in small letters; they are
  /// left to the one who knows the other code, see ``mayMeanNothing(_:)``.
  static func isMissing(_ text: String) -> Bool {
    let text = AirportCode.trimmed(text)
    // Dashes alone stand below the header of a table in Markdown.
    return nothing.contains(text) || text.allSatisfy { $0 == "-" || $0 == ":" }
  }

  /// Whether a cell with the shape of a code is more likely a program's word for nothing.
  static func mayMeanNothing(_ text: String) -> Bool {
    ambiguous.contains(AirportCode.trimmed(text))
  }

  private static let nothing: Set<String> = [
    "\\N", "–", "—", "?", "N/A", "n/a", "NA", "na", "#N/A", "0", "<NA>",
    "(null)", "<null>",
  ]
  private static let ambiguous: Set<String> = [
    "NaN", "nan", "nil", "NIL", "NULL", "null", "Null", "None", "none", "NONE",
  ]

  /// A cell without the marks with which spreadsheets keep text as text, `="JFK"` or `'JFK`, and
  /// without single quotes.
  static func plain(_ text: String) -> String {
    var text = AirportCode.trimmed(text)
    if text.hasPrefix("=\""), text.hasSuffix("\""), text.utf8.count >= 3 {
      text = String(text.dropFirst(2).dropLast())
    } else if text.hasPrefix("'"), text.utf8.count > 1 {
      text = AirportCode.trimmed(String(text.dropFirst()))
      if text.hasSuffix("'") { text = AirportCode.trimmed(String(text.dropLast())) }
    }
    return text
  }
}
