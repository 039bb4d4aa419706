import SyncKitFormats
import SyncKit

/// Rides as `bike ride export` writes them: a document with `records`, each with its id and fields.
///
/// A ride keeps its id, so that on another device it is the same ride, and reading it twice adds none.
struct RideDocument {
  private let records: [JSON]

  /// Takes a file; nil when it is another JSON.
  init?(_ document: JSON) {
    guard let records = document["records"]?.array,
      records.contains(where: { $0["collection"]?.string == "activity" }) || records.isEmpty
    else { return nil }
    self.records = records
  }

  /// The drafts of the local store; deleted rides are passed over.
  func imported() -> ImportedRecords {
    var result = ImportedRecords(rows: [])
    for (index, record) in records.enumerated() where record["deleted"]?.bool != true {
      let row = index + 1
      guard let collection = record["collection"]?.string.map({ CollectionName($0) }),
        let type = DomainSchema.strava[collection], let id = record["id"]?.string, !id.isEmpty,
        let fields = record["fields"]?.object
      else {
        result.faults.append(
          .init(row: row, message: "A ride needs a collection, an id and fields."))
        continue
      }
      var draft = RecordDraft(collection, id: RecordID(id), fields: [:])
      for field in type.fields {
        guard let json = fields[field.name.text], !json.isNull else { continue }
        if let value = Self.value(json, of: field) {
          draft.fields[field.name] = value
        } else {
          result.faults.append(
            .init(
              row: row, column: field.name.text,
              message: "The field '\(field.name)' takes \(field.type.rawValue)."))
        }
      }
      result.rows.append(.init(row: row, draft: draft))
    }
    return result
  }

  private static func value(_ json: JSON, of field: Field) -> Value? {
    switch field.type {
    case .bool: json.bool.map { .bool($0) }
    case .double: json.double.map { .double($0) }
    case .int: json.int.map { .int($0) }
    case .string: json.string.map { .string($0) }
    case .instant: json.string.flatMap(Timestamp.parse).map { .instant($0) }
    default: nil
    }
  }
}
