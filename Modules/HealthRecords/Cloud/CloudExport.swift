import SyncKitFormats
import SyncKit

/// Writes a person or pet as a cloud record of the app, in the form that web services exchange.
///
/// Ids of entries and values unknown to the app are extra keys, so that an import restores the same
/// records.
struct CloudExport {
  let health: HealthTree

  init(_ health: HealthTree) { self.health = health }

  var document: JSON {
    let record = health.subject.record
    var fields = JSONObject()
    func put(_ key: String, _ type: String, _ value: JSON) {
      fields[key] = ["value": value, "type": .string(type)]
    }
    put("uuid", "STRING", .string(record.key.id.text))
    put("schemaVersion", "INT64", .int(CloudFormat.version))
    put(
      "createdAt", "TIMESTAMP",
      .int(min(record.created, record[.createdAt].instant ?? .max)))
    put("updatedAt", "TIMESTAMP", .int(record.modified))
    put("isPet", "INT64", health.subject.isPet ? 1 : 0)
    if let birthdate = health.subject.birthdate {
      put(FieldName.birthdate.text, "TIMESTAMP", .int(birthdate.start))
      if birthdate.day == nil {
        put(CloudFormat.birthdateText, "STRING", .string(birthdate.text))
      }
    }
    for name in FieldName.subjectTexts {
      if let text = record[name].string { put(name.text, "STRING", .string(text)) }
    }
    for kind in EntryKind.allCases {
      let entries = health.entries(kind).map { Self.entry($0) }
      put(CloudFormat.field(kind), "STRING", .string(JSON.array(entries).text()))
    }
    for (key, value) in JSON(record[.otherKeys]).object?.members ?? [] where fields[key] == nil {
      put(key, value.string == nil ? "ANY" : "STRING", value)
    }
    return [
      "recordType": .string(CloudFormat.recordType), "recordName": .string(record.key.id.text),
      "fields": .object(fields),
    ]
  }

  private static func entry(_ entry: HealthEntry) -> JSON {
    let record = entry.record
    var object = JSONObject()
    object[entry.kind.hasOwnID ? "uuid" : "id"] = .string(record.key.id.text)
    if entry.kind.hasOwnID {
      object["createdAt"] = .double(
        Double(min(record.created, record[.createdAt].instant ?? .max)) / 1000)
      object["updatedAt"] = .double(Double(record.modified) / 1000)
    }
    if let date = entry.date {
      object["date"] = .double(Double(date.start) / 1000)
      if HealthDate(milliseconds: date.start) != date { object["dateText"] = .string(date.text) }
    }
    for name in DomainSchema.health[record.key.collection]?.fieldNames ?? []
    where ![.date, .createdAt, .otherKeys].contains(name) {
      if let value = record.fields[name] { object[name.text] = JSON(value) }
    }
    for (key, value) in JSON(record[.otherKeys]).object?.members ?? [] where object[key] == nil {
      object[key] = value
    }
    return .object(object)
  }
}
