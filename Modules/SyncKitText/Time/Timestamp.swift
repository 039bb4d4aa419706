/// Points in time as text: RFC 3339 on the outside, milliseconds since 1970 in UTC on the inside.
///
/// The calendar is the Gregorian one throughout, also before 1582, and every day has 86 400 seconds.
///
/// Source: [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339).
public enum Timestamp {
  /// 0000-01-01T00:00:00.000Z, the earliest point that has a text.
  public static let earliest: Int64 = -62_167_219_200_000

  /// 9999-12-31T23:59:59.999Z, the latest point that has a text.
  public static let latest: Int64 = 253_402_300_799_999

  /// Writes a point in time in UTC with milliseconds, always 24 bytes: `2026-11-21T01:02:03.456Z`.
  ///
  /// Texts sort as their times do. A point before ``earliest`` or after ``latest`` gives the text of
  /// that limit.
  public static func format(milliseconds: Int64) -> String {
    let clamped = min(max(milliseconds, earliest), latest)
    let (days, rest) = CivilDate.divide(clamped, by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func append(_ value: Int64, digits: Int, then end: Unicode.Scalar) {
      var unit: Int64 = 1
      for _ in 1..<digits { unit *= 10 }
      while unit > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
        unit /= 10
      }
      bytes.append(UInt8(ascii: end))
    }
    append(date.year, digits: 4, then: "-")
    append(date.month, digits: 2, then: "-")
    append(date.day, digits: 2, then: "T")
    append(rest / 3_600_000, digits: 2, then: ":")
    append(rest / 60_000 % 60, digits: 2, then: ":")
    append(rest / 1000 % 60, digits: 2, then: ".")
    append(rest % 1000, digits: 3, then: "Z")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a date and time of RFC 3339, or a date alone, which means its midnight in UTC.
  ///
  /// A time needs an offset, `Z` or as in `+05:30`; without one the time is unknown. `T` and `Z`
  /// may be lower case, and a space may stand for `T`. Of up to nine digits after the second, those
  /// beyond milliseconds are cut off. A leap second is allowed where one can be, at the end of a month
  /// in UTC, and counts as the first second after it.
  ///
  /// - Returns: Milliseconds since 1970, or nil for any other text and for dates and times that do not
  ///   exist.
  public static func parse(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      var parser = TimestampParser(bytes: bytes)
      return parser.parse()
    }
  }
}
