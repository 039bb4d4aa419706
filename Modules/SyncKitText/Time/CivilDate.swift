/// A day of the Gregorian calendar, and its number counted from 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of its year, and in eras of 400 years,
/// after which the calendar repeats. Source: Howard Hinnant,
/// [chrono-compatible low-level date algorithms](https://howardhinnant.github.io/date_algorithms.html).
public struct CivilDate: Hashable, Sendable {
  /// The year, 0 to 9999.
  public let year: Int64
  /// The month, from 1.
  public let month: Int64
  /// The day of the month, from 1.
  public let day: Int64

  private static let daysPerEra: Int64 = 146_097
  /// From 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468

  /// A date that exists, of the years 0 to 9999; nil for others.
  public init?(year: Int64, month: Int64, day: Int64) {
    guard 0...9999 ~= year, 1...12 ~= month, day >= 1 else { return nil }
    guard day <= Self.days(inMonth: month, ofYear: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date of a day; what lies outside the years 0 to 9999 becomes the nearest day in them.
  public init(daysSince1970: Int64) {
    let daysSince1970 = min(max(daysSince1970, -719_528), 2_932_896)
    let (era, dayOfEra) = Self.divide(daysSince1970 + Self.daysBefore1970, by: Self.daysPerEra)
    let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  /// The number of the day, 0 for 1970-01-01 and less before.
  public var daysSince1970: Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = Self.divide(yearFromMarch, by: 400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.daysBefore1970
  }

  /// The day of the week, 1 for Monday to 7 for Sunday.
  public var weekday: Int64 { Self.divide(daysSince1970 + 3, by: 7).remainder + 1 }

  /// The date as `YYYY-MM-DD`, the form in which it sorts.
  public var text: String {
    String(Timestamp.format(milliseconds: daysSince1970 * 86_400_000).prefix(10))
  }

  /// Divides so that the remainder is never negative; the divisor must be positive.
  package static func divide(
    _ value: Int64, by divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func days(inMonth month: Int64, ofYear year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
