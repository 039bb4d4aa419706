import SyncKitCharts
import SyncKitFormats
import Testing

/// What charts make of values that no drawing was made for.
struct ChartEdgeTests {
  private static let awkward: [[Double]] = [
    [], [0], [-0.0], [72], [.nan], [.infinity, -.infinity], [.nan, 1, .infinity], [5, 5, 5],
    [-3, -7],
    [1e300, -1e300],
    [.greatestFiniteMagnitude, -.greatestFiniteMagnitude],
    [.leastNonzeroMagnitude, 0],
    [1e-9, 2e-9],
    [1e15, 1e15 + 1], [0.1, 0.2, 0.3], [-1, 1, .nan, 2],
  ]

  @Test(arguments: awkward, [0, 1, 20, 80, 100_000])
  func `every chart takes every number at every width`(values: [Double], width: Int) {
    let points = values.enumerated().map { LineChart.Point(x: Double($0), y: $1) }
    let turned = values.enumerated().map { LineChart.Point(x: $1, y: Double($0)) }
    let bands = [ReferenceBand("band", low: values.first, high: values.last), .init("open")]
    for axis in [ChartAxis.dates, .numbers(unit: "km")] {
      let chart = LineChart(
        "t", unit: "u", axis: axis,
        series: [.init("a", points: points), .init("b", points: turned)],
        bands: bands)
      check(chart.text(width: width), chart.svg(width: width, height: width))
    }
    let pairs = zip(values, values.reversed()).enumerated().map {
      RangeChart.Pair(at: $0 == 0 ? .min : .max, $1.0, $1.1)
    }
    let range = RangeChart("t", unit: "u", pairs: pairs, bands: bands)
    check(range.text(width: width), range.svg(width: width, height: width))
    let histogram = Histogram("t", unit: "u", values: values)
    check(histogram.text(width: width), histogram.svg(width: width, height: width))
    #expect(histogram.bins.reduce(0) { $0 + $1.count } == values.filter(\.isFinite).count)
    let bars = values.flatMap {
      [BarChart.Bar("x", $0), .init("y", $0, limit: 10), .init("z", 1, limit: $0)]
    }
    let bar = BarChart("t", bars: bars)
    check(bar.text(width: width), bar.svg(width: width))
    let map = CalendarHeatMap(
      "t", unit: "u", year: width,
      values: values.enumerated().map { (at: $0 == 0 ? .max : Int64($0), value: $1) })
    check(map.text(width: width), map.svg(width: width))
    check(Sparkline(values).text, "")
    #expect(Sparkline(values).text.count == values.count || values.allSatisfy { !$0.isFinite })
    #expect(Sparkline(values).text(width: width).count <= width)
  }

  private func check(_ text: String, _ svg: String) {
    #expect(!text.contains("nan") && !text.contains("inf"))
    #expect(!svg.contains("\"nan") && !svg.contains("\"inf") && !svg.contains("\"-inf"))
  }

  @Test func `a hundred thousand points are drawn as the few that can be seen`() {
    let points = (0..<100_000).map {
      LineChart.Point(x: Double($0), y: $0 == 77_777 ? 1000 : Double($0 % 10))
    }
    let chart = LineChart("t", unit: "u", axis: .numbers(unit: ""), series: [.init(points: points)])
    let svg = chart.svg()
    #expect(svg.utf8.count < 60_000)
    #expect(chart.text(width: 80).utf8.count < 8000)
    // The one that stands out is among them: it touches the upper end of the axis.
    #expect(svg.contains(",34 "))
  }

  @Test func `points in any order make the same line`() {
    let points = (0..<9).map { LineChart.Point(x: Double($0), y: Double($0 * $0)) }
    let one = LineChart("t", unit: "", axis: .numbers(unit: ""), series: [.init(points: points)])
    let other = LineChart(
      "t", unit: "", axis: .numbers(unit: ""), series: [.init(points: points.reversed())])
    #expect(one.svg() == other.svg())
    #expect(one.text(width: 40) == other.text(width: 40))
  }

  @Test func `a value that is missing leaves a gap`() {
    let points = [1, 2, Double.nan, 4, 5].enumerated().map { LineChart.Point(x: Double($0), y: $1) }
    let svg = LineChart("t", unit: "", axis: .numbers(unit: ""), series: [.init(points: points)])
      .svg()
    #expect(svg.split(separator: "<polyline").count == 3)
  }

  @Test func `what would steer a terminal or a browser is shown, not obeyed`() {
    let evil = "\u{1B}[2J<script>&\n"
    let bar = BarChart(evil, bars: [.init(evil, 1, limit: 2, unit: evil, note: evil)])
    let line = LineChart(
      evil, unit: evil, axis: .numbers(unit: evil),
      series: [.init(evil, points: [.init(x: 1, y: 1)]), .init(evil, points: [])],
      bands: [.init(evil, low: 1)])
    let map = CalendarHeatMap(evil, unit: evil, year: 2026, values: [])
    for text in [bar.text(width: 80), line.text(width: 80), map.text(width: 80)] {
      #expect(!text.contains("\u{1B}"))
    }
    for svg in [bar.svg(), line.svg(), map.svg()] {
      #expect(!svg.contains("<script"))
      #expect(throws: Never.self) {
        let reader = try XMLEventReader { _ in }
        try reader.feed(Array(svg.utf8))
        try reader.finish()
      }
    }
  }

  @Test func `days are those of UTC, and values of a day are added up`() {
    let midnight: Int64 = 1_767_225_600_000
    let map = CalendarHeatMap(
      "t", unit: "km", year: 2026,
      values: [
        (midnight - 1, 100), (midnight, 1), (midnight + 86_399_999, 2), (midnight + 86_400_000, 4),
        (midnight + 365 * 86_400_000, 100),
      ])
    let svg = map.svg()
    #expect(svg.contains("<title>2026-01-01: 3 km</title>"))
    #expect(svg.contains("<title>2026-01-02: 4 km</title>"))
    #expect(svg.contains("2 days have values, 7 km in total; the most was 4 km on 2026-01-02."))
  }

  @Test func `a histogram counts limits upwards and the last value with the last range`() {
    let histogram = Histogram("t", unit: "", values: [0, 1, 1.5, 2, 4, 5], bins: 5)
    #expect(histogram.bins.map(\.low) == [0, 1, 2, 3, 4])
    #expect(histogram.bins.map(\.count) == [1, 2, 1, 0, 2])
  }
}
