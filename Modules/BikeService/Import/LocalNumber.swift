/// Reads numbers as people of many languages write them.
enum LocalNumber {
  /// The number; nil for a text that is not one.
  ///
  /// If there are a point and a comma, the last one is the decimal mark. A comma alone is one too,
  /// unless three digits follow it in a text known to be English, where it groups thousands.
  static func parse(_ text: String, isEnglish: Bool) -> Double? {
    var bytes = Array(text.utf8).filter { $0 != 0x20 && $0 != UInt8(ascii: "'") }
    // Narrow and unbreakable spaces group thousands, too.
    if bytes.contains(where: { $0 >= 0x80 }) {
      bytes = Array(
        String(text.unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init)).utf8)
    }
    let comma = bytes.lastIndex(of: UInt8(ascii: ","))
    let point = bytes.lastIndex(of: UInt8(ascii: "."))
    var divider = point
    if let comma {
      if let point {
        divider = max(comma, point)
      } else {
        let isGroup =
          isEnglish && bytes.count - comma == 4
          || bytes.count(where: { $0 == UInt8(ascii: ",") }) > 1
        divider = isGroup ? nil : comma
      }
    }
    var plain = ""
    for (index, byte) in bytes.enumerated() {
      if index == divider {
        plain += "."
      } else if byte.isDigit || (index == 0 && byte == UInt8(ascii: "-")) || byte == 0x65
        || byte == 0x45 || byte == UInt8(ascii: "+")
      {
        plain.unicodeScalars.append(Unicode.Scalar(byte))
      } else if byte != UInt8(ascii: ","), byte != UInt8(ascii: ".") {
        return nil
      }
    }
    guard let number = Double(plain), number.isFinite else { return nil }
    return number
  }
}
