/// One row of a CSV text.
public struct CSVRow: Equatable, Sendable {
  /// The line the row begins on, from 1; a quoted cell may carry the row over several lines.
  public var line: Int

  /// The cells in order, without their quotes; never none.
  public var cells: [String]

  /// Creates a row.
  public init(line: Int, cells: [String]) {
    self.line = line
    self.cells = cells
  }
}
