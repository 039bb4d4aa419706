/// Writes rows as CSV that ``CSVReader`` and other readers of RFC 4180 read back exactly.
///
/// A cell is quoted when it holds the delimiter, a quote, CR or LF, or begins or ends with a space or
/// tab, which some readers cut off; so are a byte order mark in front and the only cell of a row when it
/// is empty. Everything else is written as it is. The same rows always give the same bytes.
///
/// Source: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180).
public struct CSVWriter: Sendable {
  /// What ends a row.
  public enum LineEnding: String, CaseIterable, Sendable {
    /// Carriage return and line feed, as RFC 4180 has it.
    case crlf = "\r\n"
    /// Line feed.
    case lf = "\n"
  }

  /// What was written and not yet taken, as UTF-8.
  public private(set) var output: [UInt8] = []

  private let delimiter: CSVDelimiter
  private let lineEnding: LineEnding

  /// Creates a writer; RFC 4180 asks for commas and CRLF.
  public init(delimiter: CSVDelimiter = .comma, lineEnding: LineEnding = .crlf) {
    self.delimiter = delimiter
    self.lineEnding = lineEnding
  }

  /// Writes one row; a row without cells writes nothing, as CSV has no form for it.
  public mutating func write(_ cells: some Sequence<String>) {
    let cells = Array(cells)
    guard !cells.isEmpty else { return }
    for (position, cell) in cells.enumerated() {
      if position > 0 { output.append(delimiter.rawValue) }
      write(cell, quoted: cells.count == 1 && cell.isEmpty)
    }
    output.append(contentsOf: lineEnding.rawValue.utf8)
  }

  /// Gives out what was written and starts over, so that a long table needs little memory.
  public mutating func takeOutput() -> [UInt8] {
    defer { output.removeAll() }
    return output
  }

  private mutating func write(_ cell: String, quoted: Bool) {
    let cell = cell.utf8
    guard quoted || needsQuotes(cell) else {
      output.append(contentsOf: cell)
      return
    }
    let quote = UInt8(ascii: "\"")
    output.append(quote)
    for byte in cell {
      if byte == quote { output.append(quote) }
      output.append(byte)
    }
    output.append(quote)
  }

  private func needsQuotes(_ cell: String.UTF8View) -> Bool {
    guard let first = cell.first, let last = cell.last else { return false }
    if isBlank(first) || isBlank(last) || cell.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
    return cell.contains { byte in
      byte == delimiter.rawValue || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
