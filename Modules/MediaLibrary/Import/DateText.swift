import SyncKitFormats

/// Dates in the forms of other services.
enum DateText {
  /// Reads a date alone, with no others to tell the order of its numbers.
  static func day(_ text: String) -> Day? { DayColumn([text]).read(text)?.day }
}

/// A day of a table, and its time where the text says in which zone it is.
struct Moment: Hashable {
  let day: Day
  /// Milliseconds since 1970; nil when there is no time, or no zone.
  let at: Int64?

  /// Whether a time is one: services write the beginning of time for a day that they do not know.
  static func isKnown(_ milliseconds: Int64) -> Bool { milliseconds >= 86_400_000 * 2 }

  /// Whether a text stands for a day that is unknown.
  static func isUnknown(_ text: String) -> Bool {
    if ["unknown", "null", "nil", "none", "n/a", "-", "--", "0", "false"].contains(
      text.lowercased())
    {
      return true
    }
    if isLost(text) { return true }
    let starts = ["0000", "0001-01-01", "00/00"]
    return starts.contains { text.hasPrefix($0) }
  }

  /// Whether a text stands for a day that was, and is unknown: the beginning of time, or a year with a
  /// month or day of zero.
  static func isLost(_ text: String) -> Bool {
    let starts = ["1970-01-01", "1969-12-31", "1/1/1970", "01/01/1970"]
    if text.lowercased() == "unknown" || starts.contains(where: { text.hasPrefix($0) }) {
      return true
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].utf8.count == 4 && parts[0] != "0000"
      && (parts[1] == "00" || parts[2] == "00")
  }
}

/// The dates of a column: the order of their numbers follows from all of them.
///
/// Where no number tells, the order in which the days of the file rise or fall without a break does, as
/// histories are sorted.
struct DayColumn {
  /// Whether dates of the column can be read in two ways.
  let isDoubtful: Bool
  private let column: DateColumn

  init(_ written: [String], order: DateColumn.Order? = nil) {
    let texts = written.map { Self.whole($0) }
    if let order {
      (column, isDoubtful) = (DateColumn(order: order), false)
      return
    }
    let found = DateColumn(texts)
    guard texts.contains(where: { found.read($0) == .doubtful }) else {
      (column, isDoubtful) = (found, false)
      return
    }
    let sorted = [DateColumn.Order.dayFirst, .monthFirst].filter { order in
      let tried = DateColumn(order: order)
      let days = texts.compactMap { tried.read($0).time?.date.daysSince1970 }
      let pairs = zip(days, days.dropFirst())
      return days.count > 2 && (pairs.allSatisfy { $0 <= $1 } || pairs.allSatisfy { $0 >= $1 })
    }
    (column, isDoubtful) =
      sorted.count == 1 ? (DateColumn(order: sorted[0]), false) : (found, true)
  }

  /// Reads one text; nil when it is no date, or one of two readings.
  func read(_ text: String) -> Moment? {
    if let day = Day(text) { return Moment(day: day, at: nil) }
    if let moment = Self.unix(text) { return Moment(day: Day(milliseconds: moment), at: moment) }
    if let moment = SyncKitFormats.DateText.asctime(text) {
      return Moment(day: Day(milliseconds: moment), at: nil)
    }
    guard let time = column.read(Self.whole(text)).time, let day = Day(time.date.text) else {
      return nil
    }
    return Moment(day: day, at: time.offset == nil ? nil : time.milliseconds())
  }

  /// A date with its whole year: `6/19/26` is `6/19/2026`.
  private static func whole(_ text: String) -> String {
    let parts = text.split(omittingEmptySubsequences: false) { "/.-".contains($0) }
    guard parts.count == 3, let sign = text.first(where: { "/.-".contains($0) }),
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.allSatisfy(\.isNumber) }),
      let year = Int(parts[2])
    else { return text }
    return "\(parts[0])\(sign)\(parts[1])\(sign)\(year < 70 ? 2_000 + year : 1_900 + year)"
  }

  /// Seconds, milliseconds or microseconds since 1970, by the number of digits.
  private static func unix(_ text: String) -> Int64? {
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text) else { return nil }
    switch text.utf8.count {
    case 9, 10: return number * 1_000
    case 12, 13: return number
    case 15, 16: return number / 1_000
    default: return nil
    }
  }
}
