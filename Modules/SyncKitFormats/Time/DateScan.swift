/// Takes parts of dates from the front of a text; every step is nil or false where the text differs.
struct DateScan {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func date() -> CivilDate? {
    guard let year = number(digits: 4...4), take("-"), let month = number(digits: 2...2),
      take("-"), let day = number(digits: 2...2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// The milliseconds since midnight of a time with seconds.
  mutating func time(hours: ClosedRange<Int64>, needsSeconds: Bool = true) -> Int64? {
    guard let hour = number(digits: 1...2), hours.contains(hour), take(":"),
      let minute = number(digits: 2...2), minute < 60
    else { return nil }
    var second: Int64 = 0
    if needsSeconds || rest.first == UInt8(ascii: ":") {
      guard take(":"), let value = number(digits: 2...2), value < 60 else { return nil }
      second = value
    }
    return ((hour * 60 + minute) * 60 + second) * 1000
  }

  /// 1 for January, by the first three letters of English.
  mutating func month() -> Int64? {
    name(of: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])
  }

  /// 1 for Monday.
  mutating func weekday() -> Int64? {
    name(of: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
  }

  mutating func number(digits: ClosedRange<Int>) -> Int64? {
    let found = rest.prefix(digits.upperBound).prefix { 0x30...0x39 ~= $0 }
    guard digits.contains(found.count) else { return nil }
    rest = rest.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// One space or several, those that do not break included.
  mutating func takeSpaces() -> Bool {
    var isTaken = false
    while take(" ") || take("\u{202F}") || take("\u{A0}") { isTaken = true }
    return isTaken
  }

  private mutating func name(of names: [String]) -> Int64? {
    for (index, name) in names.enumerated() where take(name) { return Int64(index + 1) }
    return nil
  }
}
