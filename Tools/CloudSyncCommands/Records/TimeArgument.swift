import ArgumentParser
import Formats

/// A point in time on the command line: RFC 3339, a date, or how long ago.
enum TimeArgument: ExpressibleByArgument {
  /// Milliseconds since 1970.
  case point(Int64)
  /// So many milliseconds before now.
  case ago(Int64)

  init?(argument: String) {
    if let point = Timestamp.parse(argument) {
      self = .point(point)
    } else if let span = DurationText.parse(argument), span >= 0 {
      self = .ago(span)
    } else {
      return nil
    }
  }

  func milliseconds(now: Int64) -> Int64 {
    switch self {
    case .point(let point): point
    case .ago(let span): now.subtractingReportingOverflow(span).partialValue
    }
  }
}
