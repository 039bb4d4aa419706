import SyncKitCharts

/// Charts of every kind, as they would be drawn from real data; the numbers follow from formulas.
enum ChartSamples {
  static let due = BarChart(
    "Due",
    bars: [
      .init("Gravel · chain", 2880, limit: 3000, unit: "km", note: "in 120 km"),
      .init("Trail · fork lowers", 59, limit: 50, unit: "h", note: "overdue"),
      .init("自転車 · ブレーキ", 51, limit: 100, unit: "h"),
      .init("Road 🚲 tyres", 12, limit: 4000, unit: "km"),
      .init("Indoor trainer, the old one in the cellar", 0, limit: 200, unit: "h"),
    ])

  static let genres = BarChart(
    "Films by genre",
    bars: [.init("Drama", 123), .init("Comedy", 77.5), .init("Western", 1), .init("Noir", 0)])

  static let balance = BarChart(
    "Balance", bars: [.init("in", 30, unit: "€"), .init("out", -45.5, unit: "€")])

  static let weight = LineChart(
    "Weight", unit: "kg", series: [.init(points: points(60, days: 1, weight))],
    bands: [.init("goal", low: 74, high: 78)])

  static let laboratory = LineChart(
    "Cholesterol", unit: "mmol/l",
    series: [
      .init("LDL", points: points(5, days: 90) { 3.4 - 0.2 * Double($0) }),
      .init("HDL", points: points(5, days: 90) { 1.2 + 0.1 * Double($0) }),
    ], bands: [.init("LDL normal", high: 3)])

  static let elevation = LineChart(
    "Elevation", unit: "m", axis: .numbers(unit: "km"),
    series: [.init(points: (0..<5000).map(elevation))])

  static let pressure = RangeChart(
    "Blood pressure", unit: "mmHg", pairs: (0..<24).map(pressure),
    bands: [.init("high normal", low: 130, high: 139), .init("diastolic", low: 80, high: 89)])

  static let heartRate = Histogram(
    "Resting heart rate", unit: "count/min", values: (0..<400).map(heartRate))

  static let training = CalendarHeatMap(
    "Training", unit: "min", year: 2026,
    values: (0..<365).filter { $0 * $0 % 11 < 5 }.map(training))

  static let nothing = LineChart("Nothing", unit: "kg", series: [])

  struct Sample {
    /// The name of its golden files.
    let name: String
    let text: String
    let svg: String
  }

  static let all: [Sample] = [
    Sample(name: "due", text: due.text(width: 80), svg: due.svg()),
    Sample(name: "genres", text: genres.text(width: 60), svg: genres.svg(width: 480)),
    Sample(name: "balance", text: balance.text(width: 60), svg: balance.svg(width: 480)),
    Sample(name: "weight", text: weight.text(width: 72), svg: weight.svg()),
    Sample(name: "laboratory", text: laboratory.text(width: 72), svg: laboratory.svg()),
    Sample(name: "elevation", text: elevation.text(width: 72), svg: elevation.svg()),
    Sample(name: "pressure", text: pressure.text(width: 72), svg: pressure.svg()),
    Sample(name: "heart-rate", text: heartRate.text(width: 60), svg: heartRate.svg()),
    Sample(name: "training", text: training.text(width: 80), svg: training.svg()),
    Sample(
      name: "nothing", text: nothing.text(width: 40), svg: nothing.svg(width: 320, height: 160)),
  ]

  /// Days after 2026-01-01.
  private static func time(_ days: Int) -> Int64 { 1_767_225_600_000 + Int64(days) * 86_400_000 }

  private static func points(
    _ count: Int, days: Int, _ value: (Int) -> Double
  ) -> [LineChart.Point] {
    (0..<count).map { .init(at: time($0 * days), value($0)) }
  }

  private static func weight(_ day: Int) -> Double {
    let trend = 82 - Double(day) / 12
    return trend + Double(day * 7 % 5) / 10
  }

  private static func elevation(_ index: Int) -> LineChart.Point {
    let x = Double(index) / 100
    let wave = x.truncatingRemainder(dividingBy: 10) - 5
    return LineChart.Point(x: x, y: 400 + 12 * wave * wave + x)
  }

  private static func pressure(_ index: Int) -> RangeChart.Pair {
    let low = 78 + index * 5 % 9
    let high = 122 + index * 7 % 17
    return RangeChart.Pair(at: time(3 * index), Double(low), Double(high))
  }

  private static func heartRate(_ index: Int) -> Double {
    let spread = index * index % 37
    let weekday = index % 7
    return Double(104 + spread + 2 * weekday) / 2
  }

  private static func training(_ day: Int) -> (at: Int64, value: Double) {
    let minutes = day * 13 % 120
    return (at: time(day), value: Double(minutes))
  }
}
