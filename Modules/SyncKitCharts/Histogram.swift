import SyncKitFormats

/// How many values fall into each of a row of ranges with round limits.
public struct Histogram: Sendable {
  /// A range and how many values are in it: those from `low` on and less than `high`, and in the last
  /// one those at `high` as well.
  public struct Bin: Sendable, Equatable {
    /// Where the range begins.
    public let low: Double
    /// Where it ends.
    public let high: Double
    /// How many values are in it.
    public let count: Int
  }

  /// The ranges from the lowest, also empty ones between; none for no values.
  public let bins: [Bin]

  let title: String
  let unit: String
  private let labels: [String]

  /// Counts values; what is not finite is left out.
  ///
  /// - Parameters:
  ///   - title: What it shows.
  ///   - unit: The unit of the values, shown beside the title.
  ///   - values: The values in any order.
  ///   - count: About how many ranges; nil for as many as suit the number of values.
  public init(_ title: String, unit: String, values: [Double], bins count: Int? = nil) {
    self.title = title
    self.unit = unit
    let values = values.filter(\.isFinite)
    // Sturges' rule: one more range for twice as many values.
    let suitable = Int.bitWidth - values.count.leadingZeroBitCount + 1
    let scale = NumberScale(covering: values, ticks: min(max(count ?? suitable, 1), 60))
    guard !values.isEmpty, scale.ticks.count > 1 else {
      bins = []
      labels = []
      return
    }
    var counts = Array(repeating: 0, count: scale.ticks.count - 1)
    for value in values {
      let place = Int(scale.fraction(of: value) * Double(counts.count))
      counts[min(max(place, 0), counts.count - 1)] += 1
    }
    bins = counts.indices.map {
      Bin(low: scale.ticks[$0], high: scale.ticks[$0 + 1], count: counts[$0])
    }
    labels = counts.indices.map {
      "\(scale.label(scale.ticks[$0]))–\(scale.label(scale.ticks[$0 + 1]))"
    }
  }

  private var heading: String { unit.isEmpty ? title : "\(title) (\(unit))" }

  /// The chart for a terminal of that width, without colours; a line a range.
  public func text(width: Int) -> String {
    let bars = zip(bins, labels).map { BarChart.Bar($1, Double($0.count)) }
    return BarChart(heading, bars: bars).text(width: width)
  }

  /// The chart as a picture of its own.
  public func svg(width: Int = 640, height: Int = 240) -> String {
    let edges = bins.first.map { [$0.low] + bins.map(\.high) } ?? []
    var plot = SVGPlot(
      title: title, unit: "", width: width, height: height, axis: .numbers(unit: unit), x: edges,
      y: [0, 1] + bins.map { Double($0.count) }, legendLines: 0)
    plot.drawAxes(isEmpty: bins.isEmpty)
    for (bin, label) in zip(bins, labels) where bin.count > 0 {
      let left = plot.x(bin.low) + 1
      let top = plot.y(Double(bin.count))
      plot.canvas.rectangle(
        left, top, plot.x(bin.high) - left - 1, plot.y(0) - top,
        attributes: "fill=\"\(SVGCanvas.colours[0])\"",
        title: "\(label.with(unit: unit)): \(bin.count)")
    }
    let said = zip(bins, labels).map { "\($1.with(unit: unit)): \($0.count)" }
    return plot.canvas.svg(
      title: title,
      description: bins.isEmpty ? "No values." : said.joined(separator: "; ") + ".")
  }
}
