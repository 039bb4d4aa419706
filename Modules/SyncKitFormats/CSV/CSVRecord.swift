/// One row of a ``CSVTable``, its cells found by the name of their column.
public struct CSVRecord: Sendable {
  /// The row itself, as many cells as the header has.
  public let row: CSVRow

  private let columns: [String: [Int]]

  init(row: CSVRow, columns: [String: [Int]]) {
    self.row = row
    self.columns = columns
  }

  /// The line the row begins on, from 1.
  public var line: Int { row.line }

  /// The cell under a name, as it was written; nil when no column has that name.
  ///
  /// Of several columns of that name it is the first.
  public subscript(name: String) -> String? { positions(name).first.flatMap(cell) }

  /// The cells of all columns of a name, from the left; none when no column has it.
  public func cells(named name: String) -> [String] { positions(name).compactMap(cell) }

  private func positions(_ name: String) -> [Int] {
    // Callers mostly ask in lower case, and then there is nothing to fold.
    columns[name] ?? columns[CSVTable.fold(name)] ?? []
  }

  private func cell(at position: Int) -> String? {
    row.cells.indices.contains(position) ? row.cells[position] : nil
  }
}
