/// Dates and times as the exports of other programs write them, beside those of RFC 3339.
///
/// Every form is read strictly: a date that does not exist, a wrong day of the week or anything before or
/// after is nil. Where a text names no zone, the result is that of UTC, and the caller takes away the
/// offset of the place if it is known.
public enum DateText {
  /// A date alone, `2026-03-01`.
  public static func day(_ text: String) -> CivilDate? {
    var scan = DateScan(text)
    guard let date = scan.date(), scan.isAtEnd else { return nil }
    return date
  }

  /// A date, a time and an offset of four digits, `2026-03-01 17:04:03 +0100`, as Apple Health has them.
  ///
  /// - Returns: Milliseconds since 1970, or nil for any other text.
  public static func offsetTime(_ text: String) -> Int64? {
    var scan = DateScan(text)
    guard let date = scan.date(), scan.takeSpaces(), let time = scan.time(hours: 0...23),
      scan.takeSpaces()
    else { return nil }
    let isAhead = scan.take("+")
    guard isAhead || scan.take("-"), let hours = scan.number(digits: 2...2), hours < 24,
      let minutes = scan.number(digits: 2...2), minutes < 60, scan.isAtEnd
    else { return nil }
    let shift = (hours * 60 + minutes) * 60_000
    return date.daysSince1970 * 86_400_000 + time + (isAhead ? -shift : shift)
  }

  /// English with a clock of twelve hours, `Mar 1, 2026, 5:04:03 PM`, as Strava and Apple write it.
  ///
  /// Any of the spaces that do not break may stand before `AM` and `PM`; the second comma and the seconds
  /// may be missing.
  ///
  /// - Returns: Milliseconds since 1970, or nil for any other text.
  public static func englishTime(_ text: String) -> Int64? {
    var scan = DateScan(text)
    guard let month = scan.month(), scan.takeSpaces(), let day = scan.number(digits: 1...2),
      scan.take(","), scan.takeSpaces(), let year = scan.number(digits: 4...4),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    _ = scan.take(",")
    guard scan.takeSpaces(), let time = scan.time(hours: 1...12, needsSeconds: false),
      scan.takeSpaces()
    else { return nil }
    let isAfternoon = scan.take("PM") || scan.take("pm")
    guard isAfternoon || scan.take("AM") || scan.take("am"), scan.isAtEnd else { return nil }
    // Twelve is the hour before one.
    let halfDay: Int64 = 43_200_000
    return date.daysSince1970 * 86_400_000 + time % halfDay + (isAfternoon ? halfDay : 0)
  }

  /// The form of C's `asctime`, `Sun Mar  1 17:04:03 2026`, as old IMDb lists have it.
  ///
  /// - Returns: Milliseconds since 1970, or nil for any other text.
  public static func asctime(_ text: String) -> Int64? {
    var scan = DateScan(text)
    guard let weekday = scan.weekday(), scan.takeSpaces(), let month = scan.month(),
      scan.takeSpaces(), let day = scan.number(digits: 1...2), scan.takeSpaces(),
      let time = scan.time(hours: 0...23), scan.takeSpaces(),
      let year = scan.number(digits: 4...4), scan.isAtEnd,
      let date = CivilDate(year: year, month: month, day: day), date.weekday == weekday
    else { return nil }
    return date.daysSince1970 * 86_400_000 + time
  }

  /// Seconds since 1970, perhaps with a fraction.
  ///
  /// - Returns: Milliseconds since 1970, or nil outside the years 0 to 9999.
  public static func unixSeconds(_ seconds: Double) -> Int64? {
    guard seconds.isFinite, -62_167_219_200...253_402_300_799 ~= seconds else { return nil }
    return Int64((seconds * 1000).rounded())
  }

  /// Seconds since 2001, as Apple's programs count them.
  ///
  /// - Returns: Milliseconds since 1970, or nil outside the years 0 to 9999.
  public static func referenceSeconds(_ seconds: Double) -> Int64? {
    unixSeconds(seconds + 978_307_200)
  }
}
