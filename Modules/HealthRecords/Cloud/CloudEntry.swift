import SyncKitFormats
import SyncKit

/// Reads one entry from the arrays of a cloud record, written by any version of the app.
///
/// | Key | Read as |
/// |---|---|
/// | a field of ours | the field |
/// | `value`, `title` | the title of the entry, where it is absent |
/// | `comment`, `information`, `note`, `description` | the remark, where the kind has no such field |
/// | `weight` with `unit`, `cost` | `weightKg`, `amount` |
/// | `id`, `uuid` | the entry's id |
/// | anything else | kept, and written again on export |
struct CloudEntry {
  struct Problem: Error {
    var sentence: String
  }

  private(set) var id: String?
  private(set) var updated: Int64?
  private(set) var fields: [FieldName: Value] = [:]

  init(_ object: JSONObject, _ kind: EntryKind) throws(Problem) {
    let type = DomainSchema.health[kind.collection]
    var other = JSONObject()
    for (key, value) in object.members where !value.isNull {
      let name = FieldName(key)
      switch key {
      case "id", "uuid": id = value.string ?? id
      case "updatedAt": updated = CloudFormat.milliseconds(value)
      case "createdAt":
        if let time = CloudFormat.milliseconds(value), type?.field(.createdAt) != nil {
          fields[.createdAt] = .instant(time)
        }
      case "date":
        // A text that is not a date is a fault; an empty one means no date.
        if value.string?.trimmed.isEmpty == true { continue }
        guard let date = Self.date(value) else {
          throw Problem(sentence: "its date is not a date.")
        }
        if kind.hasDate { fields[.date] = .string(date.text) }
      default:
        // The published documentation calls the text of a reading its value.
        let isText = name == .value && value.string != nil
        if !isText, let field = type?.field(name), field.members.isEmpty, name != .otherKeys {
          fields[name] = try Self.value(value, of: field)
        } else {
          other[key] = value
        }
      }
    }
    try takeAliases(&other, kind)
    if !other.isEmpty { fields[.otherKeys] = Value(json: .object(other)) }
  }

  private mutating func takeAliases(
    _ other: inout JSONObject, _ kind: EntryKind
  ) throws(Problem) {
    if let text = other["dateText"]?.string {
      // Ours: more precise than seconds, as long as no one has changed the date since.
      if let date = HealthDate(text), let known = fields[.date]?.string,
        HealthDate(known)?.start == date.start
      {
        fields[.date] = .string(date.text)
      }
      other["dateText"] = nil
    }
    if kind == .weight, fields[.weightKg] == nil, let number = other["weight"]?.double {
      let unit = other["unit"]?.string ?? "kg"
      guard let mass = MassUnit(named: unit) else {
        throw Problem(sentence: "its unit of weight is unknown.")
      }
      fields[.weightKg] = .double((number * mass.kilograms).inThousandths)
      other["weight"] = nil
      other["unit"] = nil
    }
    if kind == .petCost, fields[.amount] == nil, let number = other["cost"]?.double {
      fields[.amount] = .double(number)
      other["cost"] = nil
    }
    if kind != .weight, kind != .petCost {
      take(["name", "value", "title"], as: kind.title, &other)
    }
    take(["comment", "information", "note", "description"], as: kind.remark, &other)
  }

  private mutating func take(_ keys: [String], as name: FieldName, _ other: inout JSONObject) {
    guard fields[name] == nil else { return }
    for key in keys {
      guard let text = other[key]?.string, !text.trimmed.isEmpty else { continue }
      fields[name] = .string(text)
      other[key] = nil
      return
    }
  }

  private static func date(_ value: JSON) -> HealthDate? {
    if let text = value.string { return HealthDate(text) }
    return CloudFormat.milliseconds(value).map { HealthDate(milliseconds: $0) }
  }

  private static func value(_ json: JSON, of field: Field) throws(Problem) -> Value {
    switch (field.type, json) {
    case (.string, .string(let text)): return .string(text)
    case (.double, .int(let number)): return .double(Double(number))
    case (.double, .double(let number)): return .double(number)
    case (.int, .int(let number)): return .int(number)
    case (.int, .double(let number)):
      guard let whole = Int64(exactly: number) else { break }
      return .int(whole)
    default: break
    }
    throw Problem(sentence: "the key '\(field.name)' has the wrong type.")
  }
}
