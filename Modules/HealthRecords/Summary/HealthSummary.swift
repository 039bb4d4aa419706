import SyncKit

/// The facts about a person or pet at a glance: for a doctor, a sitter, an emergency.
///
/// It lists the records and judges nothing. Allergies, medicines and problems always have a section,
/// even an empty one, since an empty list must not look like a forgotten one.
public struct HealthSummary: Sendable {
  /// One fact.
  public struct Item: Sendable {
    /// The title, with its unit.
    public var title: String
    /// The date or the start.
    public var date: String
    /// Further details.
    public var detail: String
    /// The entry that it comes from; nil for a fact of the subject itself.
    public var entry: HealthEntry?
  }

  /// What a section says as a whole: "no known allergies" is not the same as knowing nothing.
  public enum State: String, Sendable {
    /// It lists facts.
    case listed
    /// It states that nothing is known, as someone who asked has recorded.
    case noneKnown
    /// Nothing is recorded, so nothing is known either way.
    case notRecorded
  }

  /// A heading with its items.
  public struct Section: Sendable {
    /// The heading.
    public var title: String
    /// The LOINC code of the section in an international patient summary; nil for our own sections.
    public var loinc: String?
    /// Its items: facts, then statements that nothing is known.
    public var items: [Item]
    /// What the section says as a whole.
    public var state: State {
      if items.isEmpty { return .notRecorded }
      let isStatement = items.allSatisfy { $0.entry?.isNoneKnown == true }
      return isStatement ? .noneKnown : .listed
    }
    /// Whether the section appears even without items.
    public var isMandatory: Bool
  }

  /// The person or pet.
  public let subject: HealthSubject
  /// The entries that it comes from.
  public let tree: HealthTree
  /// The time of its creation, in milliseconds since 1970.
  public let made: Int64
  /// The sections, the most urgent first; those without items only where they are mandatory.
  public let sections: [Section]

  /// Summarises a person or pet.
  public init(_ tree: HealthTree, made: Int64) {
    subject = tree.subject
    self.tree = tree
    self.made = made
    let all = Self.sections(tree, made)
    sections = all.filter { $0.isMandatory || !$0.items.isEmpty }
  }

  /// Facts about the subject, as heading and value.
  public var facts: [(name: String, value: String)] {
    let record = subject.record
    let fields: [(String, String?)] = [
      ("Born", subject.birthdate?.text), ("Gender", record[.gender].string),
      ("Blood type", record[.bloodType].string), ("Breed", record["petBreed"].string),
      ("Colour", record["petColor"].string), ("Animal ID", record["personalAnimalID"].string),
      ("Address", record["personalAddress"].string),
      ("Insurance", record["personalHealthInsurance"].string),
      ("Insurance number", record["personalHealthInsuranceNumber"].string),
      ("Owner", Self.contact(record, "ownerName", "ownerPhone", "ownerEmail")),
      (
        "Vet",
        Self.contact(record, "vetClinicName", "vetContactName", "vetPhone", "vetEmail")
      ),
    ]
    return fields.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension HealthSummary {
  private static func contact(_ record: Record, _ names: FieldName...) -> String? {
    let parts = names.compactMap { record[$0].string }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func sections(_ tree: HealthTree, _ made: Int64) -> [Section] {
    func section(
      _ title: String, _ loinc: String?, _ entries: [HealthEntry], isMandatory: Bool = false
    ) -> Section {
      let facts = entries.filter { !$0.isNoneKnown }
      return Section(
        title: title, loinc: loinc,
        items: (facts + entries.filter(\.isNoneKnown)).map { Item($0) },
        isMandatory: isMandatory)
    }
    func entries(_ kind: EntryKind) -> [HealthEntry] { tree.entries(kind).reversed() }
    func current(_ kind: EntryKind) -> [HealthEntry] {
      entries(kind).filter { !$0.hasEnded(at: made) }
    }
    func ended(_ kind: EntryKind) -> [HealthEntry] {
      entries(kind).filter { $0.hasEnded(at: made) }
    }
    let past = [EntryKind.allergy, .drug, .risk].flatMap(ended)
    return [
      section("Allergies and intolerances", "48765-2", current(.allergy), isMandatory: true),
      section("Medicines", "10160-0", current(.drug), isMandatory: true),
      section("Problems", "11450-4", current(.illness), isMandatory: true),
      section("Risks", nil, current(.risk)),
      Section(
        title: "Emergency contacts", loinc: nil, items: contacts(tree), isMandatory: false),
      section("Doctors", nil, entries(.doctor)),
      section("Vaccinations", "11369-6", entries(.vaccination)),
      Section(
        title: "Latest readings", loinc: "8716-3", items: latestReadings(tree),
        isMandatory: false),
      Section(
        title: "History", loinc: "11348-0",
        items: (entries(.history) + ended(.illness).reversed()).map { Item($0) },
        isMandatory: false),
      Section(
        title: "No longer current", loinc: nil, items: past.map { Item(past: $0) },
        isMandatory: false),
      section("Documents", nil, entries(.document)),
    ]
  }

  /// The newest weight, blood pressure, and reading of each name.
  private static func latestReadings(_ tree: HealthTree) -> [Item] {
    var last: [String: HealthEntry] = [:]
    for entry in tree.entries where entry.kind == .weight || entry.kind == .blood {
      last[entry.series] = entry
    }
    return last.sorted { $0.key < $1.key }.map { Item($0.value) }
  }

  private static func contacts(_ tree: HealthTree) -> [Item] {
    let contacts = tree.entries(.emergencyContact).map { Item($0) }
    guard contacts.isEmpty,
      let text = contact(
        tree.subject.record, "emergencyName", "emergencyNumber", "emergencyEmail")
    else { return contacts }
    return [Item(title: text, date: "", detail: "", entry: nil)]
  }
}

extension HealthSummary.Item {
  init(_ entry: HealthEntry) {
    self.init(
      title: entry.title.isEmpty ? "(no name)" : entry.title,
      date: entry.date.map { $0.day ?? $0.text } ?? "", detail: Self.detail(of: entry),
      entry: entry)
  }

  /// A fact of the past: its kind and its end are part of what it says.
  init(past entry: HealthEntry) {
    self.init(entry)
    let kind: String? =
      switch entry.kind {
      case .allergy: "allergy"
      case .drug: "medicine"
      case .risk: "risk"
      default: nil
      }
    let until = entry.record[.until].string.map { "until \($0)" }
    detail = [kind, until, detail.nonEmpty].compactMap(\.self).joined(separator: "; ")
  }

  /// Further details; of a vaccination also the day to repeat it.
  private static func detail(of entry: HealthEntry) -> String {
    if entry.isNoneKnown { return entry.furtherDetail }
    guard entry.kind == .vaccination, let due = entry.record[.nextDue].string else {
      return entry.detail
    }
    return "\(entry.detail)\(entry.detail.isEmpty ? "" : "; ")next due \(due)"
  }
}

extension HealthEntry {
  /// The key for comparing readings: the same name, whatever the numbers.
  var series: String {
    if kind == .weight { return "Weight" }
    if bloodPressure != nil { return "Blood pressure" }
    return record["name"].string ?? ""
  }
}
