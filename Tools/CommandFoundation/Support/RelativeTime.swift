import SyncKitFormats

/// Points in time by their distance from now, for people: `3 minutes ago`, `in 2 hours`, `just now`.
package enum RelativeTime {
  private static let minute: Int64 = 60_000
  private static let hour = 60 * minute
  private static let day = 24 * hour

  /// Shows a point in time seen from `now`, both in milliseconds since 1970.
  ///
  /// Parts of a unit do not count: 119 seconds ago was a minute ago.
  package static func text(_ milliseconds: Int64, now: Int64) -> String {
    let (distance, isOver) = now.subtractingReportingOverflow(milliseconds)
    guard !isOver else { return LocalTime.text(milliseconds) }
    let amount = distance.magnitude > UInt64(Int64.max) ? Int64.max : abs(distance)
    guard amount >= minute else { return "just now" }
    let span =
      amount < hour
      ? "\(Plural(Int(amount / minute), "minute"))"
      : amount < 2 * day
        ? "\(Plural(Int(amount / hour), "hour"))" : "\(Plural(Int(amount / day), "day"))"
    return distance < 0 ? "in \(span)" : "\(span) ago"
  }
}
