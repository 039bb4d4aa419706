import SyncKitFormats

/// The frame of a plot: title, axes with ticks and grid, reference bands, legend.
struct SVGPlot {
  var canvas: SVGCanvas
  let vertical: NumberScale
  let horizontal: HorizontalScale
  private let left: Double
  private let top = 34.0
  private let right: Double
  private let bottom: Double

  init(
    title: String, unit: String, width: Int, height: Int, axis: ChartAxis, x: [Double],
    y: [Double], legendLines: Int
  ) {
    canvas = SVGCanvas(width: width, height: max(height, 120 + 18 * legendLines))
    let vertical = NumberScale(covering: y, ticks: max(2, Int(canvas.height / 60)))
    self.vertical = vertical
    let labels = vertical.ticks.map { SVGCanvas.width(of: vertical.label($0)) }
    left = min((labels.max() ?? 0) + 12, canvas.width / 2)
    right = canvas.width - 14
    bottom = canvas.height - 26 - 18 * Double(legendLines)
    horizontal = HorizontalScale(axis, covering: x, ticks: max(1, Int((right - left) / 96)))
    let heading = unit.isEmpty ? title : "\(title) (\(unit))"
    canvas.text(
      SVGCanvas.fitting(heading, width: canvas.width * 0.9), 4, 18,
      attributes: "font-size=\"14\" font-weight=\"600\"")
  }

  var columns: Int { max(1, Int(right - left)) }

  func x(_ value: Double) -> Double { left + horizontal.fraction(of: value) * (right - left) }
  func y(_ value: Double) -> Double { bottom - vertical.fraction(of: value) * (bottom - top) }

  mutating func drawBands(_ bands: [ReferenceBand]) {
    for (index, band) in bands.enumerated() where !band.ends.isEmpty {
      let upper = y(band.high ?? vertical.high)
      let lower = y(band.low ?? vertical.low)
      let colour = Self.bandColours[index % Self.bandColours.count]
      canvas.rectangle(
        left, upper, right - left, lower - upper,
        attributes: "fill=\"\(colour)\" fill-opacity=\"0.15\"")
    }
  }

  /// Draws both axes, or says that there is nothing to draw.
  mutating func drawAxes(isEmpty: Bool) {
    if isEmpty {
      return canvas.text("no values", (left + right) / 2, (top + bottom) / 2, anchor: "middle")
    }
    for tick in vertical.ticks {
      canvas.line(
        left, y(tick), right, y(tick),
        attributes: "stroke=\"currentColor\" stroke-opacity=\"0.15\"")
      canvas.text(vertical.label(tick), left - 6, y(tick) + 4, anchor: "end")
    }
    canvas.line(left, bottom, right, bottom, attributes: "stroke=\"currentColor\"")
    var free = 0.0
    for tick in horizontal.ticks {
      let place = left + tick.fraction * (right - left)
      let half = SVGCanvas.width(of: tick.label) / 2
      let centre = max(half, min(place, canvas.width - half - 2))
      guard centre - half >= free else { continue }
      free = centre + half + 8
      canvas.line(place, bottom, place, bottom + 4, attributes: "stroke=\"currentColor\"")
      canvas.text(tick.label, centre, bottom + 18, anchor: "middle")
    }
  }

  /// A line of legend with a sample in front, counted from 0.
  mutating func drawLegend(_ line: Int, _ text: String, sample: String) {
    let y = bottom + 36 + 18 * Double(line)
    canvas.line(left, y - 4, left + 24, y - 4, attributes: sample)
    canvas.text(SVGCanvas.fitting(text, width: right - left - 30), left + 30, y)
  }

  mutating func drawLegend(_ line: Int, band: ReferenceBand, index: Int, unit: String) {
    let colour = Self.bandColours[index % Self.bandColours.count]
    drawLegend(
      line, band.text(unit: unit),
      sample: "stroke=\"\(colour)\" stroke-opacity=\"0.3\" stroke-width=\"10\"")
  }

  private static let bandColours = ["#009e73", "#e69f00", "#8a7fd0"]
}
