import SyncKit

/// Brings drafts of health records into their normal form, or refuses them by the field's name.
///
/// A refusal never repeats the field's value: messages end up in logs and on other people's screens.
enum HealthRules {
  static func normalize(_ draft: inout RecordDraft, zone: LocalZone = .utc) throws {
    guard let collection = DomainSchema.health[draft.collection] else { return }
    for (name, value) in draft.fields {
      guard let field = collection.field(name) else { continue }
      draft.fields[name] = try normalized(value, of: field, zone)
    }
    if draft.collection == .subject { return }
    if EntryKind(draft.collection) == .blood { try Reading.normalize(&draft) }
  }

  /// Adds the fields that follow from a draft and the record that it changes.
  static func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    if draft.collection == .subject, record == nil, draft.fields[.isPet] == nil {
      draft.fields[.isPet] = false
    }
    switch EntryKind(draft.collection) {
    case .blood: try Reading.complete(&draft, over: record)
    case .petCost where record == nil && draft.fields[.year] == nil:
      // The app sorts a cost by its year, which it takes from the date.
      if let text = draft.fields[.date]?.string, let year = HealthDate(text)?.year {
        draft.fields[.year] = .int(year)
      }
    default: break
    }
    if let created = draft.fields[.createdAt]?.instant, let known = record?.created,
      created >= min(known, record?[.createdAt].instant ?? .max)
    {
      draft.fields[.createdAt] = nil
    }
  }

  private static func normalized(
    _ value: Value, of field: Field, _ zone: LocalZone
  ) throws -> Value {
    switch (value, field.type) {
    case (.string(let text), .string): return try normalized(text, of: field.name, zone)
    case (.int(let number), .double): return try checked(Double(number), field.name)
    case (.double(let number), .double): return try checked(number, field.name)
    case (.map(let map), .map): return map.members.isEmpty ? .null : value
    default: return value
    }
  }

  private static func normalized(
    _ text: String, of name: FieldName, _ zone: LocalZone
  ) throws -> Value {
    let clean = text.withoutControls
    if clean.trimmed.isEmpty { return .null }
    switch name {
    case .date, .until, .refillDue, .nextDue:
      guard let date = HealthDate(clean, zone: zone) else {
        throw refusal(name, "a date such as 2024-01-15")
      }
      return .string(date.text)
    case .birthdate:
      guard let date = HealthDate(clean) else { throw refusal(name, "a day such as 1980-02-29") }
      return .string(date.day ?? date.text)
    case .status:
      guard let status = EntryStatus(named: clean) else {
        throw refusal(
          name, "one of \(EntryStatus.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return .string(status.rawValue)
    case .comparator:
      guard let sign = Comparator(named: clean) else { throw refusal(name, "<, <=, >= or >") }
      return .string(sign.rawValue)
    case .gender: return .string(Gender(named: clean)?.rawValue ?? clean)
    default: return .string(clean)
    }
  }

  private static func checked(_ number: Double, _ name: FieldName) throws -> Value {
    guard number.isFinite, abs(number) < 1e12 else { throw refusal(name, "a number") }
    if name == .weightKg, !(number > 0 && number < 10_000) {
      throw refusal(name, "kilograms above 0 and below 10000")
    }
    // One zero, so that equal numbers are equal values.
    return .double(number == 0 ? 0 : number)
  }

  static func refusal(_ name: FieldName, _ wanted: String) -> SyncError {
    SyncError(.inputInvalid, "The field '\(name)' takes \(wanted).")
  }
}

/// A sign in front of a value that is known only as a bound.
enum Comparator: String, CaseIterable {
  case less = "<"
  case atMost = "<="
  case atLeast = ">="
  case more = ">"

  /// Finds one by its sign, also in its mathematical spelling.
  init?(named text: String) {
    switch text.trimmed {
    case "<": self = .less
    case "<=", "≤", "=<": self = .atMost
    case ">=", "≥", "=>": self = .atLeast
    case ">": self = .more
    default: return nil
    }
  }
}

/// The genders that the app knows.
enum Gender: String, CaseIterable {
  case male = "Male"
  case female = "Female"
  case notStated = "N/A"

  /// Finds one by the words of the app, of FHIR and of Apple Health.
  init?(named text: String) {
    switch text.folded {
    case "male", "m", "hkbiologicalsexmale": self = .male
    case "female", "f", "hkbiologicalsexfemale": self = .female
    case "n/a", "na", "unknown", "hkbiologicalsexother", "hkbiologicalsexnotset", "other":
      self = .notStated
    default: return nil
    }
  }
}
