extension TOMLParser {
  mutating func value(depth: Int) throws(TOMLError) -> TOML {
    guard depth <= Self.maximumDepth else {
      throw cursor.failure("nested more than \(Self.maximumDepth) levels deep")
    }
    switch cursor.next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(allowsLines: true))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "{"): return .table(try inlineTable(depth: depth).table)
    default: return try plain()
    }
  }

  private mutating func array(depth: Int) throws(TOMLError) -> [TOML] {
    cursor.advance()
    var values: [TOML] = []
    while true {
      cursor.skipBlankLines()
      if cursor.take("]") { return values }
      if !values.isEmpty {
        guard cursor.take(",") else { throw cursor.unexpected(", or ]") }
        cursor.skipBlankLines()
        if cursor.take("]") { return values }
      }
      values.append(try value(depth: depth + 1))
    }
  }

  /// A value without quotes: a truth value, a number, a date.
  private mutating func plain() throws(TOMLError) -> TOML {
    let start = cursor.offset
    var text = cursor.word {
      TOMLCursor.isBare($0) || $0 == UInt8(ascii: "+") || $0 == 0x2E || $0 == 0x3A
    }
    switch text {
    case "": throw cursor.unexpected("a value")
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "inf", "+inf": return .double(.infinity)
    case "-inf": return .double(-.infinity)
    case "nan", "+nan", "-nan": return .double(.nan)
    default: break
    }
    if text.utf8.count == 10, TOMLDate.isDate(text), cursor.next == 0x20 {
      // A date and a time may be parted by a space.
      var ahead = cursor
      ahead.advance()
      let time = ahead.word { TOMLCursor.isDigit($0) || "+-.:Zz".utf8.contains($0) }
      if TOMLDate.isTime(String(time.prefix(8))) {
        text += " " + time
        cursor = ahead
      }
    }
    if let date = TOMLDate.value(text) { return date }
    if let number = try number(text, at: start) { return number }
    throw cursor.failure("'\(text)' is not a value; put a string in quotes", at: start)
  }

  private func number(_ text: String, at start: Int) throws(TOMLError) -> TOML? {
    let signed = text.hasPrefix("+") || text.hasPrefix("-")
    let digits = signed ? text.dropFirst() : text[...]
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      guard !signed, let whole = joined(digits.dropFirst(2), radix) else { return nil }
      guard let value = Int64(whole, radix: radix) else { throw tooLarge(start) }
      return .int(value)
    }
    let sign = text.hasPrefix("-") ? "-" : ""
    if let whole = joined(digits, 10) {
      guard whole.utf8.count == 1 || !whole.hasPrefix("0") else { return nil }
      return Int64(sign + whole).map { .int($0) } ?? .whole(sign + whole)
    }
    return double(digits).map { .double(sign.isEmpty ? $0 : -$0) }
  }

  /// A number with a fraction, an exponent or both.
  private func double(_ text: Substring) -> Double? {
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts[0].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 || mantissa.count == 2, let whole = joined(mantissa[0], 10),
      whole.utf8.count == 1 || !whole.hasPrefix("0")
    else { return nil }
    var plain = whole
    if mantissa.count == 2 {
      guard let fraction = joined(mantissa[1], 10) else { return nil }
      plain += "." + fraction
    }
    if parts.count == 2 {
      let exponent = parts[1]
      let isSigned = exponent.hasPrefix("+") || exponent.hasPrefix("-")
      guard let power = joined(isSigned ? exponent.dropFirst() : exponent, 10) else { return nil }
      plain += "e" + (exponent.hasPrefix("-") ? "-" : "") + power
    }
    guard let value = Double(plain), value.isFinite else { return nil }
    return value
  }

  /// Digits without the underscores between them; nil where one does not stand between digits.
  private func joined(_ text: Substring, _ radix: Int) -> String? {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    for part in parts {
      let isNumber = part.utf8.allSatisfy { byte in
        Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
      }
      guard !part.isEmpty, isNumber else { return nil }
    }
    return parts.joined()
  }

  private func tooLarge(_ start: Int) -> TOMLError {
    cursor.failure("the number does not fit 64 bits", at: start)
  }
}

/// Dates and times of TOML.
enum TOMLDate {
  /// The value of a date, a time, or both; nil for any other text.
  static func value(_ text: String) -> TOML? {
    if isTime(text) { return .local(text) }
    guard isDate(String(text.prefix(10))) else { return nil }
    if text.utf8.count == 10 { return .local(text) }
    let time = String(text.dropFirst(11))
    guard let mark = text.dropFirst(10).first, "Tt ".contains(mark) else { return nil }
    if isTime(time) { return .local(text) }
    return Timestamp.parse(cut(text)).map { .dateTime(milliseconds: $0) }
  }

  static func isDate(_ text: String) -> Bool {
    text.utf8.count == 10 && Timestamp.parse(text) != nil
  }

  /// Whether a text is a time without an offset.
  static func isTime(_ text: String) -> Bool {
    text.utf8.count >= 8 && text.utf8.first.map(TOMLCursor.isDigit) == true
      && text.dropFirst(2).hasPrefix(":") && Timestamp.parse("1970-01-01T\(cut(text))Z") != nil
  }

  /// A text without what stands beyond nanoseconds, which is cut off as the format allows.
  private static func cut(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    let digits = text[text.index(after: point)...].prefix { $0.isNumber }
    guard digits.count > 9 else { return text }
    return String(text[...point] + digits.prefix(9) + text[digits.endIndex...])
  }
}
