/// Dots in a grid of characters, two by four in each.
///
/// Source: [The Unicode Standard, Braille Patterns](https://www.unicode.org/charts/PDF/U2800.pdf).
struct BrailleCanvas {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    cells = Array(repeating: 0, count: self.columns * self.rows)
  }

  /// The dots of a place, 0 to 1 from the left and from the bottom.
  func dot(x: Double, y: Double) -> (x: Int, y: Int) {
    (
      Int((min(max(x, 0), 1) * Double(2 * columns - 1)).rounded()),
      Int(((1 - min(max(y, 0), 1)) * Double(4 * rows - 1)).rounded())
    )
  }

  mutating func set(_ dot: (x: Int, y: Int)) {
    let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    let cell = dot.y / 4 * columns + dot.x / 2
    guard cells.indices.contains(cell), dot.x >= 0, dot.y >= 0 else { return }
    cells[cell] |= bits[dot.y % 4 * 2 + dot.x % 2]
  }

  /// A straight line of dots.
  mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
    let length = max(abs(end.x - start.x), abs(end.y - start.y))
    guard length > 0 else { return set(start) }
    for step in 0...length {
      let share = Double(step) / Double(length)
      set(
        (
          start.x + Int((Double(end.x - start.x) * share).rounded()),
          start.y + Int((Double(end.y - start.y) * share).rounded())
        ))
    }
  }

  /// The character of a cell, nil where there is no dot.
  func character(column: Int, row: Int) -> Character? {
    let cell = cells[row * columns + column]
    return cell == 0 ? nil : Unicode.Scalar(0x2800 + UInt32(cell)).map(Character.init)
  }
}
