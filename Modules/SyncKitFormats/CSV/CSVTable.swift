/// Reads CSV whose first row names the columns, record by record.
///
/// Names are found whatever their case and the space around them: `Latitude ` is `latitude`. A name may
/// come only once unless repeats are allowed; columns without a name are allowed and can only be read by position.
///
/// ```swift
/// var table = try CSVTable(CSVReader(bytes), requiring: ["icao", "name"])
/// while let record = try table.next() { print(record.line, record["name"] ?? "") }
/// ```
public struct CSVTable {
  /// The first row as it was written.
  public let header: CSVRow

  private let columns: [String: [Int]]
  private var reader: CSVReader

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - reader: A reader that has given out no row yet.
  ///   - required: Names without which the table is of no use.
  ///   - allowsRepeats: Whether a name may come several times, as some exports give a value in two units.
  /// - Throws: ``CSVError`` when there is no header, a name appears twice or a required one is missing; and
  ///   whatever the reader throws.
  public init(
    _ reader: CSVReader, requiring required: [String] = [], allowsRepeats: Bool = false
  ) throws {
    var reader = reader
    guard let header = try reader.next() else {
      throw CSVError(line: 1, column: 1, message: "there is no header, the text is empty")
    }
    var columns: [String: [Int]] = [:]
    for (position, name) in header.cells.map(Self.fold).enumerated() where !name.isEmpty {
      columns[name, default: []].append(position)
      guard allowsRepeats || columns[name]?.count == 1 else {
        throw CSVError(
          line: header.line, column: 1, message: "the column \(Self.quote(name)) appears twice")
      }
    }
    let missing = required.filter { columns[Self.fold($0)] == nil }.map(Self.quote)
    guard missing.isEmpty else {
      let noun = missing.count == 1 ? "column" : "columns"
      throw CSVError(
        line: header.line, column: 1,
        message: "the header lacks the \(noun) \(missing.joined(separator: ", "))")
    }
    self.header = header
    self.columns = columns
    self.reader = reader
  }

  /// Whether there is a column of that name.
  public func hasColumn(_ name: String) -> Bool { columns[Self.fold(name)] != nil }

  /// Reads the next record.
  ///
  /// - Returns: The record, nil after the last.
  /// - Throws: ``CSVError`` when the row has more or fewer cells than the header, after which reading can
  ///   go on with the next row; and whatever the reader throws.
  public mutating func next() throws -> CSVRecord? {
    guard let row = try reader.next() else { return nil }
    guard row.cells.count == header.cells.count else {
      throw CSVError(
        line: row.line, column: 1,
        message: "\(Plural(row.cells.count, "cell")) where the header has \(header.cells.count)")
    }
    return CSVRecord(row: row, columns: columns)
  }

  static func fold(_ name: String) -> String {
    let isSpace = { (character: Character) in character.isWhitespace }
    let head = name.drop(while: isSpace)
    let end = head.lastIndex { !isSpace($0) }.map(head.index(after:)) ?? head.startIndex
    return head[..<end].lowercased()
  }

  private static func quote(_ name: String) -> String { "\"\(DisplayWidth.sanitized(name))\"" }
}
