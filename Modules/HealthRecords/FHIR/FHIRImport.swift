import SyncKitFormats
import SyncKit

/// Reads a FHIR bundle or a single resource; unsupported resources are counted by type.
struct FHIRImport {
  private var collector: EntryCollector
  /// Subjects by every reference to them.
  private var subjects: [String: Name] = [:]
  /// The patients of practitioners, by every reference to one.
  private var patients: [String: Name] = [:]
  private var all: [Name] = []

  init(_ collector: EntryCollector) { self.collector = collector }

  /// A resource with its place and its addresses.
  private struct Placed {
    var row: Int
    var resource: FHIRResource
    var addresses: [String]
  }

  mutating func read(_ document: JSON) throws -> ImportedRecords {
    let placed = Self.resources(of: document)
    for item in placed where item.resource.type == "Patient" { try readPatient(item) }
    for item in placed where item.resource.type != "Patient" { try readEntry(item) }
    return collector.records()
  }

  private static func resources(of document: JSON) -> [Placed] {
    guard document["resourceType"]?.string == "Bundle" else {
      return [Placed(row: 1, resource: FHIRResource(document), addresses: addresses(document, nil))]
    }
    return (document["entry"]?.array ?? []).enumerated().flatMap { index, entry -> [Placed] in
      guard let json = entry["resource"] else { return [] }
      // A bundle within a bundle, as some servers answer, is read like its container.
      if json["resourceType"]?.string == "Bundle" { return resources(of: json) }
      let addresses = addresses(json, entry["fullUrl"]?.string)
      return [Placed(row: index + 1, resource: FHIRResource(json), addresses: addresses)]
    }
  }

  private static func addresses(_ json: JSON, _ url: String?) -> [String] {
    var addresses = [url].compactMap(\.self)
    if let id = json["id"]?.string {
      addresses += ["\(json["resourceType"]?.string ?? "")/\(id)", "urn:uuid:\(id)"]
    }
    return addresses
  }

  private mutating func readPatient(_ item: Placed) throws {
    let resource = item.resource
    let foreign = resource.json["id"]?.string
    let id = try collector.subject(
      row: item.row, statedID: resource.own?.id ?? foreign.flatMap { Self.uuid($0) },
      resource.fields(as: .subject))
    for address in item.addresses { subjects[address] = id }
    for practitioner in resource.json["generalPractitioner"]?.array ?? [] {
      if let address = practitioner["reference"]?.string { patients[address] = id }
    }
    all.append(id)
  }

  private mutating func readEntry(_ item: Placed) throws {
    let resource = item.resource
    switch resource.json["status"]?.string {
    case "entered-in-error"?: return collector.leaveOut("resources entered in error")
    default: break
    }
    let type = resource.type
    guard type != "Composition" else { return }
    guard let collection = resource.own?.collection ?? resource.collection,
      let kind = EntryKind(collection)
    else {
      return collector.leaveOut(type.isEmpty ? "resources without a type" : "\(type) resources")
    }
    let fields = resource.fields(as: collection)
    guard kind != .weight || fields[.weightKg] != nil || resource.own != nil else {
      return collector.leaveOut("Observation resources without a weight in a known unit")
    }
    guard let subject = try subject(of: item, kind) else {
      return collector.leaveOut("\(type) resources without a patient in the file")
    }
    collector.entry(
      row: item.row, kind, of: subject,
      statedID: resource.own?.id ?? resource.json["id"]?.string.flatMap { Self.uuid($0) }, fields)
  }

  /// The patient of a resource: by reference, or the only patient in the file.
  private func subject(of item: Placed, _ kind: EntryKind) throws -> Name? {
    let json = item.resource.json
    let reference = (json["subject"] ?? json["patient"])?["reference"]?.string
    if let reference, let found = subjects[reference] { return found }
    if kind == .doctor {
      // A practitioner belongs to no patient; one that a patient refers to is that patient's doctor.
      return item.addresses.lazy.compactMap { patients[$0] }.first
    }
    if all.isEmpty { return try collector.chosenSubject() }
    return all.count == 1 ? all[0] : nil
  }

  private static func uuid(_ text: String) -> String? { FHIRExport.isUUID(text) ? text : nil }
}
