/// Reads RFC 3339 from the front of some bytes; every step is nil where the text ends or differs.
struct TimestampParser {
  let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func parse() -> Int64? {
    guard let date = parseDate() else { return nil }
    let midnight = date.daysSince1970 * 86_400_000
    if offset == bytes.count { return midnight }
    guard take("T") || take("t") || take(" "), let time = parseTime(), let shift = parseOffset(),
      offset == bytes.count
    else { return nil }
    let result = midnight + time.milliseconds - shift * 60_000
    if time.isLeapSecond, !isStartOfMonth(result - time.milliseconds % 1000) { return nil }
    return result
  }

  private mutating func parseDate() -> CivilDate? {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  private mutating func parseTime() -> (milliseconds: Int64, isLeapSecond: Bool)? {
    guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2),
      minute < 60, take(":"), let second = number(digits: 2), second <= 60
    else { return nil }
    var milliseconds = ((hour * 60 + minute) * 60 + second) * 1000
    if take(".") {
      var unit: Int64 = 100
      var digits = 0
      while let digit = number(digits: 1) {
        milliseconds += digit * unit
        unit /= 10
        digits += 1
      }
      guard 1...9 ~= digits else { return nil }
    }
    return (milliseconds, second == 60)
  }

  /// The minutes by which the local time is ahead of UTC.
  private mutating func parseOffset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hours = number(digits: 2), hours < 24, take(":"),
      let minutes = number(digits: 2), minutes < 60
    else { return nil }
    return isAhead ? hours * 60 + minutes : -(hours * 60 + minutes)
  }

  private func isStartOfMonth(_ milliseconds: Int64) -> Bool {
    let (days, rest) = CivilDate.divide(milliseconds, by: 86_400_000)
    return rest == 0 && CivilDate(daysSince1970: days).day == 1
  }

  private mutating func number(digits: Int) -> Int64? {
    guard bytes.count - offset >= digits else { return nil }
    var value: Int64 = 0
    for byte in bytes[offset..<offset + digits] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    offset += digits
    return value
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }
}
