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

  /// The seconds by which the clock on the wall is ahead of UTC when it shows this.
  package static func offset(wall: Int64) -> Int64 {
    milliseconds(wall: wall).map { (wall - $0) / 1_000 } ?? 0
  }

  /// Reads what ``text(_:)`` shows, in this machine's zone or with an offset; nil for any other text.
  package static func parse(shown text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let wall = Timestamp.parse("\(parts[0])T\(parts[1])Z") else {
      return nil
    }
    if parts[2] == "UTC" { return wall }
    if let point = Timestamp.parse("\(parts[0])T\(parts[1])\(parts[2])") { return point }
    // The clock shows an hour twice in autumn; the name tells which.
    guard let point = milliseconds(wall: wall) else { return nil }
    return [0, -3_600_000, 3_600_000].map { point + $0 }.first { Self.text($0) == text }
  }

  /// Shows a point in time for people, with its zone: `2026-11-25 08:16:27 CET`.
  package static func text(_ milliseconds: Int64) -> String {
    var seconds = time_t(floor(milliseconds, by: 1_000))
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return universal(milliseconds) }
    let name = parts.tm_zone.map { String(cString: $0) } ?? ""
    return text(milliseconds, offset: Int64(parts.tm_gmtoff), name: name)
  }

  /// The same in a zone of so many seconds east of Greenwich.
  ///
  /// A name that is no abbreviation is left out in favour of the offset: where the system lacks the zones,
  /// it calls New York `America` and shows UTC.
  package static func text(_ milliseconds: Int64, offset: Int64, name: String) -> String {
    let (shifted, isOver) = milliseconds.addingReportingOverflow(offset * 1_000)
    guard !isOver else { return universal(milliseconds) }
    let isName = 3...5 ~= name.utf8.count && name.utf8.allSatisfy { 0x41...0x5A ~= $0 }
    return "\(clock(shifted)) \(isName ? name : zone(offset))"
  }

  private static func universal(_ milliseconds: Int64) -> String { "\(clock(milliseconds)) UTC" }

  /// `2026-11-25 07:16:27`, as it would be in UTC.
  private static func clock(_ milliseconds: Int64) -> String {
    let whole = Timestamp.format(milliseconds: milliseconds)
    return "\(whole.prefix(10)) \(whole.dropFirst(11).prefix(8))"
  }

  /// `+05:45`, and `UTC` for none.
  private static func zone(_ offset: Int64) -> String {
    guard offset != 0 else { return "UTC" }
    let minutes = abs(offset) / 60
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// The point in time at which the clock on the wall shows what it would show at `wall` in UTC.
  package static func milliseconds(wall: Int64) -> Int64? {
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
