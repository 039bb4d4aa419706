/// Writes and reads the names and values of a URL's query or a form.
///
/// Source: [application/x-www-form-urlencoded](https://url.spec.whatwg.org/#urlencoded-parsing).
enum URLForm {
  /// Pairs as text, everything but letters, digits and `-._~` escaped.
  static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
  }

  static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var result = ""
    for byte in text.utf8 {
      if byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return result
  }

  /// The pairs of a text; of a name that comes twice the first counts.
  static func decode(_ text: some StringProtocol) -> [String: String] {
    var pairs: [String: String] = [:]
    for part in text.split(separator: "&").prefix(64) {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = unescape(halves[0])
      if pairs[name] == nil { pairs[name] = halves.count > 1 ? unescape(halves[1]) : "" }
    }
    return pairs
  }

  private static func unescape(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
