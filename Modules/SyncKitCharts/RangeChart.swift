import SyncKitFormats

/// Pairs of a low and a high value over time, such as blood pressure.
public struct RangeChart: Sendable {
  /// A pair.
  public struct Pair: Sendable, Equatable {
    /// When, in milliseconds since 1970.
    public var time: Int64
    /// The lower value.
    public var low: Double
    /// The higher value.
    public var high: Double

    /// Makes a pair; the two may come in either order.
    public init(at time: Int64, _ one: Double, _ other: Double) {
      self.time = time
      self.low = min(one, other)
      self.high = max(one, other)
    }
  }

  let title: String
  let unit: String
  let pairs: [Pair]
  let bands: [ReferenceBand]

  /// Makes a chart; pairs of which one value is not finite are left out.
  public init(_ title: String, unit: String, pairs: [Pair], bands: [ReferenceBand] = []) {
    self.title = title
    self.unit = unit
    self.pairs = pairs.filter { $0.low.isFinite && $0.high.isFinite }.sorted { $0.time < $1.time }
    self.bands = bands
  }

  /// The pairs that share a column as one, from the least to the greatest.
  func merged(column: (Double) -> Int) -> [Pair] {
    var result: [Pair] = []
    for pair in pairs {
      if let last = result.last, column(Double(last.time)) == column(Double(pair.time)) {
        result[result.count - 1].low = min(last.low, pair.low)
        result[result.count - 1].high = max(last.high, pair.high)
      } else {
        result.append(pair)
      }
    }
    return result
  }

  var times: [Double] { pairs.map { Double($0.time) } }
  var values: [Double] { pairs.flatMap { [$0.low, $0.high] } + bands.flatMap(\.ends) }

  /// The chart for a terminal of that width, without colours.
  public func text(width: Int) -> String {
    var plot = TextPlot(
      title: title, unit: unit, width: width, axis: .dates, x: times, y: values)
    for band in bands { plot.put(band) }
    for pair in merged(column: plot.column(of:)) {
      let column = plot.column(of: Double(pair.time))
      let top = plot.row(of: pair.high)
      let bottom = plot.row(of: pair.low)
      for row in top...max(top, bottom) { plot.put("│", column: column, row: row) }
      plot.put("┬", column: column, row: top)
      plot.put(top == bottom ? "─" : "┴", column: column, row: bottom)
    }
    let legend = bands.map { "┄ \($0.text(unit: unit))" }
    return plot.text(legend: legend, isEmpty: pairs.isEmpty)
  }

  /// The chart as a picture of its own.
  public func svg(width: Int = 640, height: Int = 280) -> String {
    var plot = SVGPlot(
      title: title, unit: unit, width: width, height: height, axis: .dates, x: times, y: values,
      legendLines: bands.count)
    plot.drawBands(bands)
    plot.drawAxes(isEmpty: pairs.isEmpty)
    let colour = SVGCanvas.colours[0]
    for pair in merged(column: { Int(plot.x($0) / 3) }) {
      let x = plot.x(Double(pair.time))
      plot.canvas.line(
        x, plot.y(pair.low), x, plot.y(pair.high),
        attributes: "stroke=\"\(colour)\" stroke-width=\"2\" stroke-opacity=\"0.6\"")
      for value in [pair.low, pair.high] {
        plot.canvas.circle(x, plot.y(value), radius: 2.5, attributes: "fill=\"\(colour)\"")
      }
    }
    for (index, band) in bands.enumerated() {
      plot.drawLegend(index, band: band, index: index, unit: unit)
    }
    return plot.canvas.svg(title: title, description: description)
  }

  private var description: String {
    guard let first = times.first, let last = times.last, let latest = pairs.last else {
      return "No values."
    }
    func range(_ values: [Double]) -> String {
      guard let least = values.min(), let greatest = values.max() else { return "" }
      return "\(ChartNumber.text(least)) to \(ChartNumber.text(greatest))".with(unit: unit)
    }
    let count = pairs.count == 1 ? "1 pair" : "\(pairs.count) pairs"
    let last2 = "\(ChartNumber.text(latest.high))/\(ChartNumber.text(latest.low))".with(unit: unit)
    return
      ([
        "From \(HorizontalScale.description(.dates, first, last))", count,
        "high \(range(pairs.map(\.high)))", "low \(range(pairs.map(\.low)))", "latest \(last2)",
      ] + bands.map { $0.text(unit: unit) }).joined(separator: "; ") + "."
  }
}
