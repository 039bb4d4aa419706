import CommandFoundation
import SyncKitFormats
import SyncKit

/// Reads records of any domain, in the general form that its schema alone gives.
///
/// | Format | Shape |
/// |---|---|
/// | JSON | a document with `records`, as a list prints it, or an array of such records |
/// | | `{"ID": {"field": value, …}, …}`, for the first collection |
/// | JSON lines | a record on each line, as `list --output jsonl` prints them |
/// | CSV | a header with `id` and the names of fields; `collection` and `parent` may be there too |
struct RecordFileReader {
  private let domain: any SyncDomain
  private var records = ImportedRecords(rows: [])

  init(_ domain: any SyncDomain) { self.domain = domain }

  /// The formats by name or extension.
  static let formats: Set<String> = ["json", "records", "jsonl", "ndjson", "csv", "tsv", "txt"]

  /// Reads a whole file; without a format its first byte decides.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for an unreadable file, `usage` for another format.
  func read(_ bytes: [UInt8], format: String?) throws -> ImportedRecords {
    var reader = self
    let opensJSON = bytes.first { $0 > 0x20 && $0 < 0x80 }.map { $0 == 0x7B || $0 == 0x5B } ?? false
    switch format ?? "" {
    case "json", "records": try reader.readJSON(bytes)
    case "jsonl", "ndjson": reader.readLines(bytes)
    case "csv", "tsv": try reader.readCSV(bytes)
    case "", "txt": try opensJSON ? reader.readJSON(bytes) : reader.readCSV(bytes)
    case let other: throw SyncError.unknownName("format", other, among: ["json", "csv"])
    }
    return reader.records
  }

  // MARK: JSON

  private mutating func readJSON(_ bytes: [UInt8]) throws {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      if JSONLines.isOne(bytes) { return readLines(bytes) }
      throw SyncError(.inputInvalid, "not valid JSON: \(error)")
    }
    if let list = document["records"]?.array ?? document.array {
      for (index, record) in list.enumerated() { add(record, row: index + 1) }
    } else if let object = document.object {
      for (index, member) in object.members.enumerated() {
        add(["id": .string(member.key), "fields": member.value], row: index + 1)
      }
    } else {
      throw SyncError(.inputInvalid, "neither an object nor an array of records")
    }
  }

  private mutating func readLines(_ bytes: [UInt8]) {
    let lines = JSONLines(bytes)
    for fault in lines.faults { fail(fault.line, nil, "not valid JSON: \(fault.message)") }
    for (line, record) in lines.values { add(record, row: line) }
  }

  private mutating func add(_ record: JSON, row: Int) {
    if record["deleted"]?.bool == true { return }
    guard let fields = record["fields"]?.object else {
      return fail(row, "fields", "a record needs an object of fields")
    }
    let cells = fields.members.map { name, json in
      Cell(name: name, shown: json.text()) { Value(json: json, as: $0) }
    }
    add(
      row, collection: record["collection"]?.string, id: record["id"]?.string,
      parent: record["parent"]?.string, cells)
  }

  // MARK: CSV

  private mutating func readCSV(_ bytes: [UInt8]) throws {
    do {
      var table = try CSVTable(
        CSVReader(bytes, dialect: CSVDialect(of: bytes)), requiring: ["id"])
      let header = table.header.cells
      while let row = try nextRow(&table) {
        let cells = zip(header, row.row.cells).compactMap { name, text -> Cell? in
          guard !text.isEmpty, !Self.ownColumns.contains(name) else { return nil }
          return Cell(name: name, shown: "'\(text)'") { Value(typed: text, as: $0) }
        }
        add(
          row.line, collection: row["collection"], id: row["id"], parent: row["parent"], cells)
      }
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "not valid CSV: \(error)")
    }
  }

  /// The columns of an export other than fields.
  private static let ownColumns: Set<String> = [
    "collection", "id", "parent", "created", "modified", "device",
  ]

  private mutating func nextRow(_ table: inout CSVTable) throws -> CSVRecord? {
    while true {
      do { return try table.next() } catch let error as CSVError {
        fail(error.line, nil, error.message)
      }
    }
  }

  // MARK: Rows

  /// A field's value, read once its type is known.
  private struct Cell {
    var name: String
    var shown: String
    var value: (Field.ValueType) -> Value?
  }

  private mutating func add(
    _ row: Int, collection: String?, id: String?, parent: String?, _ cells: [Cell]
  ) {
    let named = collection.flatMap { $0.isEmpty ? nil : $0 }
    guard
      let type = named.map({ domain.schema[CollectionName($0)] }) ?? domain.schema.collections.first
    else { return fail(row, "collection", "there is no collection '\(named ?? "")'") }
    var draft = RecordDraft(
      type.name, id: id.flatMap { $0.isEmpty ? nil : RecordID($0) }, fields: [:])
    if let parent, !parent.isEmpty {
      guard let address = try? RecordAddress(parent, in: domain) else {
        return fail(
          row, "parent",
          domain.isPrivate ? "not the name of a record" : "'\(parent)' is not the name of a record")
      }
      draft.parent = RecordKey(collection: address.collection.name, id: address.id)
    }
    let faults = records.faults.count
    for cell in cells { put(cell, into: &draft, of: type, row) }
    guard records.faults.count == faults else { return }
    records.rows.append(ImportedRecords.Row(row: row, draft: draft))
  }

  private mutating func put(
    _ cell: Cell, into draft: inout RecordDraft, of collection: RecordType, _ row: Int
  ) {
    guard let field = collection.field(FieldName(cell.name)), field.members.isEmpty else {
      return fail(row, cell.name, "there is no such field")
    }
    guard let value = cell.value(field.type) else {
      let found = domain.isPrivate ? "" : ", not \(cell.shown)"
      return fail(row, cell.name, "the field takes \(field.type.phrase)\(found)")
    }
    draft.fields[field.name] = value
  }

  private mutating func fail(_ row: Int, _ column: String?, _ message: String) {
    records.faults.append(ImportedRecords.Fault(row: row, column: column, message: message))
  }
}
