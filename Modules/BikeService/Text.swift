import SyncKit

extension String {
  /// The text without white space at its ends, any that Unicode has.
  var trimmed: String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = unicodeScalars.firstIndex(where: { !isSpace($0) }),
      let last = unicodeScalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(unicodeScalars[first...last])
  }

  /// The form in which names are compared: without case and with single blanks.
  var folded: String {
    unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
      .joined(separator: " ").lowercased()
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter.
  var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }
  /// Whether it is an ASCII digit.
  var isDigit: Bool { 0x30...0x39 ~= self }
}

extension Value {
  /// The number, whole or not.
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value in a message.
  var shown: String {
    switch self {
    case .null: "unset"
    case .string(let text): "'\(text)'"
    case .bool(let value): "\(value)"
    case .int(let value), .instant(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bytes, .list, .map: "set"
    }
  }
}

extension Int64 {
  /// The whole part of a number, nil when it has none in 64 bits.
  init?(whole number: Double) {
    guard number.isFinite, number.magnitude < 9e18 else { return nil }
    self = Int64(number.rounded())
  }
}
