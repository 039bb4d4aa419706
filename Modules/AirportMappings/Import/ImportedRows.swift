import SyncKitFormats
import SyncKit

/// Gathers the records of a file, each checked on its own and against the ones before.
struct ImportedRows {
  /// A value with its place.
  struct Cell {
    /// The column or key, as the file has it.
    var column: String
    /// The meaning of the column.
    var content: ImportColumn
    /// The content; a CSV has only texts.
    var value: JSON
  }

  private let reference: AirportReference
  private(set) var records = ImportedRecords(rows: [])
  /// The records seen so far, by collection and id.
  private var seen: [String: (text: String, row: Int)] = [:]

  init(reference: AirportReference) { self.reference = reference }

  /// Records a fault of a row.
  mutating func fail(_ row: Int, column: String? = nil, _ message: String) {
    records.faults.append(ImportedRecords.Fault(row: row, column: column, message: message))
  }

  /// Takes a record, or records all of its faults.
  mutating func add(
    _ row: Int, _ collection: Name = .mapping, id: (column: String, text: String), _ cells: [Cell]
  ) {
    let faultCount = records.faults.count
    var draft = RecordDraft(collection, fields: [:])
    do throws(MappingProblem) { draft.id = try self.id(id.text, in: collection) } catch {
      fail(row, column: id.column, error.reason)
    }
    for cell in cells {
      do throws(MappingProblem) { try Self.put(cell, into: &draft) } catch {
        fail(row, column: cell.column, error.reason)
      }
    }
    guard let name = draft.id, records.faults.count == faultCount else { return }
    let place = (text: AirportCode.trimmed(id.text), row: row)
    if let other = seen.updateValue(place, forKey: "\(collection)/\(name)") {
      let texts = [other, place].map { "“\($0.text)” (\($0.row))" }
      return fail(
        row, column: id.column, "\(texts.joined(separator: " and ")) both mean \(name).")
    }
    records.rows.append(ImportedRecords.Row(row: row, draft: draft))
  }

  private func id(_ text: String, in collection: Name) throws(MappingProblem) -> Name {
    if collection == .rejection { return try MappingRules.rejection(text) }
    let code = try MappingRules.iata(text)
    if collection == .mapping { try MappingRules.refuseCity(code, reference) }
    return Name(code)
  }

  private static func put(_ cell: Cell, into draft: inout RecordDraft) throws(MappingProblem) {
    switch cell.content {
    case .modified:
      draft.at = try Value(importing: cell.value, as: .instant)?.instant ?? draft.at
    case .field(let name):
      guard let field = DomainSchema.airports[draft.collection]?.field(name) else {
        throw MappingProblem(name, "There is no such field.")
      }
      let value = try Value(importing: cell.value, as: field.type)
      if name == .icao {
        draft.fields[name] = try MappingRules.normalized(value ?? "", of: name)
      } else if let value {
        draft.fields[name] = try MappingRules.normalized(value, of: name)
      }
    }
  }
}
