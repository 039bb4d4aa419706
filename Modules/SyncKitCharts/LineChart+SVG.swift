import SyncKitFormats

extension LineChart {
  /// The chart as a picture of its own.
  public func svg(width: Int = 640, height: Int = 280) -> String {
    let points = finite
    let names = series.count > 1 ? series : []
    var plot = SVGPlot(
      title: title, unit: unit, width: width, height: height, axis: axis, x: points.map(\.x),
      y: points.map(\.y) + bands.flatMap(\.ends), legendLines: names.count + bands.count)
    plot.drawBands(bands)
    plot.drawAxes(isEmpty: points.isEmpty)
    for (index, line) in series.enumerated() { draw(line, index, on: &plot) }
    for (index, line) in names.enumerated() {
      plot.drawLegend(index, line.name, sample: Self.stroke(index))
    }
    for (index, band) in bands.enumerated() {
      plot.drawLegend(names.count + index, band: band, index: index, unit: unit)
    }
    return plot.canvas.svg(title: title, description: description(of: points))
  }

  private func draw(_ line: Series, _ index: Int, on plot: inout SVGPlot) {
    let parts = Self.parts(line.points, columns: plot.columns) { Int(plot.x($0)) }
    let count = parts.reduce(0) { $0 + $1.count }
    let colour = SVGCanvas.colours[index % SVGCanvas.colours.count]
    for part in parts {
      let dots = part.map { (x: plot.x($0.x), y: plot.y($0.y)) }
      if dots.count > 1 { plot.canvas.polyline(dots, attributes: Self.stroke(index)) }
      // Dots where there is room for them, and for what no line leads to.
      guard dots.count == 1 || count <= plot.columns / 8 else { continue }
      for dot in dots {
        plot.canvas.circle(dot.x, dot.y, radius: 2.5, attributes: "fill=\"\(colour)\"")
      }
    }
  }

  private static func stroke(_ index: Int) -> String {
    let colour = SVGCanvas.colours[index % SVGCanvas.colours.count]
    let dash = SVGCanvas.dashes[index % SVGCanvas.dashes.count]
    let dashes = dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\""
    return "stroke=\"\(colour)\" stroke-width=\"2\" stroke-linejoin=\"round\"\(dashes)"
  }

  private func description(of points: [Point]) -> String {
    guard let first = points.map(\.x).min(), let last = points.map(\.x).max() else {
      return "No values."
    }
    let lines = series.map { line in
      let values = line.points.map(\.y).filter(\.isFinite)
      let count = values.count == 1 ? "1 value" : "\(values.count) values"
      let name = line.name.isEmpty ? count : "\(line.name): \(count)"
      guard let least = values.min(), let greatest = values.max(), let latest = values.last else {
        return name
      }
      let range = "\(ChartNumber.text(least)) to \(ChartNumber.text(greatest))".with(unit: unit)
      return "\(name), \(range), latest \(ChartNumber.text(latest).with(unit: unit))"
    }
    let span = HorizontalScale.description(axis, first, last)
    return (["From \(span)"] + lines + bands.map { $0.text(unit: unit) }).joined(separator: "; ")
      + "."
  }
}
