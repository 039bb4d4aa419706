/// What a plain scalar is.
enum YAMLScalar {
  /// The value of a plain scalar without a tag.
  static func value(of text: String, at mark: YAMLMark) throws(YAMLError) -> YAMLValue {
    if text.isEmpty || isNull(text) { return .null }
    if let value = bool(text) { return .bool(value) }
    if let whole = try whole(text, at: mark) { return whole }
    if let value = double(text) { return .double(value) }
    return isDateTime(text) ? .timestamp(text) : .string(text)
  }

  static func isNull(_ text: String) -> Bool { ["~", "null", "Null", "NULL"].contains(text) }

  static func bool(_ text: String) -> Bool? {
    switch text {
    case "true", "True", "TRUE": true
    case "false", "False", "FALSE": false
    default: nil
    }
  }

  /// A whole number: decimal with a sign, `0o17` or `0x1F`.
  private static func whole(_ text: String, at mark: YAMLMark) throws(YAMLError) -> YAMLValue? {
    var digits = text[...]
    var radix = 10
    if text.hasPrefix("0x") || text.hasPrefix("0o") {
      digits = digits.dropFirst(2)
      radix = text.hasPrefix("0x") ? 16 : 8
    } else if text.hasPrefix("-") || text.hasPrefix("+") {
      digits = digits.dropFirst()
    }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ isDigit($0, radix) }) else { return nil }
    let sign = text.hasPrefix("-") ? "-" : ""
    if let value = Int64(sign + digits, radix: radix) { return .int(value) }
    if sign.isEmpty, let value = UInt64(digits, radix: radix) { return .uint(value) }
    throw YAMLError(mark, "the number does not fit 64 bits")
  }

  private static func isDigit(_ byte: UInt8, _ radix: Int) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"): true
    case UInt8(ascii: "8")...UInt8(ascii: "9"): radix >= 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): radix == 16
    default: false
    }
  }

  /// A number with a point or an exponent, an infinity, or not a number.
  static func double(_ text: String) -> Double? {
    switch text {
    case ".nan", ".NaN", ".NAN": return .nan
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .infinity
    case "-.inf", "-.Inf", "-.INF": return -.infinity
    default: break
    }
    // Swift's own reader also takes `inf`, `nan` and hexadecimal, which YAML does not.
    let isNumber = text.utf8.allSatisfy { byte in
      isDigit(byte, 10) || "+-.eE".utf8.contains(byte)
    }
    guard isNumber, text.utf8.contains(where: { isDigit($0, 10) }), let value = Double(text) else {
      return nil
    }
    return value.isFinite ? value : nil
  }

  /// Whether a text begins as `2026-11-21T08:00:00` does, with `T`, `t` or a space.
  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19 else { return false }
    let shape = Array("0000-00-00T00:00:00".utf8)
    for (byte, wanted) in zip(bytes, shape) {
      switch wanted {
      case UInt8(ascii: "0"): if !isDigit(byte, 10) { return false }
      case UInt8(ascii: "T"): if !"Tt ".utf8.contains(byte) { return false }
      default: if byte != wanted { return false }
      }
    }
    return bytes.dropFirst(19).allSatisfy { byte in
      isDigit(byte, 10) || ".:+-Zz ".utf8.contains(byte)
    }
  }
}
