import SyncKitFormats

extension CalendarHeatMap {
  /// The chart as a picture of its own, its height following from the width.
  ///
  /// Every day with a value bears it as a title, which browsers show and screen readers say.
  public func svg(width: Int = 760) -> String {
    let left = 34.0
    let top = 46.0
    let cell = min(max((Double(max(width, 240)) - left - 6) / Double(weekCount), 3), 40)
    var canvas = SVGCanvas(width: max(width, 240), height: Int(top + 7 * cell + 30))
    canvas.text(
      SVGCanvas.fitting(heading, width: canvas.width * 0.9), 4, 18,
      attributes: "font-size=\"14\" font-weight=\"600\"")
    var free = 0.0
    for month in months {
      let x = left + Double(month.week) * cell
      guard x >= free else { continue }
      free = x + SVGCanvas.width(of: month.name) + 4
      canvas.text(month.name, x, top - 8)
    }
    for (weekday, name) in Self.dayNames.enumerated() where !name.isEmpty && cell >= 7 {
      canvas.text(
        name, left - 6, top + (Double(weekday) + 0.5) * cell + 4, anchor: "end",
        attributes: "font-size=\"10\"")
    }
    for day in 0..<dayCount {
      let place = offset + day
      canvas.rectangle(
        left + Double(place / 7) * cell, top + Double(place % 7) * cell, cell * 0.88, cell * 0.88,
        attributes: Self.style(level(ofDay: day)),
        title: values[day].map {
          "\(date(ofDay: day)): \(ChartNumber.text($0).with(unit: unit))"
        } ?? "")
    }
    drawLegend(on: &canvas, at: top + 7 * cell + 8, from: left)
    return canvas.svg(title: heading, description: description)
  }

  private func drawLegend(on canvas: inout SVGCanvas, at y: Double, from left: Double) {
    canvas.rectangle(left, y, 12, 12, attributes: Self.style(0))
    canvas.text(legendStart, left + 17, y + 10)
    var x = left + 27 + SVGCanvas.width(of: legendStart)
    for level in 1...Self.levelCount {
      canvas.rectangle(x, y, 12, 12, attributes: Self.style(level))
      x += 15
    }
    canvas.text(legendEnd, x + 4, y + 10)
  }

  private static func style(_ level: Int) -> String {
    guard level > 0 else { return "rx=\"1.5\" fill-opacity=\"0.1\"" }
    let opacities = ["0.3", "0.5", "0.75", "1"]
    return "rx=\"1.5\" fill=\"\(SVGCanvas.colours[0])\""
      + " fill-opacity=\"\(opacities[min(level, levelCount) - 1])\""
  }

  private var description: String {
    let days = values.filter { $0.value > 0 }
    guard let most = days.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      return "No values."
    }
    let sum = ChartNumber.text(days.values.reduce(0) { min($0 + $1, 1e300) }).with(unit: unit)
    let greatest = ChartNumber.text(most.value).with(unit: unit)
    let count = days.count == 1 ? "1 day has a value" : "\(days.count) days have values"
    return "\(count), \(sum) in total; the most was \(greatest) on \(date(ofDay: most.key))."
  }
}
