import SyncKitFormats

/// Checks required bindings and a few invariants, which general validators leave out.
///
/// Source: [FHIR R4B](https://hl7.org/fhir/R4B/) and [R5](https://hl7.org/fhir/R5/), by resource.
enum FHIRBindings {
  static func problems(in bundle: JSON) -> [String] {
    var problems: [String] = []
    if !["collection", "document"].contains(bundle["type"]?.string ?? "") {
      problems.append("Bundle.type")
    }
    for entry in bundle["entry"]?.array ?? [] {
      guard let resource = entry["resource"], let type = resource["resourceType"]?.string else {
        problems.append("entry without a resource")
        continue
      }
      for (path, allowed) in codes[type] ?? [] where !isAllowed(resource, path, allowed) {
        problems.append("\(type).\(path)")
      }
      for choices in needed[type] ?? [] where !choices.contains(where: { resource[$0] != nil }) {
        problems.append("\(type) lacks one of \(choices)")
      }
    }
    return problems
  }

  /// By resource: a path, and the codes allowed there; an absent element is fine.
  private static let codes: [String: [(String, Set<String>)]] = [
    "Patient": [("gender", ["male", "female", "other", "unknown"])],
    "Observation": [
      (
        "status",
        ["registered", "preliminary", "final", "amended", "corrected", "cancelled", "unknown"]
      )
    ],
    "Immunization": [("status", ["completed", "entered-in-error", "not-done"])],
    "MedicationStatement": [
      (
        "status",
        [
          "active", "completed", "entered-in-error", "intended", "stopped", "on-hold", "unknown",
          "not-taken", "recorded", "draft",
        ]
      )
    ],
    "Flag": [("status", ["active", "inactive", "entered-in-error"])],
    "DocumentReference": [("status", ["current", "superseded", "entered-in-error"])],
    "AllergyIntolerance": [("clinicalStatus", ["active", "inactive", "resolved"])],
    "Condition": [
      (
        "clinicalStatus",
        ["active", "recurrence", "relapse", "inactive", "remission", "resolved"]
      )
    ],
    "Composition": [("status", ["preliminary", "final", "amended", "entered-in-error"])],
  ]

  /// By resource: each row names elements of which one must be present.
  private static let needed: [String: [[String]]] = [
    "Observation": [
      ["status"], ["code"], ["valueQuantity", "component", "dataAbsentReason", "valueString"],
    ],
    "Immunization": [["status"], ["patient"], ["occurrenceDateTime", "occurrenceString"]],
    "MedicationStatement": [["status"], ["subject"], ["medicationCodeableConcept", "medication"]],
    "AllergyIntolerance": [["patient"], ["clinicalStatus"]],
    "Condition": [["subject"], ["clinicalStatus"]],
    "Flag": [["status"], ["code"], ["subject"]],
    "DocumentReference": [["status"], ["content"]],
    "RelatedPerson": [["patient"]],
    "Composition": [["status"], ["type"], ["date"], ["author"], ["title"], ["section"]],
  ]

  private static func isAllowed(_ resource: JSON, _ path: String, _ allowed: Set<String>) -> Bool {
    guard let value = resource[path] else { return true }
    if let code = value.string { return allowed.contains(code) }
    let codes = (value["coding"]?.array ?? []).compactMap { $0["code"]?.string }
    return !codes.isEmpty && codes.allSatisfy(allowed.contains)
  }
}
