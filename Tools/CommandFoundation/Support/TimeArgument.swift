import ArgumentParser
import SyncKitFormats

/// A point in time on the command line: a time with or without a zone, a date, or how long ago.
///
/// Without a zone it is local time.
package enum TimeArgument: ExpressibleByArgument {
  /// Milliseconds since 1970.
  case point(Int64)
  /// A date: its midnight in UTC, by which records keep days, and on the clock on the wall.
  case day(utc: Int64, local: Int64)
  /// A number of milliseconds before now.
  case ago(Int64)

  /// What help says of the forms.
  package static let forms =
    "2026-11-25, '2026-11-25 07:16' in local time, 2026-11-25T07:16:27Z, or how long ago, such as 2d"

  package init?(argument: String) {
    if let point = Timestamp.parse(argument) {
      let local = argument.utf8.count == 10 ? LocalTime.parse(argument) : nil
      self = local.map { .day(utc: point, local: $0) } ?? .point(point)
    } else if let point = LocalTime.parse(argument) ?? LocalTime.parse(shown: argument) {
      self = .point(point)
    } else if let span = DurationText.parse(argument), span >= 0 {
      self = .ago(span)
    } else {
      return nil
    }
  }

  /// A moment; a date is its local midnight.
  package func milliseconds(now: Int64) -> Int64 {
    switch self {
    case .point(let point): point
    case .day(_, let local): local
    case .ago(let span): now.subtractingReportingOverflow(span).partialValue
    }
  }

  /// When something was, as records keep it: a date is its midnight in UTC wherever one is, so that it shows
  /// as the same day on every device.
  package func recorded(now: Int64) -> Int64 {
    if case .day(let utc, _) = self { utc } else { milliseconds(now: now) }
  }
}
