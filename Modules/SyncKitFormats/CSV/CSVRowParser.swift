/// Finds the first row in a run of bytes that begins where a row does.
struct CSVRowParser {
  enum Result {
    /// A row, how many bytes it takes with its line end, and how many lines.
    case row([String], length: Int, lines: Int)
    case emptyLine(length: Int)
    /// The bytes end before the row does, and more may come.
    case incomplete
    case end
    case failure(at: Int, String)
  }

  private enum Step: Error {
    case incomplete
    case failure(at: Int, String)
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let delimiter: UInt8
  private let quoting: CSVQuoting
  private let isLast: Bool
  private var offset = 0
  private var hasInnerLineEnds = false

  init(
    bytes: UnsafeBufferPointer<UInt8>, delimiter: UInt8, quoting: CSVQuoting = .doubled,
    isLast: Bool
  ) {
    self.bytes = bytes
    self.delimiter = delimiter
    self.quoting = quoting
    self.isLast = isLast
  }

  mutating func parse() -> Result {
    do throws(Step) { return try parseRow() } catch {
      switch error {
      case .failure(let offset, let message): return .failure(at: offset, message)
      case .incomplete where bytes.count < CSVReader.maximumRowLength: return .incomplete
      case .incomplete: return tooLong
      }
    }
  }

  private var tooLong: Result {
    .failure(
      at: 0, "the row is longer than \(CSVReader.maximumRowLength) bytes; a quote may be open")
  }

  private mutating func parseRow() throws(Step) -> Result {
    if bytes.isEmpty {
      guard isLast else { throw .incomplete }
      return .end
    }
    if try takeLineEnd() { return .emptyLine(length: offset) }
    var cells: [String] = []
    repeat { cells.append(try parseCell()) } while take(delimiter)
    _ = try takeLineEnd()
    guard offset <= CSVReader.maximumRowLength else { return tooLong }
    var lines = 1
    if hasInnerLineEnds {
      let row = UnsafeBufferPointer(rebasing: bytes[..<offset])
      lines = max(1, TextScan.place(of: offset, in: row).line - 1)
    }
    return .row(cells, length: offset, lines: lines)
  }

  private mutating func parseCell() throws(Step) -> String {
    guard offset < bytes.count else {
      guard isLast else { throw .incomplete }
      return ""
    }
    if quoting == .spaced { skipBlanksBeforeQuote() }
    return bytes[offset] == UInt8(ascii: "\"") && quoting != .none
      ? try parseQuotedCell() : try parsePlainCell()
  }

  private mutating func parsePlainCell() throws(Step) -> String {
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == delimiter || byte == 0x0A || byte == 0x0D { return try text(from: start) }
      if byte == UInt8(ascii: "\""), quoting == .doubled || quoting == .spaced {
        throw .failure(at: offset, "a quote inside a cell that does not begin with one")
      }
      offset += 1
    }
    guard isLast else { throw .incomplete }
    return try text(from: start)
  }

  private mutating func parseQuotedCell() throws(Step) -> String {
    let opening = offset
    offset += 1
    var part = offset
    var text = ""
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\\"), quoting == .backslash {
        guard offset + 1 < bytes.count || isLast else { throw .incomplete }
        text += try self.text(from: part)
        // The next character stands for itself, also a quote or the end of a line.
        part = offset + 1
        offset += 1
        guard offset < bytes.count else { break }
        if bytes[offset] == 0x0A || bytes[offset] == 0x0D { hasInnerLineEnds = true }
        offset += 1
        continue
      }
      if byte == UInt8(ascii: "\"") {
        guard offset + 1 < bytes.count || isLast else { throw .incomplete }
        // Doubled quotes are ASCII, so no character is torn when the text is taken in parts.
        text += try self.text(from: part)
        offset += 1
        if take(UInt8(ascii: "\"")) {
          part = offset - 1
          continue
        }
        if quoting == .spaced { skipBlanks() }
        guard offset == bytes.count || isCellEnd(bytes[offset]) else {
          throw .failure(at: offset, "text after the quote that closes a cell")
        }
        return text
      }
      if byte == 0x0A || byte == 0x0D { hasInnerLineEnds = true }
      offset += 1
    }
    guard isLast else { throw .incomplete }
    throw .failure(at: opening, "the quote is never closed")
  }

  private func text(from start: Int) throws(Step) -> String {
    let part = UnsafeBufferPointer(rebasing: bytes[start..<offset])
    if let text = String(validating: part, as: UTF8.self) { return text }
    throw .failure(at: start + (TextScan.firstInvalidUTF8(in: part) ?? 0), "not valid UTF-8")
  }

  private func isCellEnd(_ byte: UInt8) -> Bool {
    byte == delimiter || byte == 0x0A || byte == 0x0D
  }

  private mutating func skipBlanks() {
    while offset < bytes.count, isBlank(bytes[offset]) { offset += 1 }
  }

  private mutating func skipBlanksBeforeQuote() {
    let start = offset
    skipBlanks()
    // Other blanks belong to the cell.
    if offset == bytes.count || bytes[offset] != UInt8(ascii: "\"") { offset = start }
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 && delimiter != 0x09
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func takeLineEnd() throws(Step) -> Bool {
    if take(0x0A) { return true }
    guard take(0x0D) else { return false }
    guard offset < bytes.count || isLast else { throw .incomplete }
    _ = take(0x0A)
    return true
  }
}
