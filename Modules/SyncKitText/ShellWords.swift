/// A command line in one text.
public enum ShellWords {
  /// The words of a text, as a shell splits them: at white space; quotation marks of both kinds hold words together, and
  /// a backslash takes the next character as it is, outside of single quotation marks.
  ///
  /// - Parameter text: The text, such as `ssh -i 'my key'`.
  /// - Returns: The words; nil when a quotation mark is not closed.
  public static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words
  }

  /// A word as a shell reads it back: in single quotation marks, unless it has plain characters alone.
  public static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:=+,@~".utf8.contains(byte)
    }
    // At the start of a word a shell puts a home folder for it.
    guard !isPlain || word.isEmpty || word.hasPrefix("~") else { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "'\\''"))'"
  }
}
