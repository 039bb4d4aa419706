/// Clocks that differ, in words.
package enum ClockWords {
  /// What to do about a wrong clock, for the end of a sentence.
  package static let remedy = "'timedatectl set-ntp true' lets the network do it"

  /// A time in the largest unit that says it well: `90 minutes`, `3 hours`, `2 days`.
  package static func span(_ milliseconds: Int64) -> String {
    let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)
    let length = abs(milliseconds)
    func count(_ unit: Int64, _ name: String) -> String {
      "\(Plural(Int((length + unit / 2) / unit), name))"
    }
    if length < 2 * hour { return count(minute, "minute") }
    return length < 2 * day ? count(hour, "hour") : count(day, "day")
  }

  /// Which clock is ahead and by how much, as a sentence without full stop.
  ///
  /// - Parameters:
  ///   - lead: By how many milliseconds this device's clock is ahead of the other; negative when it is behind.
  ///   - other: Where the other clock is.
  /// - Returns: The sentence.
  package static func sentence(lead: Int64, of other: String) -> String {
    "The clock of this device is \(span(lead)) \(lead > 0 ? "ahead of" : "behind") that of \(other)"
  }
}
