/// IMDb ids of titles: `tt` and seven or more digits.
enum IMDbID {
  static func isOne(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst(2)
    return text.utf8.starts(with: "tt".utf8) && (5...12).contains(digits.count)
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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
