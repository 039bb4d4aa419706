extension JSONParser {
  /// Reads a number that begins with a digit or a minus sign.
  package mutating func parseNumber() throws(JSONError) -> JSON {
    let start = offset
    var number = Decimal(isNegative: take(UInt8(ascii: "-")))
    if next == UInt8(ascii: "0") {
      offset += 1
      if digit != nil { throw failure("a number may not have a leading zero", at: start) }
    } else {
      try eachDigit { number.append($0) }
    }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      let fraction = offset
      try eachDigit { number.append($0) }
      number.exponent = fraction - offset
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      let isNegative = take(UInt8(ascii: "-"))
      if !isNegative { _ = take(UInt8(ascii: "+")) }
      var power = 0
      // No text is long enough for its digits to make up for a power beyond this.
      try eachDigit { power = min(power * 10 + Int($0), 1 << 59) }
      number.exponent += isNegative ? -power : power
    }
    if isWhole, let value = number.int64 { return .int(value) }
    if let value = number.exactDouble { return .double(value) }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw failure("the number is too large for a double", at: start)
    }
    return .double(value)
  }

  private var digit: UInt8? {
    let byte = next
    return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : nil
  }

  private mutating func eachDigit(_ body: (UInt8) -> Void) throws(JSONError) {
    guard digit != nil else { throw unexpected("a digit") }
    while let digit {
      body(digit)
      offset += 1
    }
  }
}

/// The digits of a number while they are read, good for as long as they fit 64 bits.
private struct Decimal {
  let isNegative: Bool
  var exponent = 0
  private var magnitude: UInt64 = 0
  private var digits = 0
  private var isExact = true

  init(isNegative: Bool) { self.isNegative = isNegative }

  mutating func append(_ digit: UInt8) {
    // 19 digits fit 64 bits whatever they are.
    guard digits < 19 else {
      isExact = false
      return
    }
    magnitude = magnitude * 10 + UInt64(digit)
    if magnitude != 0 { digits += 1 }
  }

  /// The whole number, read as if there were no exponent; nil beyond 64 bits.
  var int64: Int64? {
    guard isExact else { return nil }
    if !isNegative { return Int64(exactly: magnitude) }
    if magnitude == Int64.min.magnitude { return .min }
    return Int64(exactly: magnitude).map { -$0 }
  }

  /// The value where one rounding is enough to get it: whole number and power of ten are both exact.
  var exactDouble: Double? {
    guard isExact, magnitude <= 1 << 53, abs(exponent) < Self.powers.count else { return nil }
    let scale = Self.powers[abs(exponent)]
    let value = exponent < 0 ? Double(magnitude) / scale : Double(magnitude) * scale
    return isNegative ? -value : value
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
