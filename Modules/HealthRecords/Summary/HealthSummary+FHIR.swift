public import SyncKitFormats
import SyncKit

extension HealthSummary {
  /// The summary as a FHIR document in the form of the International Patient Summary.
  ///
  /// A composition comes first, with the sections and their references; problems, allergies and
  /// medicines always have a section, with a reason when it is empty. It is not a certified summary:
  /// entries are in words where the standard prefers codes.
  ///
  /// Source: [International Patient Summary](https://hl7.org/fhir/uv/ips/).
  /// - Parameters:
  ///   - release: The release of FHIR.
  ///   - id: A random UUID for the document.
  /// - Returns: A bundle of type `document`.
  public func document(_ release: FHIRRelease, id: String) -> JSON {
    let resources = FHIRExport([tree], release: release).resources(of: tree)
    let patient = resources[0]
    var references: [String: JSON] = [:]
    for (entry, resource) in zip(tree.entries, resources.dropFirst()) {
      references["\(entry.record.key)"] = resource.reference
    }
    let coded = sections.filter { $0.loinc != nil }
    let time = Timestamp.format(milliseconds: made)
    var composition: JSONObject = [
      "resourceType": "Composition", "id": .string(id), "status": "final",
      "type": [
        "coding": [FHIRTerms.coding(FHIRTerms.loinc, "60591-5", "Patient summary Document")]
      ],
    ]
    switch release {
    case .r4b: composition["subject"] = patient.reference
    case .r5: composition["subject"] = [patient.reference]
    }
    composition["date"] = .string(time)
    composition["author"] = [patient.reference]
    composition["title"] = "Patient summary"
    composition["section"] = .array(coded.map { Self.section($0, references) })
    let used = Set(
      coded.flatMap(\.items).compactMap { $0.entry.map { "\($0.record.key)" } })
    let listed = zip(tree.entries, resources.dropFirst())
      .filter { used.contains("\($0.0.record.key)") || $0.0.kind == .doctor }.map(\.1)
    let entries: [JSON] =
      [["fullUrl": .string("urn:uuid:\(id)"), "resource": .object(composition)]]
      + ([patient] + listed).map(\.bundleEntry)
    return [
      "resourceType": "Bundle",
      "identifier": ["system": "urn:ietf:rfc:3986", "value": .string("urn:uuid:\(id)")],
      "type": "document", "timestamp": .string(time), "entry": .array(entries),
    ]
  }

  private static func section(_ section: Section, _ references: [String: JSON]) -> JSON {
    var json: JSONObject = ["title": .string(section.title)]
    if let loinc = section.loinc { json["code"] = FHIRTerms.concept(FHIRTerms.loinc, loinc) }
    json["text"] = ["status": "generated", "div": .string(narrative(section))]
    let entries = section.items.compactMap { item in
      item.entry.flatMap { references["\($0.record.key)"] }
    }
    if entries.isEmpty {
      // "Nothing recorded" does not mean "nothing present".
      json["emptyReason"] = FHIRTerms.concept(
        FHIRTerms.emptyReason, "unavailable", text: "Nothing is recorded")
    } else {
      json["entry"] = .array(entries)
    }
    return .object(json)
  }

  /// The section as the little HTML that FHIR allows.
  private static func narrative(_ section: Section) -> String {
    let lines = section.items.map { item in
      let parts = [item.date, item.title, item.detail].filter { !$0.isEmpty }
      return "<li>\(parts.joined(separator: " · ").escapedForMarkup)</li>"
    }
    let body = lines.isEmpty ? "<p>Nothing is recorded.</p>" : "<ul>\(lines.joined())</ul>"
    return "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(body)</div>"
  }
}
