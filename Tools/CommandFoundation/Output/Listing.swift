import SyncKitFormats

/// A list that is printed while it is made, so that its length costs no memory.
///
/// The same list as a ``Report`` gives the same bytes. Only the table for people is collected first,
/// since the width of a column is not known before its last row.
///
/// ```
/// var listing = context.listing("cloudsync.airports.list/1", records: "records", columns: columns)
/// for record in … where !listing.isAbandoned { listing.add(record.json, cells) }
/// listing.finish()
/// ```
package struct Listing {
  private let context: CommandContext
  private let schema: String
  private let key: String
  private var table: ReportTable
  private var csv = CSVWriter(lineEnding: .lf)
  private var isEmpty = true

  fileprivate init(
    _ context: CommandContext, schema: String, key: String, columns: [ReportTable.Column]
  ) {
    self.context = context
    self.schema = schema
    self.key = key
    table = ReportTable(columns)
    switch context.format {
    case .json:
      write("{\"schema\":\(JSON.string(schema).text()),\(JSON.string(key).text()):[")
    case .csv:
      csv.write(columns.map(\.header))
    case .table, .plain, .jsonl: break
    }
  }

  /// Whether the reader has gone, so that there is no use in adding more.
  package var isAbandoned: Bool { context.terminal.output.isAbandoned }

  /// Prints one more record.
  ///
  /// - Parameters:
  ///   - record: The record for programs; asked for only where it is printed.
  ///   - cells: Its row; asked for only where it is printed.
  package mutating func add(
    _ record: @autoclosure () -> JSON, _ cells: @autoclosure () -> [ReportTable.Cell]
  ) {
    switch context.format {
    case .json:
      if !isEmpty { write(",") }
      context.terminal.output.write(bytes: record().serialized())
    case .jsonl:
      context.terminal.output.write(bytes: record().serialized())
      write("\n")
    case .plain: write(ReportTable.tabSeparated(cells()))
    case .csv:
      csv.write(cells().map(\.raw))
      if csv.output.count >= 1 << 15 { context.terminal.output.write(bytes: csv.takeOutput()) }
    case .table: table.rows.append(cells())
    }
    isEmpty = false
  }

  /// Ends the list.
  ///
  /// - Parameter keys: Further keys of the document, after the records.
  package mutating func finish(_ keys: JSONObject = [:]) {
    switch context.format {
    case .json:
      write("]")
      for (key, value) in keys.members {
        write(",\(JSON.string(key).text()):\(value.text())")
      }
      write("}\n")
    case .csv: context.terminal.output.write(bytes: csv.takeOutput())
    case .table:
      write(table.aligned(paint: context.paint, width: context.terminal.columns))
    case .plain, .jsonl: break
    }
  }

  private func write(_ text: String) { context.terminal.output.write(text) }
}

extension CommandContext {
  /// Begins a list on standard output.
  ///
  /// - Parameters:
  ///   - schema: The document's name and version, such as `cloudsync.airports.list/1`.
  ///   - records: The key that holds the records.
  ///   - columns: What the rows have.
  /// - Returns: The list, still without records.
  package func listing(_ schema: String, records: String, columns: [ReportTable.Column]) -> Listing
  {
    Listing(self, schema: schema, key: records, columns: columns)
  }
}
