import SyncKitFormats
import SyncKit

/// Reads one cloud record of the app: a person or pet with all entries.
struct CloudRecord {
  private let fields: JSONObject
  private let name: String?

  /// Whether an object is one: its type says so, or it has arrays of entries.
  static func isOne(_ value: JSON) -> Bool {
    if let type = value["recordType"]?.string { return type == CloudFormat.recordType }
    guard value["collection"] == nil, value["fields"] == nil else { return false }
    return EntryKind.allCases.contains { value[CloudFormat.field($0)] != nil }
      || value["uuid"] != nil && (value["isPet"] != nil || value["schemaVersion"] != nil)
  }

  init(_ value: JSON) {
    name = value["recordName"]?.string
    let wrapped = value["fields"]?.object ?? value.object ?? [:]
    // Web services wrap each value with its type.
    fields = JSONObject(
      wrapped.members.map { key, value in
        (key, value["type"] != nil && value["value"] != nil ? value["value"] ?? .null : value)
      })
  }

  func read(row: Int, into collector: inout EntryCollector) throws {
    if fields["isDeleted"]?.int == 1 || fields["isDeleted"]?.bool == true {
      // A tombstone asks others to delete; it has nothing to import.
      return collector.leaveOut("cloud records marked as deleted")
    }
    var subject: [FieldName: Value] = [:]
    var other = JSONObject()
    let entryKeys = Set(EntryKind.allCases.map(CloudFormat.field))
    for (key, value) in fields.members
    where !CloudFormat.stateKeys.contains(key) && !entryKeys.contains(key) && !value.isNull {
      if let read = Self.scalar(key, value) {
        subject[FieldName(key)] = read
      } else if DomainSchema.health[.subject]?.field(FieldName(key)) != nil {
        collector.fail(row, key, "The value of '\(key)' has the wrong type.")
      } else {
        other[key] = value
      }
    }
    if let text = fields[CloudFormat.birthdateText]?.string, let date = HealthDate(text),
      subject[.birthdate]?.string.flatMap({ HealthDate($0) })?.start == date.start
    {
      subject[.birthdate] = .string(date.text)
    }
    if !other.isEmpty { subject[.otherKeys] = Value(json: .object(other)) }
    let id = try collector.subject(
      row: row, statedID: fields["uuid"]?.string ?? name, subject,
      at: fields["updatedAt"].flatMap(CloudFormat.milliseconds))
    for kind in EntryKind.allCases {
      readEntries(kind, of: id, row: row, into: &collector)
    }
  }

  private static func scalar(_ key: String, _ value: JSON) -> Value? {
    guard let field = DomainSchema.health[.subject]?.field(FieldName(key)) else { return nil }
    switch (field.name, value) {
    case (.birthdate, _):
      guard let milliseconds = CloudFormat.milliseconds(value) else { return nil }
      if let text = value.string, let date = HealthDate(text), !date.hasTime {
        return .string(date.text)
      }
      // The app stores midnight in its user's time zone; half a day later, it is that day in UTC
      // for all zones but the two beyond +12.
      let day = HealthDate(milliseconds: milliseconds &+ 43_200_000)
      return .string(day.day ?? day.text)
    case (.createdAt, _): return CloudFormat.milliseconds(value).map { .instant($0) }
    case (.isPet, .int(let number)): return .bool(number != 0)
    case (.isPet, .bool(let truth)): return .bool(truth)
    case (_, .string(let text)) where field.type == .string: return .string(text)
    default: return nil
    }
  }

  private func readEntries(
    _ kind: EntryKind, of subject: RecordID, row: Int, into collector: inout EntryCollector
  ) {
    let key = CloudFormat.field(kind)
    guard let value = fields[key], !value.isNull else { return }
    // An unreadable list must not count as "no entries": that would be a silent loss.
    let parsed = value.string.map { try? JSON(parsing: $0) } ?? value
    if value.string?.trimmed.isEmpty == true { return }
    guard let entries = parsed?.array else {
      return collector.fail(row, key, "The text of '\(key)' is not a JSON array of entries.")
    }
    for (index, entry) in entries.enumerated() {
      guard let object = entry.object else {
        collector.fail(row, key, "Entry \(index + 1) of '\(key)' is not an object.")
        continue
      }
      do throws(CloudEntry.Problem) {
        let read = try CloudEntry(object, kind)
        collector.entry(
          row: row, kind, of: subject, statedID: read.id, read.fields, at: read.updated)
      } catch {
        collector.fail(row, key, "Entry \(index + 1) of '\(key)': \(error.sentence)")
      }
    }
  }
}
