/// Reads CSV row by row, holding no more of it in memory than a row and a chunk.
///
/// ```swift
/// var reader = CSVReader(bytes)
/// while let row = try reader.next() { print(row.line, row.cells) }
/// ```
///
/// Rows end with CRLF, LF or CR, mixed if need be. Empty lines are passed over, so a row of one empty
/// cell is written as `""`. A byte order mark at the start is skipped. Spaces belong to the cell. Rows
/// may differ in length; ``CSVTable`` refuses that.
///
/// Source: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180), also where many readers are laxer: a
/// quote inside a cell that does not begin with one is an error. Other ways to quote are a
/// ``CSVDialect``.
public struct CSVReader {
  /// The longest row that is read, in bytes: 16 MiB, so that a forgotten quote cannot fill the memory.
  public static let maximumRowLength = 1 << 24

  private let delimiter: CSVDelimiter
  private let quoting: CSVQuoting
  private var skipsFirstLine = false
  private let nextChunk: () throws -> [UInt8]?
  /// What was read and not yet given out, from `start` on.
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var hasBegun = false
  private var line = 1

  /// Creates a reader of a text that is in memory.
  public init(_ bytes: some Sequence<UInt8>, delimiter: CSVDelimiter = .comma) {
    self.init(bytes, dialect: CSVDialect(delimiter: delimiter))
  }

  /// Creates a reader of a text that is in memory, in the dialect in which it was written.
  public init(_ bytes: some Sequence<UInt8>, dialect: CSVDialect) {
    delimiter = dialect.delimiter
    quoting = dialect.quoting
    skipsFirstLine = dialect.hasDelimiterLine
    nextChunk = { nil }
    buffer = Array(bytes)
    isAtEnd = true
  }

  /// Creates a reader of a text that arrives in chunks, split anywhere.
  ///
  /// - Parameters:
  ///   - delimiter: What stands between cells.
  ///   - chunks: Gives the next bytes each time, nil at the end; what it throws, ``next()`` throws.
  public init(delimiter: CSVDelimiter = .comma, chunks: @escaping () throws -> [UInt8]?) {
    self.delimiter = delimiter
    quoting = .doubled
    nextChunk = chunks
  }

  /// Reads the next row.
  ///
  /// - Returns: The row, nil after the last.
  /// - Throws: ``CSVError`` with the position, after which the reader is at its end; or what the source of
  ///   chunks throws, after which the same row can be asked for again.
  public mutating func next() throws -> CSVRow? {
    if !hasBegun {
      try skipByteOrderMark()
      if skipsFirstLine { skipLine() }
    }
    while true {
      switch parseRow() {
      case .row(let cells, let length, let lines):
        let row = CSVRow(line: line, cells: cells)
        start += length
        line += lines
        return row
      case .emptyLine(let length):
        start += length
        line += 1
      case .incomplete:
        try readMore()
      case .end:
        return nil
      case .failure(let offset, let message):
        let place = buffer.withUnsafeBufferPointer { buffer in
          TextScan.place(of: offset, in: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
        start = buffer.count
        isAtEnd = true
        throw CSVError(line: line + place.line - 1, column: place.column, message: message)
      }
    }
  }

  private func parseRow() -> CSVRowParser.Result {
    buffer.withUnsafeBufferPointer { buffer in
      var parser = CSVRowParser(
        bytes: UnsafeBufferPointer(rebasing: buffer[start...]), delimiter: delimiter.rawValue,
        quoting: quoting, isLast: isAtEnd)
      return parser.parse()
    }
  }

  /// Doubles what is held, so that a row in many small chunks is not looked through once for each.
  private mutating func readMore() throws {
    let wanted = max(1, 2 * (buffer.count - start))
    while !isAtEnd, buffer.count - start < wanted {
      guard let chunk = try nextChunk() else {
        isAtEnd = true
        return
      }
      if start == buffer.count {
        buffer = chunk
      } else {
        buffer.removeSubrange(..<start)
        buffer.append(contentsOf: chunk)
      }
      start = 0
    }
  }

  private mutating func skipByteOrderMark() throws {
    while !isAtEnd, buffer.count < 3 { try readMore() }
    start = buffer.withUnsafeBufferPointer { TextScan.byteOrderMarkLength(of: $0) }
    hasBegun = true
  }

  /// Skips the line that names the delimiter; the whole text is in memory.
  private mutating func skipLine() {
    while start < buffer.count, buffer[start] != 0x0A, buffer[start] != 0x0D { start += 1 }
    if start < buffer.count {
      let isPair = buffer[start] == 0x0D && start + 1 < buffer.count && buffer[start + 1] == 0x0A
      start += isPair ? 2 : 1
    }
    line = 2
  }
}
