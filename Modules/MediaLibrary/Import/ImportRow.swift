import SyncKitFormats
import SyncKit

/// One row of an imported table, with its faults.
struct ImportRow {
  let record: CSVRecord
  let file: String?
  private(set) var faults: [ImportedRecords.Fault] = []

  init(_ record: CSVRecord, file: String?) {
    self.record = record
    self.file = file
  }

  /// The text of a column; nil when it is empty or absent.
  func text(_ column: String) -> String? {
    guard let text = record[column]?.trimmed, !text.isEmpty else { return nil }
    return text
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

  /// A rating above zero on a scale.
  mutating func rating(_ column: String, scale: Int64) -> Rating? {
    guard let text = text(column) else { return nil }
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
      ImportedRecords.Fault(row: record.line, column: column, message: place + message))
  }
}

extension String {
  /// The text with a comma in a number as a point.
  fileprivate var replacingComma: String { String(map { $0 == "," ? "." : $0 }) }
}

extension ImportedLibrary {
  /// Visits the rows of a table; malformed rows become faults and the others are read.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when there is no header or it lacks columns.
  mutating func forEachRow(
    of bytes: [UInt8], file: String?, requiring columns: [String],
    _ body: (inout ImportRow, inout ImportedLibrary) -> Void
  ) throws {
    let place = file.map { "\($0): " } ?? ""
    var table: CSVTable
    do {
      table = try CSVTable(CSVReader(TextDecoding.utf8(bytes)), requiring: columns)
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "\(place)\(error)")
    }
    while true {
      do {
        guard let record = try table.next() else { return }
        rows += 1
        var row = ImportRow(record, file: file)
        body(&row, &self)
        faults += row.faults
      } catch let error as CSVError {
        faults.append(ImportedRecords.Fault(row: error.line, message: place + error.message))
      }
    }
  }
}
