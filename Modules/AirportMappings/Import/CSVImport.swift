import SyncKitFormats
import SyncKit

/// Reads tables of codes, with a header or without.
struct CSVImport {
  private var rows: ImportedRows

  init(rows: ImportedRows) { self.rows = rows }

  /// Reads a whole file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the columns cannot be recognised.
  mutating func read(_ bytes: [UInt8]) throws -> ImportedRecords {
    do {
      var reader = CSVReader(bytes, delimiter: CSVDelimiter(mostFrequentIn: bytes))
      var peek = reader
      let first = try peek.next()?.cells ?? []
      if CSVLayout.isHeader(first) {
        var table = try CSVTable(reader)
        let layout = try CSVLayout(table.header.cells)
        while let row = try nextRow({ try table.next()?.row }) { add(row, in: layout) }
      } else if first.count == 2 {
        while let row = try nextRow({ try reader.next() }) { addPair(row) }
      } else {
        throw SyncError(
          .inputInvalid,
          "The CSV needs a header with the columns iata and icao, or exactly two columns.")
      }
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "The file is not valid CSV: \(error).")
    }
    return rows.records
  }

  /// The next readable row; a reader that cannot go on after a fault is at its end.
  private mutating func nextRow(_ next: () throws -> CSVRow?) throws -> CSVRow? {
    while true {
      do { return try next() } catch let error as CSVError {
        rows.fail(error.line, "Could not read the row: \(error.message).")
      }
    }
  }

  private mutating func addPair(_ row: CSVRow) {
    guard row.cells.count == 2 else {
      let message =
        "The row has \(Plural(row.cells.count, "cell")) instead of an IATA and an ICAO code."
      return rows.fail(row.line, message)
    }
    rows.add(
      row.line, id: ("iata", row.cells[0]),
      [ImportedRows.Cell(column: "icao", content: .field(.icao), value: .string(row.cells[1]))])
  }

  private mutating func add(_ row: CSVRow, in layout: CSVLayout) {
    let id = row.cells[layout.id.index]
    var icao = layout.icao[0]
    if layout.isReference {
      icao = layout.icao.first { !AirportCode.trimmed(row.cells[$0.index]).isEmpty } ?? icao
      // Most airports of the world have neither code, or a local one in place of ICAO's.
      guard !AirportCode.trimmed(id).isEmpty, (try? AirportCode.icao(row.cells[icao.index])) != nil
      else { return }
    }
    var cells = [
      ImportedRows.Cell(
        column: icao.name, content: .field(.icao), value: .string(row.cells[icao.index]))
    ]
    for (column, content) in layout.others {
      cells.append(
        ImportedRows.Cell(
          column: column.name, content: content, value: .string(row.cells[column.index])))
    }
    rows.add(row.line, id: (layout.id.name, id), cells)
  }
}

extension CSVDelimiter {
  /// The delimiter of a text: the most frequent one in its first line, or a comma.
  fileprivate init(mostFrequentIn bytes: [UInt8]) {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    func count(_ delimiter: CSVDelimiter) -> Int { line.count { $0 == delimiter.rawValue } }
    let others = [CSVDelimiter.semicolon, .tab].filter { count($0) > count(.comma) }
    self = others.max { count($0) < count($1) } ?? .comma
  }
}
