import SyncKitFormats
import SyncKit

/// Reads the app's map of codes, and documents with records.
struct JSONImport {
  private var rows: ImportedRows

  init(rows: ImportedRows) { self.rows = rows }

  /// Reads a whole file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for bytes that are not JSON, or neither an
  ///   object nor an array.
  mutating func read(_ bytes: [UInt8]) throws -> ImportedRecords {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw SyncError(.inputInvalid, "The file is not valid JSON: \(error).")
    }
    if let records = document["records"]?.array ?? document.array {
      for (index, record) in records.enumerated() { add(record, row: index + 1) }
    } else if document["schema"]?.string == AirportImport.communitySchema {
      add(maps: document["pairs"]?.object.map { [$0] } ?? [], or: [:])
    } else if let object = document.object {
      add(maps: AirportImport.mapKeys.compactMap { object[$0]?.object }, or: object)
    } else {
      throw SyncError(
        .inputInvalid, "The file must contain an object of codes or an array of records.")
    }
    return rows.records
  }

  private mutating func add(maps: [JSONObject], or object: JSONObject) {
    // The app's two keys hold the same map from different versions, so a pair may stand in both.
    var pairs: [(key: String, value: JSON)] = []
    for member in maps.isEmpty ? object.members : maps.flatMap(\.members)
    where maps.count < 2 || !pairs.contains(where: { $0 == member }) {
      pairs.append(member)
    }
    for (index, pair) in pairs.enumerated() {
      let icao = ImportedRows.Cell(
        column: pair.key, content: .field(.icao), value: pair.value)
      rows.add(index + 1, id: (pair.key, pair.key), [icao])
    }
  }

  /// Reads a record of a listing, or a flat object with the names of the columns of a CSV.
  private mutating func add(_ record: JSON, row: Int) {
    guard let record = record.object else {
      return rows.fail(row, "A record must be an object.")
    }
    if record["deleted"]?.bool == true { return }
    let collection = Name(record["collection"]?.string ?? "mapping")
    guard let known = DomainSchema.airports[collection] else {
      return rows.fail(row, column: "collection", "There is no collection with that name.")
    }
    let key = record["id"] == nil ? "iata" : "id"
    let id = (column: key, text: record[key]?.string ?? "")
    guard let fields = record["fields"]?.object else {
      return rows.add(row, collection, id: id, known.flatCells(record))
    }
    var cells = fields.members.map { name, value in
      ImportedRows.Cell(column: name, content: .field(Name(name)), value: value)
    }
    if known.name == .mapping, fields["icao"] == nil {
      cells.append(ImportedRows.Cell(column: "icao", content: .field(.icao), value: .null))
    }
    if known.field(.created) != nil, fields["created"] == nil, let created = record["created"] {
      cells.append(
        ImportedRows.Cell(column: "created", content: .field(.created), value: created))
    }
    if let modified = record["modified"] {
      cells.append(ImportedRows.Cell(column: "modified", content: .modified, value: modified))
    }
    rows.add(row, collection, id: id, cells)
  }
}

extension RecordType {
  /// The cells of an object without `fields`, for a record of this collection.
  fileprivate func flatCells(_ record: JSONObject) -> [ImportedRows.Cell] {
    var cells = record.members.compactMap { name, value -> ImportedRows.Cell? in
      guard let content = ImportColumn(name) else { return nil }
      if case .field(let field) = content, self.field(field) == nil { return nil }
      return ImportedRows.Cell(column: name, content: content, value: value)
    }
    if name == .mapping, !cells.contains(where: { $0.content == .field(.icao) }) {
      cells.append(ImportedRows.Cell(column: "icao", content: .field(.icao), value: .null))
    }
    return cells
  }
}
