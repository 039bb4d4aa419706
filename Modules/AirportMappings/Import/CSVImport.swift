import SyncKitFormats
import SyncKit

/// Reads tables of codes, with a header or without.
struct CSVImport {
  private var rows: ImportedRows
  private let reference: AirportReference

  init(rows: ImportedRows, reference: AirportReference) {
    self.rows = rows
    self.reference = reference
  }

  /// Reads a whole file in UTF-8.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the columns cannot be recognised.
  mutating func read(_ bytes: [UInt8]) throws -> ImportedRecords {
    do {
      let dialect = CSVDialect(of: bytes)
      var reader = CSVReader(bytes, dialect: dialect)
      var peek = reader
      var head: [CSVRow] = []
      do {
        while head.count < Self.lookahead, let row = try peek.next() { head.append(row) }
      } catch  where !head.isEmpty {}
      let firstRows = head.prefix(Self.headerSearch)
      if let header = firstRows.firstIndex(where: { AirportLayout.isHeader($0.cells) }) {
        // Titles and remarks may stand above the header.
        for _ in 0...header { _ = try reader.next() }
        try read(&reader, under: head[header])
      } else {
        try readWithoutHeader(&reader, head)
      }
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "The file is not valid CSV: \(error).")
    }
    return try rows.finish()
  }

  /// So many rows are looked at to find columns without names.
  private static let lookahead = 200
  /// So many rows may stand above a header.
  private static let headerSearch = 20

  /// Reads rows whose columns have names.
  private mutating func read(_ reader: inout CSVReader, under header: CSVRow) throws {
    var names = header.cells
    // A table of OpenTravelData has its header in a remark.
    names[0] = String(names[0].drop { $0 == "#" || $0 == " " })
    let layout = try AirportLayout(names)
    guard layout.iata != nil, !layout.icao.isEmpty else {
      throw SyncError(
        .inputInvalid, "The CSV header lacks the column \(layout.iata == nil ? "iata" : "icao").")
    }
    while let row = nextRow(&reader) {
      if row.cells[0].hasPrefix("#"), header.cells[0].hasPrefix("#") { continue }
      guard let cells = Self.cells(of: row, width: names.count) else {
        rows.fail(
          row.line,
          "Could not read the row: \(Plural(row.cells.count, "cell")) where the header has "
            + "\(names.count).")
        continue
      }
      rows.add(layout.airport(row: row.line, reference) { .string(cells[$0]) })
    }
  }

  /// The cells of a row, as many as the header has; nil if there are others.
  ///
  /// Spreadsheets write empty cells beyond the last column that is in use.
  private static func cells(of row: CSVRow, width: Int) -> [String]? {
    if row.cells.count == width { return row.cells }
    guard row.cells.count > width,
      row.cells[width...].allSatisfy({ AirportCode.trimmed($0).isEmpty })
    else { return nil }
    return Array(row.cells.prefix(width))
  }

  /// The next readable row; a reader that cannot go on after a fault is at its end.
  private mutating func nextRow(_ reader: inout CSVReader) -> CSVRow? {
    while true {
      do { return try reader.next() } catch let error as CSVError {
        rows.fail(error.line, "Could not read the row: \(error.message).")
      } catch {
        return nil
      }
    }
  }

  // MARK: Without a header

  private mutating func readWithoutHeader(_ reader: inout CSVReader, _ head: [CSVRow]) throws {
    guard let columns = CodeColumns(of: head.map(\.cells), reference) else {
      if WrittenPairs.areIn(head.map(\.cells)) { return readWritten(&reader) }
      throw SyncError(
        .inputInvalid,
        "The CSV needs a header with the columns iata and icao, or exactly two columns.",
        hint: "without a header, columns are found by their codes: three letters for IATA, four "
          + "for ICAO")
    }
    while let row = nextRow(&reader) {
      guard row.cells.count > max(columns.iata, columns.icao),
        columns.isOfWorld || row.cells.count == 2
      else {
        rows.fail(
          row.line,
          "The row has \(Plural(row.cells.count, "cell")) instead of an IATA and an ICAO code.")
        continue
      }
      rows.add(
        ImportedRows.Airport(
          row: row.line, iata: ("iata", .string(row.cells[columns.iata])),
          icao: [("icao", .string(row.cells[columns.icao]))], isOfWorld: columns.isOfWorld))
    }
  }

  /// Reads pairs that stand within texts.
  private mutating func readWritten(_ reader: inout CSVReader) {
    var isFirst = true
    while let row = nextRow(&reader) {
      let pairs = WrittenPairs.pairs(in: row.cells)
      // The first row may name the columns.
      if pairs.isEmpty, !isFirst { rows.passOver("no pair of codes", row: row.line) }
      isFirst = false
      for pair in pairs {
        rows.add(
          ImportedRows.Airport(
            row: row.line, iata: ("iata", .string(pair.iata)),
            icao: [("icao", .string(pair.icao))], isOfWorld: true))
      }
    }
  }
}

extension AirportLayout {
  /// A row whose cells are found by the place of their column.
  func airport(
    row: Int, _ reference: AirportReference, cell: (Int) -> JSON
  ) -> ImportedRows.Airport {
    func value(_ column: Column?) -> JSON { column.map { cell($0.index) } ?? .null }
    func trimmed(_ column: Column) -> Column { (column.index, AirportCode.trimmed(column.name)) }
    var airport = ImportedRows.Airport(
      row: row, iata: (iata.map { trimmed($0).name } ?? "iata", value(iata)),
      icao: icao.map { (trimmed($0).name, value($0)) }, isOfWorld: isOfWorld)
    airport.others = others.map { column, content in
      ImportedRows.Cell(
        column: trimmed(column).name, content: content, value: cell(column.index))
    }
    let kind = value(type).string.map(ImportColumn.fold)
    if kind == "closed" || kind == "closedairport" { airport.past = "a closed airport" }
    let end = value(until).string.map(AirportCode.trimmed) ?? ""
    let isMarked = value(envelope).string.map { !AirportCode.trimmed($0).isEmpty } ?? false
    if isMarked || !end.isEmpty && end <= reference.releaseDate {
      airport.past = "an entry of the past"
    }
    return airport
  }
}
