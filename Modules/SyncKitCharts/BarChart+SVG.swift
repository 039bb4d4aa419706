import SyncKitFormats

extension BarChart {
  /// The chart as a picture of its own, as high as the bars need.
  public func svg(width: Int = 640) -> String {
    let rowHeight = 26
    let top = title.isEmpty ? 6.0 : 32.0
    let limits = bars.compactMap(\.share)
    // Over the limit the scale grows, so that the limit stays in the picture.
    let most = min(max(1, limits.max() ?? 1), 2)
    var canvas = SVGCanvas(
      width: width, height: Int(top) + 8 + rowHeight * max(1, min(bars.count, 300)))
    if !title.isEmpty {
      canvas.text(
        SVGCanvas.fitting(title, width: canvas.width * 0.9), 4, 18,
        attributes: "font-size=\"14\" font-weight=\"600\"")
    }
    let texts = bars.map(\.sentence)
    let labelWidth = min(
      bars.map { SVGCanvas.width(of: $0.label) }.max() ?? 0, canvas.width * 0.3)
    let textWidth = min(texts.map(SVGCanvas.width).max() ?? 0, canvas.width * 0.45)
    let left = labelWidth + 14
    let room = max(20, canvas.width - left - textWidth - 20)
    let range = range
    if bars.isEmpty { canvas.text("no values", 4, top + 17) }
    for (index, bar) in bars.prefix(300).enumerated() {
      let y = top + Double(index * rowHeight)
      canvas.text(SVGCanvas.fitting(bar.label, width: labelWidth), 4, y + 17)
      var span = span(of: bar, in: range)
      if let share = bar.share {
        span = 0...min(max(share, 0), most) / most
        canvas.rectangle(
          left, y + 5, room / most, 16, attributes: "rx=\"2\" fill-opacity=\"0.12\"")
      }
      // Orange and a frame, since colour alone may not be seen.
      let isOver = (bar.share ?? 0) >= 1
      let style = isOver ? "fill=\"#d55e00\" stroke=\"currentColor\"" : "fill=\"#0a84c6\""
      canvas.rectangle(
        left + span.lowerBound * room, y + 5, (span.upperBound - span.lowerBound) * room, 16,
        attributes: "rx=\"2\" \(style)")
      if bar.limit != nil, most > 1 {
        canvas.line(
          left + room / most, y + 3, left + room / most, y + 23,
          attributes: "stroke=\"currentColor\" stroke-width=\"1.5\"")
      }
      canvas.text(SVGCanvas.fitting(texts[index], width: textWidth), left + room + 8, y + 17)
    }
    if range.low < 0 {
      let zero = left + room * (0 - range.low / 2) / (range.high / 2 - range.low / 2)
      canvas.line(
        zero, top, zero, top + Double(rowHeight * min(bars.count, 300)),
        attributes: "stroke=\"currentColor\"")
    }
    let said = zip(bars, texts).prefix(20).map { "\($0.label): \($1)" }.joined(separator: "; ")
    return canvas.svg(
      title: title.isEmpty ? "Bars" : title, description: bars.isEmpty ? "No values." : said + ".")
  }
}
