import SyncKitFormats

/// What a command found, in every form it can be printed.
public struct Report: Sendable {
  /// The whole for programs: an object whose first key is `schema`.
  package var document: JSONObject
  /// The key of the document whose elements are the records, one a line as `jsonl`; without one the
  /// document itself is the only line.
  package var records: String?
  package var table: ReportTable
  /// What people see instead of the table, each line safe to print and the last one ended.
  package var text: String?

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - schema: The document's name and version, such as `cloudsync.status/1`.
  ///   - keys: The document's other keys.
  ///   - records: The key whose elements are the records.
  ///   - table: The same as rows and columns.
  ///   - text: The same in words.
  package init(
    _ schema: String, _ keys: JSONObject, records: String? = nil,
    table: ReportTable = ReportTable([]), text: String? = nil
  ) {
    document = ["schema": .string(schema)]
    for (key, value) in keys.members { document[key] = value }
    self.records = records
    self.table = table
    self.text = text
  }

  /// Makes a report of rows under the headers of their columns.
  ///
  /// - Parameters:
  ///   - schema: The document's name and version, such as `bookshelf.next/1`.
  ///   - keys: The document's other keys.
  ///   - columns: What stands above the rows.
  ///   - rows: As many cells as there are columns.
  public init(_ schema: String, _ keys: JSONObject, columns: [String], rows: [[String]]) {
    self.init(
      schema, keys,
      table: ReportTable(
        columns.map { ReportTable.Column($0) },
        rows: rows.map { row in row.map { ReportTable.Cell($0) } }))
  }
}

extension CommandContext {
  /// Prints a report to standard output in the format that was asked for.
  public func print(_ report: Report) {
    switch format {
    case .json: printLine(.object(report.document))
    case .jsonl:
      guard let key = report.records, let records = report.document[key]?.array else {
        printLine(.object(report.document))
        return
      }
      for record in records { printLine(record) }
    case .table:
      let table = { report.table.aligned(paint: paint, width: terminal.columns) }
      terminal.output.write(report.text ?? table())
    case .plain: terminal.output.write(report.table.tabSeparated())
    case .csv:
      var writer = CSVWriter(lineEnding: .lf)
      writer.write(report.table.columns.map(\.header))
      for row in report.table.rows { writer.write(row.map(\.raw)) }
      terminal.output.write(bytes: writer.takeOutput())
    }
  }

  private func printLine(_ value: JSON) {
    terminal.output.write(bytes: value.serialized() + [UInt8(ascii: "\n")])
  }
}
