import SyncKitFormats

/// Horizontal bars with a label each, as for what is due.
///
/// A bar with a limit shows how much of it is used up; bars without share a scale from zero to the
/// greatest value.
///
/// ```
/// Chain       ███████████████████░   96 %  2880 / 3000 km
/// Fork seals  ████████████████████  118 %  59 / 50 h
/// ```
public struct BarChart: Sendable {
  /// One bar.
  public struct Bar: Sendable, Equatable {
    /// What the bar stands for.
    public var label: String
    /// How much it is; what is not finite leaves the bar empty.
    public var value: Double
    /// What the value is measured against, nil for nothing; only what is above zero is a limit.
    public var limit: Double?
    /// The unit of both.
    public var unit: String
    /// What is said after the numbers, such as `overdue`.
    public var note: String

    /// Describes a bar.
    public init(
      _ label: String, _ value: Double, limit: Double? = nil, unit: String = "", note: String = ""
    ) {
      self.label = label
      self.value = value
      self.limit = limit.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
      self.unit = unit
      self.note = note
    }

    /// The share of the limit, nil without one.
    var share: Double? { limit.flatMap { value.isFinite ? value / $0 : nil } }

    var percentage: String { share.map { ChartNumber.fixed($0 * 100, decimals: 0) + " %" } ?? "" }

    private var numbers: String {
      [ChartNumber.text(value), limit.map(ChartNumber.text)].compactMap { $0 }
        .joined(separator: " / ").with(unit: unit)
    }

    var figures: String { note.isEmpty ? numbers : "\(numbers)  \(note)" }

    /// All that is said about the bar, where columns do not part it.
    var sentence: String {
      [percentage, numbers, note].filter { !$0.isEmpty }.joined(separator: " · ")
    }
  }

  let title: String
  let bars: [Bar]

  /// Makes a chart.
  ///
  /// - Parameters:
  ///   - title: What it shows; may be empty in a terminal.
  ///   - bars: The bars from top to bottom.
  public init(_ title: String, bars: [Bar]) {
    self.title = title
    self.bars = bars
  }

  /// The scale of the bars without a limit, always with zero on it.
  var range: (low: Double, high: Double) {
    let values = bars.filter { $0.limit == nil && $0.value.isFinite }.map(\.value)
    return (min(0, values.min() ?? 0), max(0, values.max() ?? 0))
  }

  /// From where to where a bar goes, 0 to 1 of the room there is.
  func span(of bar: Bar, in range: (low: Double, high: Double)) -> ClosedRange<Double> {
    guard bar.value.isFinite else { return 0...0 }
    if let share = bar.share { return 0...min(max(share, 0), 1) }
    // Halves, as the whole of the largest doubles is infinite.
    let length = range.high / 2 - range.low / 2
    guard length > 0 else { return 0...0 }
    let zero = (0 - range.low / 2) / length
    let end = (bar.value / 2 - range.low / 2) / length
    return min(max(min(zero, end), 0), 1)...min(max(max(zero, end), 0), 1)
  }

  /// The chart for a terminal of that width, without colours; a line a bar.
  public func text(width: Int) -> String {
    let range = range
    let lead = bars.map { DisplayWidth.sanitized($0.label) }
    let leadWidth = min(
      lead.map(DisplayWidth.columns).max() ?? 0, max(8, min(width, 1000) * 3 / 10))
    let percentWidth = bars.map { $0.percentage.count }.max() ?? 0
    let figures = bars.map { DisplayWidth.sanitized($0.figures) }
    let figuresWidth = figures.map(DisplayWidth.columns).max() ?? 0
    let gaps = 4 + (percentWidth > 0 ? percentWidth + 2 : 0)
    let room = min(max(width - leadWidth - figuresWidth - gaps, 8), 60)
    var lines = title.isEmpty ? [] : [DisplayWidth.sanitized(title)]
    if bars.isEmpty { lines.append("no values") }
    for (index, bar) in bars.enumerated() {
      var line = DisplayWidth.padded(
        DisplayWidth.truncated(lead[index], to: leadWidth), to: leadWidth)
      line += "  " + Self.blocks(span(of: bar, in: range), room, rest: bar.limit == nil ? " " : "░")
      if percentWidth > 0 {
        let percentage = bar.percentage
        line += "  " + String(repeating: " ", count: percentWidth - percentage.count) + percentage
      }
      lines.append((line + "  " + figures[index]).withoutTrailingSpaces)
    }
    return lines.joined(separator: "\n")
  }

  private static func blocks(_ span: ClosedRange<Double>, _ room: Int, rest: Character) -> String {
    let start = Int((span.lowerBound * Double(room)).rounded())
    // Eighths of a character, but never less than one for what is more than nothing.
    let eighths = Int((span.upperBound * Double(room * 8)).rounded())
    let isSomething = span.upperBound > span.lowerBound
    let end = max(eighths, isSomething ? start * 8 + 1 : 0)
    let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    var cells = Array(repeating: rest, count: room)
    for cell in start..<max(start, min(room, end / 8)) { cells[cell] = "█" }
    if end % 8 > 0, end / 8 < room, end / 8 >= start { cells[end / 8] = parts[end % 8 - 1] }
    return String(cells)
  }
}
