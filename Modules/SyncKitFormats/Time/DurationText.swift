/// Spans of time as people write them in settings and options: `500ms`, `15m`, `1h30m`, `400d`.
///
/// The units are `d`, `h`, `m`, `s` and `ms`; a day is always 24 hours. Larger units come first, each at
/// most once, and a minus sign in front turns the whole around.
public enum DurationText {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// Reads a span.
  ///
  /// A number may be larger than the next unit (`90m`) and every number needs its unit, also 0. There
  /// are no fractions and no spaces.
  ///
  /// - Returns: Milliseconds, or nil for any other text and for spans beyond 64 bits.
  public static func parse(_ text: String) -> Int64? {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var units = Self.units[...]
    var total: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      let name = Substring(rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
      rest = rest.dropFirst(name.utf8.count)
      guard let position = units.firstIndex(where: { $0.name == name }),
        // Summed below zero, where 64 bits reach one further.
        let count = Int64("-\(Substring(digits))")
      else { return nil }
      let (part, isTooLong) = count.multipliedReportingOverflow(by: units[position].milliseconds)
      let (sum, isTooMuch) = total.addingReportingOverflow(part)
      guard !isTooLong, !isTooMuch else { return nil }
      total = sum
      units = units[(position + 1)...]
    }
    if isNegative { return total }
    return total == .min ? nil : -total
  }

  /// Writes a span exactly, in the largest units there are and without those that are zero.
  ///
  /// Every span has one text, which ``parse(_:)`` reads back to it; none at all is `0s`.
  public static func format(milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "0s" }
    var rest = milliseconds.magnitude
    var text = milliseconds < 0 ? "-" : ""
    for unit in units {
      let (count, remainder) = rest.quotientAndRemainder(dividingBy: unit.milliseconds.magnitude)
      if count > 0 { text += "\(count)\(unit.name)" }
      rest = remainder
    }
    return text
  }
}
