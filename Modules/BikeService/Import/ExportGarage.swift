import SyncKitFormats
import SyncKit

/// Reads the `bikes.csv` and `components.csv` of Strava's bulk export.
///
/// Both name bikes and do not number them. Their columns are found by name; in another language by
/// their order.
struct ExportGarage {
  /// A bike of the export.
  struct Bike {
    var name: String
    var brand: String?
    var model: String?
  }

  private(set) var bikes: [Bike] = []
  private(set) var components: [RecordDraft] = []
  private(set) var faults: [ImportedRecords.Fault] = []

  mutating func readBikes(_ bytes: [UInt8]) throws {
    for (cells, _) in try rows(of: bytes, "bikes.csv") {
      guard let name = cells[0] else { continue }
      bikes.append(Bike(name: name, brand: cells[1], model: cells[2]))
    }
  }

  /// Reads components; their ids follow from their content, so that reading them again adds none.
  mutating func readComponents(_ bytes: [UInt8], names: inout GearNames) throws {
    var counts: [String: Int] = [:]
    for (cells, _) in try rows(of: bytes, "components.csv") {
      guard let bike = cells[0], let type = cells[1] else { continue }
      let id = names.id(of: bike)
      let label = [type, cells[2], cells[3]].map { $0 ?? "" }.joined(separator: "\u{1F}")
      let count = counts[id + label, default: 0]
      counts[id + label] = count + 1
      var fields: [FieldName: Value] = ["name": .string(type), "type": .string(type)]
      if let brand = cells[2] { fields["brand"] = .string(brand) }
      if let model = cells[3] { fields["model"] = .string(model) }
      components.append(
        RecordDraft(
          .component, id: RecordID(GearNames.derivedID(of: "\(id) \(label) \(count)")),
          parent: .root(.bike, RecordID(id)), fields: fields, weight: .touch))
    }
  }

  /// The rows after the header, each of four cells.
  private mutating func rows(
    of bytes: [UInt8], _ file: String
  ) throws -> [(cells: [String?], line: Int)] {
    var rows: [([String?], Int)] = []
    do {
      var reader = CSVReader(bytes)
      guard try reader.next() != nil else { return [] }
      while let row = try reader.next() {
        let cells = (0..<4).map { index -> String? in
          guard index < row.cells.count else { return nil }
          let text = row.cells[index].trimmed
          return text.isEmpty ? nil : text
        }
        if cells[0] == nil {
          faults.append(.init(row: row.line, message: "\(file): the bike has no name."))
        }
        rows.append((cells, row.line))
      }
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "\(file), \(error).")
    }
    return rows
  }
}
