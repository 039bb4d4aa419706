import SyncKitFormats

/// Rows and columns, to be printed for people or for programs.
package struct ReportTable: Sendable {
  /// What stands in a column.
  package struct Column: Sendable {
    package var header: String
    package var isNumeric: Bool
    /// Whether it may be cut short where the terminal is too narrow.
    package var isFlexible: Bool

    package init(_ header: String, numeric: Bool = false, flexible: Bool = false) {
      self.header = header
      self.isNumeric = numeric
      self.isFlexible = flexible
    }
  }

  /// One value: what people see, and what a program gets where that differs.
  package struct Cell: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package var text: String
    package var raw: String
    package var style: TextStyle

    package init(_ text: String, raw: String? = nil, style: TextStyle = .plain) {
      self.text = text
      self.raw = raw ?? text
      self.style = style
    }

    /// A number, the same for every locale.
    package init(_ number: some BinaryInteger, style: TextStyle = .plain) {
      self.init("\(number)", style: style)
    }

    package init(stringLiteral value: String) { self.init(value) }
  }

  package var columns: [Column]
  package var rows: [[Cell]]

  package init(_ columns: [Column], rows: [[Cell]] = []) {
    self.columns = columns
    self.rows = rows
  }
}

extension ReportTable.Cell {
  /// A time: to the second and in the local zone for people, whole and in UTC for programs.
  package init(time milliseconds: Int64) {
    self.init(
      LocalTime.text(milliseconds), raw: Timestamp.format(milliseconds: milliseconds))
  }

  /// The same, for people by its distance from now.
  package init(time milliseconds: Int64, now: Int64) {
    self.init(
      RelativeTime.text(milliseconds, now: now), raw: Timestamp.format(milliseconds: milliseconds))
  }
}

extension ReportTable {
  /// The table for people: a header and aligned columns with two spaces between, each line ended.
  ///
  /// What could steer a terminal is made visible first. Nothing is cut short unless a width is given;
  /// then the flexible columns shrink, the widest first, and end in `…`. No rows make no lines.
  package func aligned(paint: Paint, width limit: Int? = nil) -> String {
    guard !rows.isEmpty else { return "" }
    let shown = rows.map { row in
      columns.indices.map { $0 < row.count ? Sanitized.line(row[$0].text) : "" }
    }
    let widths = widths(of: shown, limit: limit)
    let headings = columns.map { _ in TextStyle.heading }
    var text = line(columns.map(\.header), headings, widths, paint)
    for (cells, row) in zip(shown, rows) {
      let styles = columns.indices.map { $0 < row.count ? row[$0].style : .plain }
      text += line(cells, styles, widths, paint)
    }
    return text
  }

  /// The table for `grep` and `awk`: tabs between, no header, one row a line, nothing cut short.
  package func tabSeparated() -> String {
    rows.map(Self.tabSeparated).joined()
  }

  package static func tabSeparated(_ row: [Cell]) -> String {
    row.map { Sanitized.cell($0.raw) }.joined(separator: "\t") + "\n"
  }

  private func widths(of rows: [[String]], limit: Int?) -> [Int] {
    var widths = columns.map { DisplayWidth.columns(of: $0.header) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.columns(of: cell))
      }
    }
    guard let limit else { return widths }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - limit
    let least = 8
    while excess > 0 {
      let candidates = widths.indices.filter { columns[$0].isFlexible && widths[$0] > least }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? least
      let step = min(excess, max(1, widths[widest] - max(next, least)))
      widths[widest] -= step
      excess -= step
    }
    return widths
  }

  private func line(
    _ cells: [String], _ styles: [TextStyle], _ widths: [Int], _ paint: Paint
  ) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let cell = DisplayWidth.truncated(cell, to: widths[index])
      let blank = String(
        repeating: " ", count: max(0, widths[index] - DisplayWidth.columns(of: cell)))
      let painted = paint(cell, styles[index])
      if columns[index].isNumeric {
        text += blank + painted
      } else {
        // Blanks at the end of a line are useless.
        text += index == cells.count - 1 ? painted : painted + blank
      }
      if index < cells.count - 1 { text += "  " }
    }
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }
}
