import PageTemplates
import SyncKitText

extension Wording {
  /// A point in time for a template: how long ago, and in full.
  ///
  /// - Returns: `false` for none: of a value that is missing, a template would take that of what is around.
  func moment(_ time: Int64?, now: Int64) -> Any {
    guard let time else { return false }
    return [
      "machine": Timestamp.format(milliseconds: time), "ago": ago(now - time), "full": full(time),
    ]
  }

  /// A point in time in UTC: a server has people in many zones.
  func full(_ time: Int64) -> String {
    let day = CivilDate(daysSince1970: CivilDate.divide(time, by: 86_400_000).quotient)
    let clock = Timestamp.format(milliseconds: time).dropFirst(11).prefix(5)
    return "\(self.day(year: day.year, month: day.month, day: day.day)), \(clock) UTC"
  }
}
