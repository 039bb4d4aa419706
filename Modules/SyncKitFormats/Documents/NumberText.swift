/// A finite number with all of its digits, in the grammar of JSON.
///
/// Sixty-four bits hold neither `12345678901234567890123` nor `0.1234567890123456789`; a text does.
public struct NumberText: Hashable, Sendable {
  /// The number as it was written, without `+` and `_`.
  public let text: String
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int
  /// Whether it was written without a point and an exponent.
  public let isWhole: Bool

  /// Takes the number in a text; nil for any other text, and for infinities.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    var position = 0
    func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }
    func takeDigits() -> ArraySlice<UInt8> {
      let start = position
      while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
      return bytes[start..<position]
    }
    let isNegative = take(UInt8(ascii: "-"))
    let whole = takeDigits()
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
    var isWhole = true
    var fraction: ArraySlice<UInt8> = []
    if take(UInt8(ascii: ".")) {
      isWhole = false
      fraction = takeDigits()
      guard !fraction.isEmpty else { return nil }
    }
    var power = 0
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      let isSmall = take(UInt8(ascii: "-"))
      if !isSmall { _ = take(UInt8(ascii: "+")) }
      let digits = takeDigits()
      guard !digits.isEmpty else { return nil }
      // No text is long enough for its digits to make up for a power beyond this.
      let size = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1 << 50) }
      power = isSmall ? -size : size
    }
    guard position == bytes.count else { return nil }
    var significant = Array((Array(whole) + fraction).drop { $0 == UInt8(ascii: "0") })
    var exponent = power - fraction.count
    while significant.last == UInt8(ascii: "0") {
      significant.removeLast()
      exponent += 1
    }
    self.text = text
    self.isWhole = isWhole
    self.isNegative = isNegative && !(isWhole && significant.isEmpty)
    self.digits = significant
    self.exponent = significant.isEmpty ? 0 : exponent
  }

  /// Takes a whole number.
  public init(_ value: some BinaryInteger) { self.init(trusted: "\(value)") }

  /// Takes a finite number, as the shortest text that gives the same one back.
  public init?(_ value: Double) { self.init("\(value)") }

  private init(trusted text: String) {
    let bytes = Array(text.utf8)
    self.text = text
    isWhole = true
    isNegative = bytes.first == UInt8(ascii: "-")
    var digits = bytes.filter(Self.isDigit).drop { $0 == UInt8(ascii: "0") }
    let count = digits.count
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    self.digits = Array(digits)
    exponent = count - digits.count
  }

  /// The nearest double, if the shortest text of it has the same digits; nil otherwise.
  public var double: Double? {
    guard let value = Double(text), value.isFinite, let short = NumberText(value),
      short.digits == digits, short.exponent == exponent, short.isNegative == isNegative
    else { return nil }
    return value
  }

  /// The number with a point before an exponent and a sign in it, as all readers of YAML need it.
  public var explicit: String {
    guard let mark = text.firstIndex(where: { "eE".contains($0) }) else { return text }
    let mantissa = text[..<mark]
    let exponent = text[text.index(after: mark)...]
    let sign = exponent.hasPrefix("-") || exponent.hasPrefix("+") ? "" : "+"
    return (mantissa.contains(".") ? mantissa : mantissa + ".0") + "e" + sign + exponent
  }

  /// Both are equal where they stand for the same number, and both or neither are whole.
  public static func == (left: NumberText, right: NumberText) -> Bool {
    left.isWhole == right.isWhole && left.isNegative == right.isNegative
      && left.digits == right.digits && left.exponent == right.exponent
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(isWhole)
    hasher.combine(isNegative)
    hasher.combine(digits)
    hasher.combine(exponent)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
