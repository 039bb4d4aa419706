import SyncKitFormats

/// How far a long step has come, as a line for people.
///
/// `airports: pulling 34% (34000 of 100000 changes), 12000/s, 6 s left`; without a total
/// `reading big.csv: 120 MiB, 30 MiB/s`.
package struct ProgressText {
  /// What is counted.
  package enum Unit: Equatable, Sendable {
    /// Things, by the name of several, such as `changes`.
    case count(String)
    case bytes
  }

  /// How much was done at a point in time, in milliseconds.
  package struct Sample: Equatable, Sendable {
    package var at: Int64
    package var done: Int

    package init(at: Int64, done: Int) {
      self.at = at
      self.done = done
    }
  }

  /// The step, such as `airports: pulling`.
  package var label: String
  package var unit: Unit
  /// How much there is to do; nil when that is not known.
  package var total: Int?

  package init(_ label: String, _ unit: Unit, total: Int?) {
    self.label = label
    self.unit = unit
    self.total = total
  }

  /// Less time than this says nothing about the pace.
  private static let leastSpan: Int64 = 1_000

  /// The line after some samples, the oldest first; the pace is that between the first and the last.
  package func line(_ samples: [Sample]) -> String {
    guard let last = samples.last else { return label }
    var parts: [String] = []
    if let total, total > 0 {
      let share = min(100, Int(Double(last.done) / Double(total) * 100))
      parts.append("\(label) \(share)% (\(of(last.done, total)))")
    } else {
      parts.append("\(label): \(amount(last.done))")
    }
    if let pace = Self.pace(samples) {
      parts.append("\(rate(pace))/s")
      if let total, last.done < total {
        parts.append("\(Self.span(Double(total - last.done) / pace)) left")
      }
    }
    return parts.joined(separator: ", ")
  }

  /// How much is done in a second; nil when that cannot be told.
  private static func pace(_ samples: [Sample]) -> Double? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let (span, done) = (last.at - first.at, last.done - first.done)
    guard span >= leastSpan, done > 0 else { return nil }
    return Double(done) / (Double(span) / 1_000)
  }

  private func of(_ done: Int, _ total: Int) -> String {
    switch unit {
    case .count(let name): "\(done) of \(total) \(name)"
    case .bytes: "\(Self.size(done)) of \(Self.size(total))"
    }
  }

  private func amount(_ done: Int) -> String {
    switch unit {
    case .count(let name): "\(done) \(name)"
    case .bytes: Self.size(done)
    }
  }

  private func rate(_ pace: Double) -> String {
    switch unit {
    case .count: pace < 10 ? "\(Int(pace * 10) / 10).\(Int(pace * 10) % 10)" : "\(Int(pace))"
    case .bytes: Self.size(Int(pace))
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
  }

  /// A time that is left, roughly.
  private static func span(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days" }
    let whole = max(1, Int(seconds.rounded()))
    if whole < 100 { return "\(whole) s" }
    let minutes = (whole + 30) / 60
    return minutes < 100 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }
}
