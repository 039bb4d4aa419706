/// What accounts, devices, tokens, guests and shares may be called.
public enum PersonName {
  /// The rule in words, as the end of a sentence.
  public static let rule =
    "1 to 200 bytes of text on one line, without control characters, marks that change the direction of"
    + " text, or other invisible ones"

  /// Whether a text may be such a name.
  ///
  /// Marks that turn text around make one name look like another, and those that take no room make two
  /// names look like one. Only the joiners that scripts and emoji need are let in.
  public static func isGood(_ text: String) -> Bool {
    guard (1...200).contains(text.utf8.count) else { return false }
    var isSeen = false
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
      case .format:
        guard scalar.value == 0x200C || scalar.value == 0x200D else { return false }
      default: isSeen = isSeen || !scalar.properties.isWhitespace
      }
    }
    return isSeen
  }
}
