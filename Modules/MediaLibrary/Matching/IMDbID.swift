/// IMDb ids of titles: `tt` and seven or more digits.
enum IMDbID {
  static func isOne(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst(2)
    return text.utf8.starts(with: "tt".utf8) && (5...12).contains(digits.count)
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The id in a text: itself, its digits alone, or an address such as
  /// `https://www.imdb.com/title/tt0133093/`.
  static func find(in text: String) -> String? {
    if isOne(text) { return text }
    if (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      let id = "tt" + String(repeating: "0", count: max(0, 7 - text.utf8.count)) + text
      return isOne(id) ? id : nil
    }
    guard text.contains("imdb.com/") else { return nil }
    return text.split { "/?#".contains($0) }.map(String.init).first { isOne($0) }
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    let head = drop(while: \.isWhitespace)
    guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(head[...last])
  }
}
