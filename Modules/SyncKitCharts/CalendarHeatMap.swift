import SyncKitFormats

/// The days of a year, a column a week from Monday to Sunday, shaded by a value.
public struct CalendarHeatMap: Sendable {
  let title: String
  let unit: String
  let year: Int64
  /// The sum of every day that has a value, by its number in the year from 0.
  let values: [Int: Double]
  /// The number of 1 January since 1970, and of days in the year.
  let start: Int64
  let dayCount: Int

  /// Makes a chart of one year.
  ///
  /// - Parameters:
  ///   - title: What it shows.
  ///   - unit: The unit of the values.
  ///   - year: A year from 0 to 9999; others become the nearest.
  ///   - values: Values at times in milliseconds since 1970, which count to their day in UTC; those of a
  ///     day are added up, those of other years and those that are not finite left out.
  public init(
    _ title: String, unit: String, year: Int, values: [(at: Int64, value: Double)]
  ) {
    self.title = title
    self.unit = unit
    let year = Int64(min(max(year, 0), 9999))
    self.year = year
    start = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
    let isLeap = CivilDate(year: year, month: 2, day: 29) != nil
    dayCount = isLeap ? 366 : 365
    var sums: [Int: Double] = [:]
    for (time, value) in values where value.isFinite {
      // Far from where 64 bits end, and further from every year.
      let time = min(max(time, -1_000_000_000_000_000), 1_000_000_000_000_000)
      let day = (time - ((time % 86_400_000) + 86_400_000) % 86_400_000) / 86_400_000 - start
      guard day >= 0, day < dayCount else { continue }
      sums[Int(day), default: 0] += value
    }
    self.values = sums.mapValues { min(max($0, -1e300), 1e300) }
  }

  /// How many shades there are above none.
  static let levelCount = 4

  /// The greatest value, by which days are shaded.
  var greatest: Double { values.values.max() ?? 0 }

  /// 0 for a day without a value or with none above zero, up to ``levelCount`` for the greatest.
  func level(ofDay day: Int) -> Int {
    guard let value = values[day], value > 0, greatest > 0 else { return 0 }
    return min(Self.levelCount, 1 + Int(value / greatest * Double(Self.levelCount) * 0.999_999))
  }

  /// The days before the first Monday's column begins with 1 January.
  var offset: Int { Int(CivilDate(daysSince1970: start).weekday) - 1 }
  var weekCount: Int { (offset + dayCount + 6) / 7 }

  /// The months with the column in which their first day lies.
  var months: [(week: Int, name: String)] {
    zip(1...12, Self.monthNames).compactMap { month, name in
      guard let first = CivilDate(year: year, month: Int64(month), day: 1) else { return nil }
      return (week: (offset + Int(first.daysSince1970 - start)) / 7, name: name)
    }
  }

  func date(ofDay day: Int) -> String { CivilDate(daysSince1970: start + Int64(day)).text }

  var heading: String { "\(title) \(year)" + (unit.isEmpty ? "" : " (\(unit))") }

  static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  static let dayNames = ["Mon", "", "Wed", "", "Fri", "", "Sun"]

  /// The chart for a terminal of that width, without colours; a narrow one gets the year in parts.
  public func text(width: Int) -> String {
    let shades: [Character] = ["·", "░", "▒", "▓", "█"]
    let cell = width >= 4 + 2 * weekCount ? 2 : 1
    let weeksAcross = max(4, (min(width, 1000) - 4) / cell)
    var lines = [DisplayWidth.sanitized(heading)]
    for first in stride(from: 0, to: weekCount, by: weeksAcross) {
      let weeks = first..<min(weekCount, first + weeksAcross)
      lines.append(monthLine(weeks, cell: cell))
      for weekday in 0..<7 {
        var line = DisplayWidth.padded(Self.dayNames[weekday], to: 4)
        for week in weeks {
          let day = week * 7 + weekday - offset
          let shade: Character =
            day < 0 || day >= dayCount ? " " : shades[level(ofDay: day)]
          line.append(shade)
          if cell == 2 { line.append(" ") }
        }
        lines.append(line)
      }
    }
    lines.append(DisplayWidth.sanitized("· " + legendStart + "  ░▒▓█ " + legendEnd))
    return lines.map(\.withoutTrailingSpaces).joined(separator: "\n")
  }

  var legendStart: String { values.isEmpty ? "no values" : "none" }
  var legendEnd: String { "up to \(ChartNumber.text(max(0, greatest)).with(unit: unit)) a day" }

  private func monthLine(_ weeks: Range<Int>, cell: Int) -> String {
    var line = "    "
    for month in months where weeks.contains(month.week) {
      let column = 4 + (month.week - weeks.lowerBound) * cell
      guard line.count <= column else { continue }
      line += String(repeating: " ", count: column - line.count) + month.name + " "
    }
    return line
  }
}
