import SyncKitFormats
import SyncKit

/// Reads the app's own export.
enum AppImport {
  static func read(_ document: JSON, into collector: inout EntryCollector) throws {
    guard let object = document.object else {
      throw SyncError(.inputInvalid, "The file is not in the format 'app'.")
    }
    if let version = object["exportVersion"], version.int != AppFormat.version {
      throw SyncError(
        .inputInvalid, "The app's export has a version other than 1.",
        hint: "a newer cloudsync may read it")
    }
    var known: Set<String> = ["exportVersion", "isPet", "personalinformation", "petinformation"]
    known.formUnion(AppFormat.sections.map(\.key))
    var fields: [FieldName: Value] = [:]
    var other = JSONObject(object.members.filter { !known.contains($0.key) })
    for (key, names) in [
      ("personalinformation", AppFormat.person), ("petinformation", AppFormat.pet),
    ] {
      guard let part = object[key]?.object else { continue }
      var rest = JSONObject()
      for (key, value) in part.members {
        let name = FieldName(key)
        guard names.contains(name) else {
          rest[key] = value
          continue
        }
        if let text = value.string, !text.trimmed.isEmpty { fields[name] = .string(text) }
      }
      if !rest.isEmpty { other[key] = .object(rest) }
    }
    if let isPet = object["isPet"]?.bool { fields[.isPet] = .bool(isPet) }
    if !other.isEmpty { fields[.otherKeys] = Value(json: .object(other)) }
    let subject = try collector.subject(row: nil, statedID: nil, fields)
    for section in AppFormat.sections {
      guard let value = object[section.key], !value.isNull else { continue }
      guard let entries = value.array else {
        collector.fail(nil, section.key, "The key must contain an array.")
        continue
      }
      for (index, entry) in entries.enumerated() {
        read(entry, row: index + 1, of: section, subject, into: &collector)
      }
    }
  }

  private static func read(
    _ entry: JSON, row: Int, of section: AppFormat.Section, _ subject: RecordID,
    into collector: inout EntryCollector
  ) {
    guard let object = entry.object else {
      return collector.fail(row, section.key, "An entry must be an object.")
    }
    var fields: [FieldName: Value] = [:]
    var other = JSONObject()
    for (key, value) in object.members {
      guard let field = section.keys.first(where: { $0.key == key })?.field else {
        other[key] = value
        continue
      }
      if field == .weightKg {
        // The app writes 0 for an unknown weight.
        guard let number = value.double, number != 0 else { continue }
        fields[field] = .double(number)
      } else if let text = value.string {
        fields[field] = .string(text)
        if field == section.kind.title, section.kind != .blood, let ending = AppEnding(text) {
          fields.merge(ending.fields(section.kind)) { $1 }
        }
      } else if !value.isNull {
        return collector.fail(row, key, "The key must contain text.")
      }
    }
    if !other.isEmpty { fields[.otherKeys] = Value(json: .object(other)) }
    collector.entry(row: row, section.kind, of: subject, fields)
  }
}
