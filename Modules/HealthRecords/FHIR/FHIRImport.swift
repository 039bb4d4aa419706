import SyncKitFormats
import SyncKit

/// Reads FHIR resources; what has no place here is counted, resources by type and elements by name.
struct FHIRImport {
  private var collector: EntryCollector
  private var file = FHIRFile([], zone: .utc)
  /// Subjects by the position of their patient in the file.
  private var subjects: [Int: RecordID] = [:]
  /// Patients within other resources, by their content.
  private var contained: [(json: JSON, id: RecordID)] = []
  /// The patients of a practitioner, by the position of the practitioner.
  private var patients: [Int: [RecordID]] = [:]
  /// The one person to whom a file without patients refers.
  private var only: String?
  private var dropped: [String: [String: Int]] = [:]

  init(_ collector: EntryCollector) { self.collector = collector }

  mutating func read(_ documents: [JSON]) throws -> ImportedRecords {
    try documents.forEach(Self.check)
    file = FHIRFile(documents, zone: collector.options.zone)
    for index in file.items.indices where file.items[index].type == "Patient" {
      try readPatient(index)
    }
    for (index, id) in subjects.sorted(by: { $0.key < $1.key }) {
      findDoctors(of: file.items[index], id)
    }
    for (index, item) in file.items.enumerated() where item.type != "Patient" {
      try readEntry(item, index)
    }
    if file.replaced > 0 {
      collector.leaveOut("older versions of a resource", count: file.replaced)
    }
    if file.deleted > 0 { collector.leaveOut("deleted resources", count: file.deleted) }
    for (type, elements) in dropped.sorted(by: { $0.key < $1.key }) {
      let list = elements.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      collector.warn("not kept of \(type) resources: \(list.joined(separator: ", "))")
    }
    return collector.records()
  }

  /// Refuses what only looks like resources of a release that is read.
  private static func check(_ document: JSON) throws {
    let isFirstDraft =
      document["resourceType"]?.string == "Bundle"
      && document["entry"]?.array?.first?["content"]?.object != nil
    if isFirstDraft {
      throw SyncError(
        .inputInvalid, "The file is a bundle of FHIR DSTU1, which is not read.",
        hint: "export in FHIR R4")
    }
    if let version = document["fhirVersion"]?.string, version.hasPrefix("0.0") {
      throw SyncError(.inputInvalid, "The file is of FHIR DSTU1, which is not read.")
    }
  }

  // MARK: People

  private mutating func readPatient(_ index: Int) throws {
    let item = file.items[index]
    let foreign = item.id
    let id = try collector.subject(
      row: item.row, statedID: item.resource.own?.id ?? foreign.flatMap(Self.uuid),
      item.resource.fields(as: .subject))
    subjects[index] = id
    countDropped(item)
  }

  private mutating func findDoctors(of item: FHIRFile.Item, _ id: RecordID) {
    let references =
      (item.json["generalPractitioner"]?.array ?? []) + (item.json["careProvider"]?.array ?? [])
    for reference in references {
      guard case .item(var place) = file.target(reference, of: item, type: "Practitioner") else {
        continue
      }
      let role = file.items[place]
      if role.type == "PractitionerRole",
        case .item(let person) = file.target(
          role.json["practitioner"], of: role, type: "Practitioner")
      {
        place = person
      }
      patients[place, default: []].append(id)
    }
  }

  /// A patient within another resource: one of the file's, or one of its own.
  private mutating func subject(contained json: JSON, row: Int) throws -> RecordID? {
    guard json["resourceType"]?.string == "Patient" else { return nil }
    if let known = contained.first(where: { $0.json == json }) { return known.id }
    let fields = FHIRResource(json).fields(as: .subject)
    let twin = file.items.indices.first { index in
      subjects[index] != nil
        && EntryCollector.isSame(fields, file.items[index].resource.fields(as: .subject))
    }
    let id =
      try twin.flatMap { subjects[$0] } ?? collector.subject(row: row, statedID: nil, fields)
    contained.append((json, id))
    return id
  }

  /// The subject of a resource; nil when it is not in the file.
  private mutating func subject(of item: FHIRFile.Item) throws -> RecordID? {
    let reference = [item.json["subject"], item.json["patient"]].compactMap(\.self).first
    switch file.target(reference, of: item, type: "Patient") {
    case .item(let index): return subjects[index]
    case .contained(let json): return try subject(contained: json, row: item.row)
    case .none:
      let all = Set(subjects.values).union(contained.map(\.id))
      if all.isEmpty { return try collector.chosenSubject() }
      return all.count == 1 ? all.first : nil
    case .missing(let text):
      guard subjects.isEmpty, contained.isEmpty, Self.mayBePatient(text) else { return nil }
      let chosen = try collector.chosenSubject()
      guard only == nil || only == text else {
        throw SyncError(
          .inputInvalid, "The file is about several people or pets, and names none of them.",
          hint: "put their Patient resources into the file, or split it")
      }
      only = text
      return chosen
    }
  }

  private static func mayBePatient(_ text: String) -> Bool {
    ["Patient/", "Patient?", "urn:", "display "].contains(where: text.hasPrefix)
  }

  // MARK: Entries

  private mutating func readEntry(_ item: FHIRFile.Item, _ index: Int) throws {
    let resource = item.resource
    let type = item.type
    if type == "Composition" || type == "List" { return try readAbsences(item) }
    if type == "Bundle" { return }
    guard let collection = resource.own?.collection ?? resource.collection,
      let kind = EntryKind(collection)
    else {
      return collector.leaveOut(
        type.isEmpty ? "resources without a type" : "\(type) resources", row: item.row)
    }
    if let reason = leftOut(item, kind) {
      return collector.leaveOut("\(type) resources \(reason)", row: item.row)
    }
    if kind == .doctor, resource.own == nil || patients[index] != nil {
      return try readDoctor(item, index)
    }
    guard let subject = try subject(of: item) else {
      return collector.leaveOut(
        "\(type) resources of a patient who is not in the file", row: item.row)
    }
    let statedID = resource.own?.id ?? item.id.flatMap(Self.uuid)
    if type == "Observation", resource.own == nil {
      readObservation(item, of: subject, statedID)
    } else {
      var fields = resource.fields(as: collection)
      let name = fields[kind.title]?.string
      takeReferences(of: item, kind, &fields)
      if resource.own == nil, fields[kind.title] == nil {
        return refuseNameless(item, kind)
      }
      collector.entry(
        row: item.row, kind, of: subject, statedID: statedID, fields,
        naming: kind == .drug ? resource.medicine ?? name : nil)
    }
    countDropped(item)
  }

  /// Why a resource is left out; nil when it is not.
  private func leftOut(_ item: FHIRFile.Item, _ kind: EntryKind) -> String? {
    if case .leftOut(let reason) = item.resource.fate.fate { return reason }
    let json = item.json
    if item.type == "Observation", json["focus"]?.array?.isEmpty == false {
      return "about something other than the patient"
    }
    guard item.resource.own == nil else { return nil }
    if item.type == "RelatedPerson", !item.resource.isEmergencyContact {
      return "that are no emergency contact"
    }
    if [.allergy, .illness, .drug].contains(kind), NoneKnown.isUnknown(item.resource.concept(kind))
    {
      return "that say that nothing is known"
    }
    return nil
  }

  private mutating func readDoctor(_ item: FHIRFile.Item, _ index: Int) throws {
    var owners = patients[index] ?? []
    if owners.isEmpty, file.items.count == 1 || item.resource.own != nil {
      owners = try subject(of: item).map { [$0] } ?? []
    }
    guard !owners.isEmpty else {
      return collector.leaveOut(
        "Practitioner resources that are no patient's own doctor", row: item.row)
    }
    for (place, owner) in owners.enumerated() {
      let statedID = item.resource.own?.id ?? item.id.flatMap(Self.uuid)
      collector.entry(
        row: item.row, .doctor, of: owner, statedID: place == 0 ? statedID : nil,
        item.resource.fields(as: EntryKind.doctor.collection))
    }
    countDropped(item)
  }

  private mutating func readObservation(
    _ item: FHIRFile.Item, of subject: RecordID, _ statedID: String?
  ) {
    let observation = FHIRObservation(item.resource)
    let entries = observation.entries
    guard !entries.isEmpty else {
      return collector.leaveOut(
        "Observation resources \(observation.reasonWithoutEntry)", row: item.row)
    }
    for entry in entries {
      collector.entry(
        row: item.row, entry.kind, of: subject, statedID: entry.isWhole ? statedID : nil,
        entry.fields)
    }
    if observation.emptyParts > 0 {
      collector.leaveOut(
        "components of Observation resources without a value", count: observation.emptyParts)
    }
  }

  /// Takes what stands in other resources of the file: the name of a medicine, and of a place.
  private func takeReferences(
    of item: FHIRFile.Item, _ kind: EntryKind, _ fields: inout [FieldName: Value]
  ) {
    guard item.resource.own == nil else { return }
    switch kind {
    case .drug where item.resource.medicine == nil:
      let reference =
        item.json["medicationReference"] ?? item.json["medication"]?["reference"]
      guard let found = file.resource(reference, of: item, type: "Medication"),
        let name = FHIRMedicine.name(of: found)
      else { return }
      fields[kind.title] = .string(FHIRMedicine(item.json).nameAndDosage(name))
    case .vaccination where fields["place"] == nil:
      let found = file.resource(item.json["location"], of: item, type: "Location")
      if let name = found?["name"]?.string { fields["place"] = .string(name) }
    default: break
    }
  }

  private mutating func refuseNameless(_ item: FHIRFile.Item, _ kind: EntryKind) {
    let (element, what): (String, String) =
      switch kind {
      case .drug: ("medication", "medicine")
      case .vaccination: ("vaccineCode", "vaccination")
      case .allergy: ("code", "allergy")
      case .illness, .history: ("code", item.type == "Procedure" ? "procedure" : "condition")
      case .risk: ("code", "flag")
      default: ("", "")
      }
    guard !element.isEmpty else {
      return collector.leaveOut("\(item.type) resources without a name", row: item.row)
    }
    collector.fail(item.row, "\(item.type).\(element)", "The \(what) has no name.")
  }

  /// Sections and lists that say that there is nothing, by their reason for being empty.
  private mutating func readAbsences(_ item: FHIRFile.Item) throws {
    if item.type == "List" { collector.leaveOut("List resources") }
    guard
      ["final", "amended", "corrected", "appended", "current", nil].contains(
        item.json["status"]?.string)
    else { return }
    let sections = item.type == "List" ? [item.json] : item.json["section"]?.array ?? []
    for section in sections {
      guard section["emptyReason"]?.code("nilknown") == true,
        let kind = NoneKnown.kind(ofSection: section["code"]),
        let subject = try subject(of: item)
      else { continue }
      var fields: [FieldName: Value] = [
        kind.title: .string(NoneKnown.name(of: kind)),
        .status: .string(EntryStatus.noneKnown.rawValue),
      ]
      if let date = item.json["date"]?.string.flatMap({ HealthDate($0) }) {
        fields[.date] = .string(date.text)
      }
      collector.entry(row: item.row, kind, of: subject, fields)
    }
  }

  private mutating func countDropped(_ item: FHIRFile.Item) {
    guard item.resource.own == nil else { return }
    for name in FHIRElements.dropped(from: item.json) {
      dropped[item.type, default: [:]][name, default: 0] += 1
    }
  }

  private static func uuid(_ text: String) -> String? { FHIRExport.isUUID(text) ? text : nil }
}
