/// One row of a ``CSVTable``, its cells found by the name of their column.
public struct CSVRecord: Sendable {
  /// The row itself, as many cells as the header has.
  public let row: CSVRow

  private let columns: [String: Int]

  init(row: CSVRow, columns: [String: Int]) {
    self.row = row
    self.columns = columns
  }

  /// The line the row begins on, from 1.
  public var line: Int { row.line }

  /// The cell under a name, as it was written; nil when no column has that name.
  public subscript(name: String) -> String? {
    // Callers mostly ask in lower case, and then there is nothing to fold.
    guard let position = columns[name] ?? columns[CSVTable.fold(name)] else { return nil }
    return row.cells.indices.contains(position) ? row.cells[position] : nil
  }
}
