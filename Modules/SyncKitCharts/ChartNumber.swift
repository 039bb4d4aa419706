/// Numbers as charts write them.
public enum ChartNumber {
  /// A value with up to two decimals, and three digits when it is smaller; `–` when it is not finite.
  ///
  /// Thousands of numbers with five digits and more are parted by a narrow space that does not break.
  public static func text(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    if value != 0, value.magnitude < 0.01 {
      var decimals = 2
      var scaled = value.magnitude
      while scaled < 1, decimals < 9 {
        scaled *= 10
        decimals += 1
      }
      return scaled < 1 ? "\(value)" : trimmed(fixed(value, decimals: decimals))
    }
    return trimmed(fixed(value, decimals: 2))
  }

  /// A value with exactly that many decimals, up to nine; in powers of ten when it is too large for that.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    let decimals = min(max(decimals, 0), 9)
    let unit = (0..<decimals).reduce(Int64(1)) { unit, _ in unit * 10 }
    let scaled = (value * Double(unit)).rounded(.toNearestOrAwayFromZero)
    // Beyond, a double has no such decimals.
    guard let whole = Int64(exactly: scaled), whole.magnitude < 1 << 53 else { return "\(value)" }
    let (integer, fraction) = whole.magnitude.quotientAndRemainder(dividingBy: UInt64(unit))
    var text = whole < 0 ? "-" : ""
    text += grouped(String(integer))
    if decimals > 0 {
      let digits = String(fraction)
      text += "." + String(repeating: "0", count: max(0, decimals - digits.count)) + digits
    }
    return text
  }

  private static func grouped(_ digits: String) -> String {
    guard digits.count >= 5 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
      text.append(digit)
    }
    return text
  }

  private static func trimmed(_ text: String) -> String {
    guard text.contains("."), !text.contains("e") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }
    return String((trimmed.first == "." ? trimmed.dropFirst() : trimmed[...]).reversed())
  }
}

extension String {
  /// The number followed by its unit; a percent sign and nothing else stand as close as they should.
  func with(unit: String) -> String { unit.isEmpty ? self : "\(self) \(unit)" }
}
