/// Reads the dates of a column of an export, in whatever language and order they are written.
///
/// ```swift
/// let column = DateColumn(rows.map(\.date))
/// for row in rows {
///   switch column.read(row.date) {
///   case .time(let time): use(time.milliseconds())
///   case .doubtful: ask("is \(row.date) d/m/y or m/d/y?")
///   case .unreadable: refuse(row)
///   }
/// }
/// ```
///
/// Read are months by name in some sixty languages or by number, digits of any script, clocks of 24 hours
/// and of twelve with the words for the halves of the day, times before or after the date and with points
/// for colons, offsets from UTC, and the years of Thailand. RFC 3339 is read as well.
///
/// Whether `05/06/2026` is in May or June follows from the column as a whole: one `13/06/2026` in it says
/// that the day comes first. Where nothing in the column says it, such a date is ``Reading/doubtful`` and
/// the caller has to ask. With points, as in `5.6.2026`, the day comes first; a year in front is followed
/// by the month.
///
/// Source of the names: Unicode CLDR.
public struct DateColumn: Sendable {
  /// The order of day, month and year where all are numbers.
  public enum Order: String, Sendable, CaseIterable {
    /// Day, month, year.
    case dayFirst = "d/m/y"
    /// Month, day, year.
    case monthFirst = "m/d/y"
    /// Year, month, day.
    case yearFirst = "y-m-d"

    /// Reads a pattern such as `d/m/y`, `dd.MM.yyyy HH:mm` or `mdy`; nil for one without the three letters.
    public init?(pattern: String) {
      var letters = ""
      for letter in pattern.lowercased() where "dmy".contains(letter) && !letters.contains(letter) {
        letters.append(letter)
      }
      switch letters {
      case "dmy": self = .dayFirst
      case "mdy": self = .monthFirst
      case "ymd": self = .yearFirst
      default: return nil
      }
    }
  }

  /// What a text says.
  public enum Reading: Sendable, Equatable {
    /// A date, and perhaps a time.
    case time(WrittenTime)
    /// A date of which day and month can be exchanged, where nothing says which is which.
    case doubtful
    /// No date, or one in an unknown language.
    case unreadable

    /// The date; nil when it is doubtful or unreadable.
    public var time: WrittenTime? { if case .time(let time) = self { time } else { nil } }
  }

  /// The order of numbers, nil where nothing says it.
  public let order: Order?
  /// The languages whose names of months all agree with the column, nil where there are no names.
  private let languages: Set<Int>?

  /// Reads numbers in an order that the caller knows.
  public init(order: Order) {
    self.order = order
    languages = nil
  }

  /// Finds out the order and the language from all texts of a column.
  public init(_ texts: some Sequence<String>) {
    var orders: Set<Order> = []
    var languages: Set<Int>?
    var seen: Set<String> = []
    for text in texts {
      guard let date = WrittenDate(text) else { continue }
      if let order = date.evidentOrder { orders.insert(order) }
      guard let month = date.monthName, seen.insert(month).inserted else { continue }
      let own = Set(DateWords.months(month).map(\.language))
      guard let common = languages else {
        languages = own
        continue
      }
      // A column in two languages is read word by word.
      languages = common.intersection(own)
    }
    order = orders.count == 1 ? orders.first : nil
    self.languages = languages.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads one text.
  public func read(_ text: String) -> Reading {
    if let milliseconds = Timestamp.parse(text) {
      return .time(WrittenTime(instant: milliseconds, isDay: text.utf8.count == 10))
    }
    guard let date = WrittenDate(text) else { return .unreadable }
    return date.reading(order: order, languages: languages)
  }
}

/// A date as it is written, with a time if there is one and an offset if it is named.
public struct WrittenTime: Sendable, Hashable {
  /// The day.
  public let date: CivilDate
  /// The milliseconds since midnight on the clock on the wall; nil for a day without a time.
  public let time: Int64?
  /// The minutes by which that clock is ahead of UTC; nil when the text names no zone.
  public let offset: Int64?

  init(date: CivilDate, time: Int64?, offset: Int64?) {
    self.date = date
    self.time = time
    self.offset = offset
  }

  init(instant: Int64, isDay: Bool) {
    let (days, rest) = CivilDate.divide(instant, by: 86_400_000)
    date = CivilDate(daysSince1970: days)
    time = isDay ? nil : rest
    offset = isDay ? nil : 0
  }

  /// The point in time, in milliseconds since 1970; a day is its midnight.
  ///
  /// - Parameter zone: Gives the point in time for a clock on the wall, where the text names no zone; UTC
  ///   unless the place is known.
  /// - Returns: Milliseconds since 1970.
  public func milliseconds(zone: (Int64) -> Int64 = { $0 }) -> Int64 {
    let wall = date.daysSince1970 * 86_400_000 + (time ?? 0)
    return offset.map { wall - $0 * 60_000 } ?? zone(wall)
  }
}
