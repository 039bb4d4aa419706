/// RFC 4648 base64 with padding, for bytes in JSON.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let second = start + 1 < bytes.count ? bytes[start + 1] : 0
      let third = start + 2 < bytes.count ? bytes[start + 2] : 0
      let group = UInt32(bytes[start]) << 16 | UInt32(second) << 8 | UInt32(third)
      text.append(digits[Int(group >> 18)])
      text.append(digits[Int(group >> 12 & 63)])
      text.append(start + 1 < bytes.count ? digits[Int(group >> 6 & 63)] : padding)
      text.append(start + 2 < bytes.count ? digits[Int(group & 63)] : padding)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the text; nil for a foreign digit, a wrong length, or padding elsewhere than at the end.
  static func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let filled = text.count - text.suffix(2).filter { $0 == padding }.count
    guard filled == text.count || text.last == padding else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (index, digit) in text[..<filled].enumerated() {
      guard let value = value(of: digit) else { return nil }
      group = group << 6 | value
      guard index % 4 == 3 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
      group = 0
    }
    switch filled % 4 {
    case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    default: break
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
