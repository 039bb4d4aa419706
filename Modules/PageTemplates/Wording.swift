/// The words of pages in one language, by name, with the numbers and times in them.
package struct Wording: Sendable {
  package let language: PageLanguage
  /// All of them, for templates.
  package let all: [String: String]

  /// Words of some pages, and with them those for times.
  package init(_ language: PageLanguage, _ words: [String: String]) {
    self.language = language
    all = words.merging(language == .german ? Self.germanTimes : Self.englishTimes) { own, _ in own
    }
  }

  /// A word, with values in place of `{0}`, `{1}` and so on; one that is missing is its name.
  package func text(_ name: String, _ values: [String] = []) -> String {
    var text = all[name] ?? name
    for (index, value) in values.enumerated() { text = text.replacing("{\(index)}", with: value) }
    return text
  }

  /// A word for a number of things: that under `NAME.one` for one, that under `NAME.many` for others.
  package func count(_ name: String, _ number: Int) -> String {
    text(number == 1 ? "\(name).one" : "\(name).many", [self.number(number)])
  }

  /// A whole number with its thousands apart.
  package func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) {
        text += language == .german ? "." : ","
      }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// A number of bytes in the unit that says it well, of powers of 1,000.
  package func bytes(_ count: Int64) -> String {
    guard count >= 1_000 else {
      let unit = language == .german ? "Byte" : count == 1 ? "byte" : "bytes"
      return "\(max(0, count))\u{A0}\(unit)"
    }
    var (unit, rest) = ("kB", Double(count) / 1_000)
    for next in ["MB", "GB", "TB", "PB"] where rest >= 999.5 { (unit, rest) = (next, rest / 1_000) }
    let tenths = Int((rest * 10).rounded())
    let isWhole = tenths >= 1_000 || tenths.isMultiple(of: 10)
    let separator = language == .german ? "," : "."
    let digits = isWhole ? "\((tenths + 5) / 10)" : "\(tenths / 10)\(separator)\(tenths % 10)"
    // The number stays with its unit.
    return "\(digits)\u{A0}\(unit)"
  }

  /// A day for people.
  package func day(year: Int64, month: Int64, day: Int64) -> String {
    if language == .german { return "\(day).\(month).\(year)" }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(day) \(months[Int(min(max(month, 1), 12)) - 1]) \(year)"
  }

  /// How long ago something was, by the milliseconds since.
  package func ago(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    if seconds < -60 { return text("ago.ahead") }
    let steps: [(Int64, String)] = [
      (86_400 * 365, "year"), (86_400 * 30, "month"), (86_400, "day"), (3_600, "hour"),
      (60, "minute"),
    ]
    for (length, unit) in steps where seconds >= length {
      return count("ago.\(unit)", Int(seconds / length))
    }
    return text("ago.now")
  }

  private static let englishTimes = [
    "ago.now": "just now",
    "ago.minute.one": "1 minute ago", "ago.minute.many": "{0} minutes ago",
    "ago.hour.one": "1 hour ago", "ago.hour.many": "{0} hours ago",
    "ago.day.one": "yesterday", "ago.day.many": "{0} days ago",
    "ago.month.one": "1 month ago", "ago.month.many": "{0} months ago",
    "ago.year.one": "1 year ago", "ago.year.many": "{0} years ago",
    "ago.ahead": "in the future",
    "never": "never",
  ]

  private static let germanTimes = [
    "ago.now": "gerade eben",
    "ago.minute.one": "vor 1 Minute", "ago.minute.many": "vor {0} Minuten",
    "ago.hour.one": "vor 1 Stunde", "ago.hour.many": "vor {0} Stunden",
    "ago.day.one": "gestern", "ago.day.many": "vor {0} Tagen",
    "ago.month.one": "vor 1 Monat", "ago.month.many": "vor {0} Monaten",
    "ago.year.one": "vor 1 Jahr", "ago.year.many": "vor {0} Jahren",
    "ago.ahead": "in der Zukunft",
    "never": "nie",
  ]
}
