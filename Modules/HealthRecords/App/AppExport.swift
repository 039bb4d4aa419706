import SyncKitFormats
import SyncKit

/// Writes the app's own export of one person or pet.
struct AppExport {
  let health: HealthTree

  init(_ health: HealthTree) { self.health = health }

  var document: JSON {
    let subject = health.subject
    let isPet = subject.isPet
    let other = JSON(subject.record[.otherKeys])
    var document: JSONObject = [
      "exportVersion": .int(AppFormat.version), "isPet": .bool(isPet),
      "personalinformation": part(AppFormat.person, "personalinformation", other),
    ]
    if isPet { document["petinformation"] = part(AppFormat.pet, "petinformation", other) }
    for section in AppFormat.sections {
      var entries = health.entries(section.kind).map { self.entry($0, section) }
      if section.kind == .emergencyContact, entries.isEmpty { entries = legacyContact }
      document[section.key] = .array(entries)
    }
    for (key, value) in other.object?.members ?? [] where document[key] == nil {
      document[key] = value
    }
    return .object(document)
  }

  private func part(_ names: [FieldName], _ key: String, _ other: JSON) -> JSON {
    var part = JSONObject(
      names.map { ($0.text, JSON.string(health.subject.record[$0].string ?? "")) })
    for (key, value) in other[key]?.object?.members ?? [] where part[key] == nil {
      part[key] = value
    }
    return .object(part)
  }

  private func entry(_ entry: HealthEntry, _ section: AppFormat.Section) -> JSON {
    var object = JSONObject()
    for (key, field) in section.keys {
      switch field {
      case .weightKg: object[key] = .double(entry.record[field].number ?? 0)
      case .date: object[key] = .string(entry.date.map { $0.day ?? $0.text } ?? "")
      case "name" where section.kind == .blood: object[key] = .string(entry.title)
      case section.kind.title where section.kind != .emergencyContact:
        object[key] = .string(AppEnding.name(of: entry))
      default: object[key] = .string(entry.record[field].string ?? "")
      }
    }
    for (key, value) in JSON(entry.record[.otherKeys]).object?.members ?? []
    where object[key] == nil {
      object[key] = value
    }
    return .object(object)
  }

  /// The single contact of early versions of the app, which counts only without others.
  private var legacyContact: [JSON] {
    let fields: [(String, FieldName)] = [
      ("name", "emergencyName"), ("phone", "emergencyNumber"), ("email", "emergencyEmail"),
    ]
    let object = JSONObject(
      fields.map { ($0.0, JSON.string(health.subject.record[$0.1].string ?? "")) }
        + [("note", JSON.string(""))])
    let isEmpty = fields.allSatisfy { health.subject.record[$0.1].isNull }
    return isEmpty ? [] : [.object(object)]
  }
}
