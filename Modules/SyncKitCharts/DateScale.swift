import SyncKitFormats

/// An axis of time in UTC whose ticks are full hours, days, months or years.
struct DateScale {
  struct Tick: Equatable {
    let milliseconds: Double
    let label: String
  }

  let low: Double
  let high: Double
  let ticks: [Tick]

  private enum Step {
    case milliseconds(Int64)
    case months(Int64)
  }

  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 86_400_000
  private static let steps: [(step: Step, length: Int64)] =
    [1000, 5000, 15_000, 60_000, 300_000, 900_000, hour / 2, hour, 3 * hour, 6 * hour, 12 * hour]
    .map { (.milliseconds($0), $0) }
    + [1, 2, 7, 14].map { (.milliseconds($0 * day), $0 * day) }
    + [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000, 24_000, 60_000].map {
      (.months($0), $0 * 61 * day / 2)
    }

  /// Spans all finite times, in milliseconds since 1970, with at most as many ticks as asked for.
  ///
  /// Times outside the years 0 to 9999 count as the nearest in them; a day is left around a single one.
  init(covering times: some Sequence<Double>, ticks wanted: Int) {
    var range: (low: Double, high: Double)?
    for time in times where time.isFinite {
      let time = min(max(time, -62_167_219_200_000), 253_402_300_799_999)
      range = (min(range?.low ?? time, time), max(range?.high ?? time, time))
    }
    var (low, high) = range ?? (0, Double(Self.day))
    if high - low < 1000 {
      (low, high) = (low - Double(Self.day), high + Double(Self.day))
    }
    self.low = low
    self.high = high
    let length = Int64((high - low) / Double(max(1, wanted)))
    let step = Self.steps.first { $0.length >= length }?.step ?? .months(60_000)
    self.ticks = Self.ticks(from: Int64(low), to: Int64(high), step: step)
  }

  /// Where a finite time lies, 0 at the low end and 1 at the high one.
  func fraction(of time: Double) -> Double {
    let time = min(max(time, low), high)
    return (time - low) / (high - low)
  }

  private static func ticks(from low: Int64, to high: Int64, step: Step) -> [Tick] {
    var ticks: [Tick] = []
    switch step {
    case .milliseconds(let length):
      // Weeks begin on Monday, as 1970-01-05 did.
      let origin = length % (7 * day) == 0 ? 4 * day : 0
      var next = low - origin
      next -= ((next % length) + length) % length
      next += origin
      while next <= high, ticks.count < 100 {
        if next >= low {
          ticks.append(Tick(milliseconds: Double(next), label: label(next, length)))
        }
        next += length
      }
    case .months(let count):
      let first = CivilDate(daysSince1970: Int64((Double(low) / Double(day)).rounded(.down)))
      var month = (first.year * 12 + first.month - 1) / count * count
      while let date = CivilDate(year: month / 12, month: month % 12 + 1, day: 1),
        ticks.count < 100
      {
        let time = date.daysSince1970 * day
        if time > high { break }
        let length = count % 12 == 0 ? 4 : 7
        if time >= low {
          ticks.append(Tick(milliseconds: Double(time), label: String(date.text.prefix(length))))
        }
        month += count
      }
    }
    return ticks
  }

  private static func label(_ time: Int64, _ step: Int64) -> String {
    let text = Timestamp.format(milliseconds: time)
    if step >= day || text.dropFirst(11).hasPrefix("00:00:00") { return String(text.prefix(10)) }
    return String(text.dropFirst(11).prefix(step < 60_000 ? 8 : 5))
  }
}

extension DateScale {
  /// The day of a time in UTC.
  static func day(_ milliseconds: Double) -> String {
    let time = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    return String(Timestamp.format(milliseconds: Int64(time)).prefix(10))
  }
}
