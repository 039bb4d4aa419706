import SyncKitFormats
import SyncKit

/// One row of an imported table, with its faults.
struct ImportRow {
  private let row: CSVRow
  private let columns: [String: Int]
  let file: String?
  private(set) var faults: [ImportedRecords.Fault] = []

  init(_ row: CSVRow, columns: [String: Int], file: String?) {
    self.row = row
    self.columns = columns
    self.file = file
  }

  /// The line on which it begins.
  var line: Int { row.line }

  /// The text of a column; nil when it is empty or absent.
  func text(_ column: String) -> String? {
    guard let place = columns[column] ?? columns[column.lowercased()] else { return nil }
    return text(at: place)
  }

  /// The text at a place; nil when it is empty or absent.
  func text(at place: Int) -> String? {
    guard row.cells.indices.contains(place) else { return nil }
    let text = row.cells[place].trimmed
    return text.isEmpty ? nil : text
  }

  /// The first of several columns that has a text.
  func text(_ columns: [String]) -> String? { columns.lazy.compactMap { text($0) }.first }

  /// A required text.
  mutating func needed(_ column: String) -> String? {
    if let text = text(column) { return text }
    fail(column, "it is empty")
    return nil
  }

  /// A year from 1800 on; of a span such as 2019–2021, the first year counts.
  mutating func year(_ column: String) -> Int64? {
    guard let text = text(column) else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    if let year = Int64(digits), (1800...2999).contains(year) { return year }
    fail(column, "'\(text)' is not a year")
    return nil
  }

  mutating func number(_ column: String) -> Int64? {
    guard let text = text(column) else { return nil }
    if let number = Int64(text), number >= 0 { return number }
    fail(column, "'\(text)' is not a whole number")
    return nil
  }

  /// A rating above zero on a scale; zero is how services write that there is none.
  mutating func rating(_ column: String, scale: Int64) -> Rating? {
    guard let text = text(column) else { return nil }
    if Double(text.replacingComma) == 0 { return nil }
    if let value = Double(text.replacingComma), value > 0, let rating = Rating(value, of: scale) {
      return rating
    }
    fail(column, "'\(text)' is not a rating from 0 to \(scale)")
    return nil
  }

  mutating func day(_ column: String) -> Day? {
    guard let text = text(column) else { return nil }
    if let day = DateText.day(text) { return day }
    fail(column, "'\(text)' is not a date such as 2026-11-21")
    return nil
  }

  /// Texts separated by commas.
  func tags(_ column: String) -> [String] {
    (text(column) ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }

  mutating func fail(_ column: String?, _ message: String) {
    let place = file.map { "\($0): " } ?? ""
    faults.append(
      ImportedRecords.Fault(row: line, column: column, message: place + message))
  }
}

extension String {
  /// The text with a comma in a number as a point.
  fileprivate var replacingComma: String { String(map { $0 == "," ? "." : $0 }) }
}

/// A table of rows below a header, row by row; malformed rows are faults, and the others are read.
///
/// A row that is shorter than the header lacks its last cells, as IMDb writes unrated titles.
struct ImportTable {
  /// The names of the columns as they are written.
  let header: [String]
  /// The malformed rows.
  private(set) var faults: [ImportedRecords.Fault] = []
  /// The number of rows so far.
  private(set) var count = 0

  private var reader: CSVReader
  private let columns: [String: Int]
  private let file: String?

  /// Reads the header.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when there is no header or it lacks columns.
  init(_ bytes: [UInt8], file: String? = nil, requiring required: [String] = []) throws {
    self.file = file
    let text = try DecodedText.utf8(bytes, file: file)
    reader = CSVReader(text, dialect: CSVDialect(of: text))
    let place = file.map { "\($0): " } ?? ""
    do {
      guard let header = try reader.next() else {
        throw CSVError(line: 1, column: 1, message: "there is no header, the text is empty")
      }
      self.header = header.cells.map(\.trimmed)
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "\(place)\(error)")
    }
    columns = Dictionary(
      header.enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    let missing = required.filter { columns[$0.lowercased()] == nil }
    guard missing.isEmpty else {
      throw SyncError(
        .inputInvalid,
        "\(place)the header lacks the column \(missing.map { "'\($0)'" }.joined(separator: ", "))")
    }
  }

  /// The next row; nil after the last.
  mutating func next() -> ImportRow? {
    while true {
      do {
        guard var row = try reader.next() else { return nil }
        count += 1
        while row.cells.count > header.count, row.cells.last?.trimmed.isEmpty == true {
          row.cells.removeLast()
        }
        guard row.cells.count <= header.count else {
          fail(
            row.line,
            "\(Plural(row.cells.count, "cell")) where the header has \(header.count); is a quote missing?"
          )
          continue
        }
        return ImportRow(row, columns: columns, file: file)
      } catch let error as CSVError {
        fail(error.line, error.message)
      } catch {
        return nil
      }
    }
  }

  private mutating func fail(_ line: Int, _ message: String) {
    let place = file.map { "\($0): " } ?? ""
    faults.append(ImportedRecords.Fault(row: line, message: place + message))
  }
}

extension ImportedLibrary {
  /// Visits the rows of a table.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when there is no header or it lacks columns.
  mutating func forEachRow(
    of bytes: [UInt8], file: String?, requiring columns: [String],
    _ body: (inout ImportRow, inout ImportedLibrary) -> Void
  ) throws {
    var table = try ImportTable(bytes, file: file, requiring: columns)
    while var row = table.next() {
      body(&row, &self)
      faults += row.faults
    }
    rows += table.count
    faults += table.faults
  }
}
