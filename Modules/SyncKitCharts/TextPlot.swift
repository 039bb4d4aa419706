import SyncKitFormats

/// A grid of characters with a vertical axis of numbers and a horizontal one below.
struct TextPlot {
  let columns: Int
  let rows: Int
  let vertical: NumberScale
  let horizontal: HorizontalScale
  private let gutter: Int
  private let title: String
  private var cells: [[Character]]

  init(
    title: String, unit: String, width: Int, axis: ChartAxis, x: [Double], y: [Double],
    rows: Int = 12
  ) {
    let vertical = NumberScale(covering: y, ticks: max(2, rows / 3))
    self.vertical = vertical
    let labels = vertical.ticks.map { DisplayWidth.columns(of: vertical.label($0)) }
    gutter = (labels.max() ?? 0) + 2
    columns = min(max(width - gutter, 10), 1000)
    self.rows = rows
    // A date and two spaces, or a number.
    horizontal = HorizontalScale(axis, covering: x, ticks: max(1, columns / 14))
    self.title = DisplayWidth.truncated(
      DisplayWidth.sanitized(unit.isEmpty ? title : "\(title) (\(unit))"), to: max(width, 12))
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  func column(of x: Double) -> Int {
    Int((horizontal.fraction(of: x) * Double(columns - 1)).rounded())
  }

  func row(of y: Double) -> Int {
    Int(((1 - vertical.fraction(of: y)) * Double(rows - 1)).rounded())
  }

  mutating func put(_ character: Character, column: Int, row: Int) {
    guard cells.indices.contains(row), cells[row].indices.contains(column) else { return }
    cells[row][column] = character
  }

  mutating func put(_ canvas: BrailleCanvas) {
    for row in 0..<min(rows, canvas.rows) {
      for column in 0..<min(columns, canvas.columns) {
        if let character = canvas.character(column: column, row: row) {
          cells[row][column] = character
        }
      }
    }
  }

  /// Draws the ends of a band, over which everything else is drawn.
  mutating func put(_ band: ReferenceBand) {
    for end in band.ends {
      for column in 0..<columns { put("┄", column: column, row: row(of: end)) }
    }
  }

  /// The plot with lines of legend below; without axes when there is nothing on it.
  func text(legend: [String], isEmpty: Bool) -> String {
    var lines = [title]
    if isEmpty {
      return (lines + ["no values"]).map(\.withoutTrailingSpaces).joined(separator: "\n")
    }
    var labels: [Int: String] = [:]
    for tick in vertical.ticks { labels[row(of: tick)] = vertical.label(tick) }
    for row in 0..<rows {
      let label = labels[row] ?? ""
      let space = String(repeating: " ", count: gutter - 2 - DisplayWidth.columns(of: label))
      lines.append("\(space)\(label) \(label.isEmpty ? "│" : "┤")\(String(cells[row]))")
    }
    lines += bottom()
    lines += legend.map(DisplayWidth.sanitized)
    return lines.map(\.withoutTrailingSpaces).joined(separator: "\n")
  }

  private func bottom() -> [String] {
    var axis = Array(repeating: Character("─"), count: columns)
    var labels = Array(repeating: Character(" "), count: gutter + columns)
    var free = 0
    for tick in horizontal.ticks {
      let column = Int((tick.fraction * Double(columns - 1)).rounded())
      let label = Array(DisplayWidth.sanitized(tick.label))
      let start = max(0, min(gutter + column - label.count / 2, labels.count - label.count))
      guard start >= free, start + label.count <= labels.count else { continue }
      axis[column] = "┬"
      labels.replaceSubrange(start..<start + label.count, with: label)
      free = start + label.count + 2
    }
    let corner = String(repeating: " ", count: gutter - 1)
    return ["\(corner)└\(String(axis))", String(labels)]
  }
}

extension String {
  var withoutTrailingSpaces: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
