/// How many columns of a terminal a text takes, and how to make text from anywhere safe to print there.
///
/// Widths are those of the text as ``sanitized(_:)`` gives it, so both always agree.
///
/// - East Asian wide and full-width characters and emoji take two columns, whole emoji sequences
///   (families, flags, skin tones) two together.
/// - Combining marks, joiners and other invisible characters take none.
/// - All others take one, also those whose width Unicode calls ambiguous, as terminals do outside East
///   Asian locales.
///
/// Terminals differ on emoji sequences and rare scripts; a table may be off by a column there.
///
/// Source: [Unicode Standard Annex 11](https://www.unicode.org/reports/tr11/), Unicode 17.
public enum DisplayWidth {
  /// The columns a text takes on one line.
  public static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text with everything that could steer a terminal or reorder a line shown as U+FFFD.
  ///
  /// That is: the control characters, so that no escape sequence and no line break remains; line and
  /// paragraph separators; and the characters that override or isolate the direction of writing.
  public static func sanitized(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  /// The beginning of a text that fits a number of columns, with `…` at its end where something is cut off.
  ///
  /// Characters stay whole, so the result may be a column short.
  public static func truncated(_ text: String, to limit: Int) -> String {
    guard columns(of: text) > limit else { return text }
    guard limit > 0 else { return "" }
    var width = 1
    let kept = text.prefix { character in
      width += columns(of: character)
      return width <= limit
    }
    return kept + "…"
  }

  /// The text followed by as many spaces as it takes to fill a number of columns.
  public static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, first.properties.isEmoji, !isRegionalIndicator(first) {
      if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
    }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if isUnsafe(scalar) { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return scalar == "\u{AD}" ? 1 : 0
    default: break
    }
    switch scalar.value {
    // Vowels and final consonants of Hangul join the wide consonant before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    0x1F1E6...0x1F1FF ~= scalar.value
  }
}
