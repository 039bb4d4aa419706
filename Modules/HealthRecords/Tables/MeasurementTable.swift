import SyncKitFormats
import SyncKit

/// Reads tables of measurements: a row for each day or time, columns with units.
///
/// | Header | Read as |
/// |---|---|
/// | `date`, `day`, `time`, `datetime`, `timestamp` | the time; a `time` beside a `date` is added to it |
/// | `weight kg`, `weight (lb)`, `weight [st]` | a weight; without a unit in the header each cell needs one |
/// | `systolic`, `diastolic`, with `mmHg` or `kPa` | the two parts of a blood pressure; mmHg by default |
/// | `blood pressure`, `bp` | `120/80 mmHg` in one cell |
/// | `comment`, `note`, `notes` | the remark |
///
/// An option can give any header one of these meanings, or skip it. Commas, semicolons and tabs
/// separate cells; with semicolons a number may have a decimal comma.
enum MeasurementTable {
  /// Whether a table is one of records in general, by its column `id`.
  static func isGeneral(_ bytes: [UInt8]) -> Bool {
    guard let header = try? CSVReaderOf.header(bytes) else { return false }
    return header.contains { $0.folded == "id" }
  }

  static func read(_ bytes: [UInt8], into collector: inout EntryCollector) throws {
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw SyncError(.inputInvalid, "The file is empty.")
    }
    let subject = try collector.chosenSubject()
    do {
      var reader = CSVReader(bytes, delimiter: CSVReaderOf.delimiter(bytes))
      guard let header = try reader.next() else {
        throw SyncError(.inputInvalid, "The file is empty.")
      }
      let layout = try MeasurementColumns(header.cells, mapped: collector.options.columns)
      while let row = try reader.next() {
        guard row.cells.count == header.cells.count else {
          let cells = Plural(row.cells.count, "cell")
          collector.fail(
            row.line, nil, "The row has \(cells) where the header has \(header.cells.count).")
          continue
        }
        MeasurementRow(row, layout).read(of: subject, into: &collector)
      }
    } catch let error as CSVError {
      throw SyncError(
        .inputInvalid, "The file is not valid CSV: line \(error.line), column \(error.column).")
    }
  }
}

/// The properties of a CSV that are needed before it can be read.
private enum CSVReaderOf {
  static func header(_ bytes: [UInt8]) throws -> [String] {
    let line = bytes.prefix(1 << 16).prefix { $0 != 0x0A && $0 != 0x0D }
    var reader = CSVReader(line, delimiter: delimiter(bytes))
    return try reader.next()?.cells ?? []
  }

  /// The most frequent separator in the first line, or a comma.
  static func delimiter(_ bytes: [UInt8]) -> CSVDelimiter {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    func count(_ delimiter: CSVDelimiter) -> Int { line.count { $0 == delimiter.rawValue } }
    let others = [CSVDelimiter.semicolon, .tab].filter { count($0) > count(.comma) }
    return others.max { count($0) < count($1) } ?? .comma
  }
}
