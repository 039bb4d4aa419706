import SyncKitFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Points in time as the clock on the wall shows them, in the zone of the system or of `TZ`.
package enum LocalTime {
  /// Reads `2026-11-25`, `2026-11-25 07:16`, `2026-11-25T07:16:27` and parts of a second after it.
  ///
  /// A time that the clock skips in spring counts as one hour later; one that it shows twice in autumn is
  /// whichever of the two the system takes.
  /// - Returns: Milliseconds since 1970; nil for any other text.
  package static func parse(_ text: String) -> Int64? {
    let isDay = text.utf8.count == 10
    let wall =
      isDay ? Timestamp.parse(text) : Timestamp.parse("\(text)Z") ?? Timestamp.parse("\(text):00Z")
    return wall.flatMap(milliseconds(wall:))
  }

  /// Shows a point in time for people: `2026-11-25 07:16:27`.
  package static func text(_ milliseconds: Int64) -> String {
    var seconds = time_t(floor(milliseconds, by: 1_000))
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else {
      return String(Timestamp.format(milliseconds: milliseconds).prefix(19))
    }
    let shift = Int64(parts.tm_gmtoff) * 1_000
    let whole = Timestamp.format(
      milliseconds: milliseconds.addingReportingOverflow(shift).partialValue)
    return "\(whole.prefix(10)) \(whole.dropFirst(11).prefix(8))"
  }

  /// The point in time at which the clock on the wall shows what it would show at `wall` in UTC.
  private static func milliseconds(wall: Int64) -> Int64? {
    let whole = floor(wall, by: 1_000)
    var seconds = time_t(whole)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return nil }
    // Whether it is summer time is for the system to find out.
    parts.tm_isdst = -1
    let local = mktime(&parts)
    return Int64(local) * 1_000 + (wall - whole * 1_000)
  }

  private static func floor(_ value: Int64, by unit: Int64) -> Int64 {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
    return rest < 0 ? quotient - 1 : quotient
  }
}
