import SyncKit

/// The meaning of a table's columns, by its header.
struct CSVLayout {
  /// A column by its place and its name in the header.
  typealias Column = (index: Int, name: String)

  /// Where the IATA code stands.
  let id: Column
  /// Where the ICAO code stands, the best first; never empty.
  let icao: [Column]
  /// The other columns that are known.
  let others: [(Column, ImportColumn)]
  /// Whether the table is one of the world's airports rather than of a person's mappings.
  let isReference: Bool

  /// Whether a first row names columns.
  static func isHeader(_ cells: [String]) -> Bool {
    cells.contains { ["iata", "iatacode"].contains(ImportColumn.fold($0)) }
  }

  /// Reads a header.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when a column is missing.
  init(_ header: [String]) throws {
    let columns = header.enumerated().map { (index: $0, name: AirportCode.trimmed($1)) }
    func column(_ name: String) -> Column? {
      columns.first { ImportColumn.fold($0.name) == name }
    }
    icao = ["icao", "icaocode", "gpscode"].compactMap(column)
    isReference = column("iata") == nil
    guard let id = column("iata") ?? column("iatacode"), !icao.isEmpty else {
      throw SyncError(.inputInvalid, "The CSV header lacks the column icao.")
    }
    self.id = id
    // The other columns of a table of airports are not a person's data.
    let known = columns.compactMap { column in ImportColumn(column.name).map { (column, $0) } }
    others = isReference ? [] : known.filter { $0.1 != .field(.icao) }
  }
}
