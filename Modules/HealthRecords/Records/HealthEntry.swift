public import SyncKit

/// An entry, as people read it: a date, a title with its unit, and further details.
public struct HealthEntry: Sendable {
  /// The record.
  public let record: Record
  /// Its kind.
  public let kind: EntryKind

  /// Takes a record; nil if it is not an entry.
  public init?(_ record: Record) {
    guard let kind = EntryKind(record.key.collection) else { return nil }
    self.record = record
    self.kind = kind
  }

  /// The date; nil when it is unknown.
  public var date: HealthDate? { record[.date].string.flatMap { HealthDate($0) } }

  /// The blood pressure, if it is one.
  public var bloodPressure: BloodPressure? {
    guard kind == .blood, let systolic = record[.systolic].number,
      let diastolic = record[.diastolic].number
    else { return nil }
    return BloodPressure(systolic: systolic, diastolic: diastolic)
  }

  /// The weight in kilograms, if it is one.
  public var kilograms: Double? { kind == .weight ? record[.weightKg].number : nil }

  /// The title of the entry, each number with its unit.
  public var title: String {
    let name = record[kind.title].string ?? ""
    switch kind {
    case .weight: return kilograms.map { "\($0.plainText) kg" } ?? ""
    case .petCost:
      let amount = record[.amount].number.map { number in
        "\(number.plainText) \(record[.currency].string ?? "(no currency)")"
      }
      return [name, amount ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
    case .blood: return bloodPressure.map { reading(name, $0) } ?? measured(name)
    default: return name
    }
  }

  private func reading(_ name: String, _ pressure: BloodPressure) -> String {
    name == pressure.text || BloodPressure(name) == pressure || name.isEmpty
      ? pressure.text : "\(name): \(pressure.text)"
  }

  private func measured(_ name: String) -> String {
    guard let value = record[.value].number else {
      let parts = [name, record[.result].string ?? ""].filter { !$0.isEmpty }
      return parts.joined(separator: ": ")
    }
    let unit = Self.shown(record[.unit].string ?? "")
    let sign = record[.comparator].string.map { "\($0) " } ?? ""
    var text = "\(sign)\(value.plainText) \(unit)".trimmed
    if let least = record[.minimum].number, let greatest = record[.maximum].number {
      text += " (\(least.plainText) to \(greatest.plainText) \(unit))"
    }
    return name.isEmpty ? text : "\(name): \(text)"
  }

  /// A unit of UCUM as people write it.
  private static func shown(_ unit: String) -> String {
    switch unit {
    case "1": ""
    case "mm[Hg]": "mmHg"
    case "Cel": "°C"
    case "{steps}": "steps"
    default: unit
    }
  }

  /// Further details, in one line, the status first.
  public var detail: String {
    let parts = [status.map(\.words) ?? "", furtherDetail]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// The details without the status.
  var furtherDetail: String {
    let names: [FieldName] =
      switch kind {
      case .vaccination: ["information", "place", "comment"]
      case .allergy: ["information", "comment"]
      case .history: ["contact", "informationOrComment"]
      case .doctor: ["type", "phone", "email", "address", "note"]
      case .emergencyContact: ["phone", "email", "note"]
      default: [kind.remark]
      }
    return names.compactMap { record[$0].string }.joined(separator: "; ")
  }
}

/// A person or pet with all entries, in the order of dates.
public struct HealthTree: Sendable {
  /// The person or pet.
  public let subject: HealthSubject
  /// The entries, the oldest first; those without a date before all others.
  public let entries: [HealthEntry]

  /// Joins a subject and its entries; deleted ones and those of others are left out.
  public init(_ subject: HealthSubject, entries: some Sequence<Record>) {
    self.subject = subject
    let own = entries.lazy.filter { !$0.isDeleted && $0.parent?.id == subject.record.key.id }
    self.entries = own.compactMap { HealthEntry($0) }.sorted { left, right in
      switch (left.date, right.date) {
      case (let one?, let other?) where one != other: one < other
      case (nil, .some): true
      case (.some, nil): false
      default: left.record.key < right.record.key
      }
    }
  }

  /// The entries of one kind.
  public func entries(_ kind: EntryKind) -> [HealthEntry] { entries.filter { $0.kind == kind } }

  /// The trees of some records; entries without a subject among them are left out.
  public static func trees(_ records: [Record]) -> [HealthTree] {
    let subjects = records.filter { !$0.isDeleted }.compactMap { HealthSubject($0) }
    var entries: [RecordID: [Record]] = [:]
    for record in records {
      if let parent = record.parent?.id { entries[parent, default: []].append(record) }
    }
    return subjects.sorted { ($0.sortKey, $0.record.key.id) < ($1.sortKey, $1.record.key.id) }
      .map { HealthTree($0, entries: entries[$0.record.key.id] ?? []) }
  }
}
