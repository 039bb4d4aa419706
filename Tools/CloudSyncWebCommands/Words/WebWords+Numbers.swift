import PageTemplates

extension WebWords {
  /// A number with at most so many digits behind the point, and none that are zero at its end.
  func decimal(_ value: Double, places: Int = 1) -> String {
    var text = fixed(value, places: places)
    guard places > 0, text != "–" else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." || text.last == "," { text.removeLast() }
    return text
  }

  /// A number with exactly so many digits behind the point.
  func fixed(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let parts = (value * Double(scale)).rounded()
    guard parts.isFinite, let whole = Int(exactly: parts) else { return "–" }
    let text = number(Int(whole.magnitude) / scale)
    let sign = whole < 0 ? "-" : ""
    guard places > 0 else { return sign + text }
    let rest = String(Int(whole.magnitude) % scale)
    let zeros = String(repeating: "0", count: places - rest.count)
    return "\(sign)\(text)\(language == .german ? "," : ".")\(zeros)\(rest)"
  }

  /// An amount of money with its currency, which may be unknown.
  func money(_ amount: Double, _ currency: String) -> String {
    let text = fixed(amount, places: 2)
    // A space that does not break.
    return currency.isEmpty ? text : "\(text)\u{A0}\(currency)"
  }

  /// A date in the precision in which it is known: `2024`, `2024-01`, `2024-01-15`, or a time with its own zone.
  func date(_ text: String) -> String {
    switch text.utf8.count {
    case 7: return month(text)
    case 10: return day(text) ?? text
    case 16...:
      guard let day = day(String(text.prefix(10))) else { return text }
      return "\(day), \(text.dropFirst(11).prefix(5))"
    default: return text
    }
  }

  /// A month that is written as `2026-11`.
  func month(_ text: String) -> String {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 2, 1...12 ~= parts[1] else { return text }
    return "\(self["month.\(parts[1])"]) \(parts[0])"
  }
}
