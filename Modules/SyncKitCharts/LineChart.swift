import SyncKitFormats

/// Lines through values over time or over numbers.
///
/// Points may come in any order; those that are not finite leave a gap where they would be. Any number of
/// points is drawn as the few that the width can show: the first, last, least and greatest of a column.
public struct LineChart: Sendable {
  /// A value and where it stands.
  public struct Point: Sendable, Equatable {
    /// The place on the horizontal axis.
    public var x: Double
    /// The value.
    public var y: Double

    /// A value at a number.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// A value at a time in milliseconds since 1970.
    public init(at milliseconds: Int64, _ y: Double) {
      self.init(x: Double(milliseconds), y: y)
    }
  }

  /// A line.
  public struct Series: Sendable, Equatable {
    /// What it is called; needed when there are several.
    public var name: String
    /// Its points by place.
    public var points: [Point]

    /// Makes a line of points in any order.
    public init(_ name: String = "", points: [Point]) {
      self.name = name
      self.points = points.filter { $0.x.isFinite }.sorted { $0.x < $1.x }
    }
  }

  let title: String
  let unit: String
  let axis: ChartAxis
  let series: [Series]
  let bands: [ReferenceBand]

  /// Makes a chart.
  ///
  /// - Parameters:
  ///   - title: What it shows.
  ///   - unit: The unit of the values, shown beside the title.
  ///   - axis: What the horizontal axis counts.
  ///   - series: The lines; those beyond six look like the first again.
  ///   - bands: Ranges to compare with.
  public init(
    _ title: String, unit: String, axis: ChartAxis = .dates, series: [Series],
    bands: [ReferenceBand] = []
  ) {
    self.title = title
    self.unit = unit
    self.axis = axis
    self.series = series
    self.bands = bands
  }

  var finite: [Point] { series.flatMap(\.points).filter { $0.y.isFinite } }

  /// The parts of a line between its gaps, thinned out to a few points a column.
  static func parts(_ points: [Point], columns: Int, column: (Double) -> Int) -> [[Point]] {
    points.split { !$0.y.isFinite }.map { thinned(Array($0), columns: columns, column: column) }
  }

  private static func thinned(
    _ points: [Point], columns: Int, column: (Double) -> Int
  ) -> [Point] {
    guard points.count > 4 * columns else { return points }
    var result: [Point] = []
    var start = 0
    while start < points.count {
      let place = column(points[start].x)
      var end = start
      var least = start
      var greatest = start
      while end < points.count, column(points[end].x) == place {
        if points[end].y < points[least].y { least = end }
        if points[end].y > points[greatest].y { greatest = end }
        end += 1
      }
      for index in Set([start, least, greatest, end - 1]).sorted() { result.append(points[index]) }
      start = end
    }
    return result
  }

  /// The chart for a terminal of that width, without colours.
  public func text(width: Int) -> String {
    let points = finite
    var plot = TextPlot(
      title: title, unit: unit, width: width, axis: axis, x: points.map(\.x),
      y: points.map(\.y) + bands.flatMap(\.ends))
    for band in bands { plot.put(band) }
    var canvas = BrailleCanvas(columns: plot.columns, rows: plot.rows)
    for line in series {
      for part in Self.parts(line.points, columns: plot.columns, column: plot.column(of:)) {
        let dots = part.map {
          canvas.dot(x: plot.horizontal.fraction(of: $0.x), y: plot.vertical.fraction(of: $0.y))
        }
        for (start, end) in zip(dots, dots.dropFirst()) { canvas.line(from: start, to: end) }
        if let only = dots.first, dots.count == 1 { canvas.set(only) }
      }
    }
    plot.put(canvas)
    var legend: [String] = []
    for (index, line) in series.enumerated() {
      let marker = Self.markers[index % Self.markers.count]
      let values = line.points.filter { $0.y.isFinite }
      if series.count > 1 { legend.append("\(marker) \(line.name)") }
      // One line needs no markers, unless its points would be hard to find.
      guard series.count > 1 || values.count <= plot.columns / 8 else { continue }
      for point in values where values.count <= plot.columns {
        plot.put(marker, column: plot.column(of: point.x), row: plot.row(of: point.y))
      }
      if let last = values.last, values.count > plot.columns {
        plot.put(marker, column: plot.column(of: last.x), row: plot.row(of: last.y))
      }
    }
    legend += bands.map { "┄ \($0.text(unit: unit))" }
    return plot.text(legend: legend, isEmpty: points.isEmpty)
  }

  private static let markers: [Character] = ["●", "○", "▲", "△", "■", "□"]
}
