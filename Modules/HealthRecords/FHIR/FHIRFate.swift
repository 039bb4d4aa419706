import SyncKitFormats

/// What becomes of a resource that is read.
enum FHIRFate: Equatable {
  /// A plain fact of today, or of its date.
  case current
  /// Kept with a status that shows beside it.
  case kept(EntryStatus)
  /// Left out; the reason follows "resources" in the warning that counts them.
  case leftOut(String)
}

/// What one code in one element of a resource makes of it.
///
/// The elements are those of DSTU2, STU3, R4, R4B and R5, which differ: what STU3 says with `notGiven`, R4
/// says with the status `not-done`. A code that is not listed is not understood, so the resource is
/// left out rather than taken for a fact.
///
/// Source: the value sets that [R5](https://hl7.org/fhir/R5/), [R4](https://hl7.org/fhir/R4/),
/// [STU3](https://hl7.org/fhir/STU3/) and [DSTU2](https://hl7.org/fhir/DSTU2/) bind to these elements.
struct FHIRStatusRule: Sendable {
  var resource: String
  var element: String
  var code: String
  var fate: FHIRFate

  /// The rules of a resource, by the types that share it.
  static func rules(of resource: String) -> [FHIRStatusRule] { byResource[resource] ?? [] }

  private static let byResource = Dictionary(grouping: all, by: \.resource)

  static let all: [FHIRStatusRule] =
    observation + immunization + medicationStatement + medicationRequest + allergy + condition
    + procedure + flag + document + people

  private static func rules(
    _ resources: [String], _ element: String, _ fates: [(String, FHIRFate)]
  ) -> [FHIRStatusRule] {
    resources.flatMap { resource in
      fates.map {
        FHIRStatusRule(resource: resource, element: element, code: $0.0, fate: $0.1)
      }
    }
  }

  private static let error = ("entered-in-error", FHIRFate.leftOut("entered in error"))

  private static let observation = rules(
    ["Observation"], "status",
    [
      ("registered", .leftOut("without a result yet")), ("preliminary", .kept(.preliminary)),
      ("final", .current), ("amended", .current), ("corrected", .current), ("appended", .current),
      ("specimen-in-process", .leftOut("without a result yet")),
      ("cannot-be-obtained", .leftOut("cancelled")), ("cancelled", .leftOut("cancelled")), error,
      ("unknown", .kept(.unknown)),
    ])

  private static let immunization =
    rules(
      ["Immunization"], "status",
      [
        ("completed", .current), ("not-done", .leftOut("that were not given")), error,
        ("in-progress", .leftOut("that were not given in full")),
        ("on-hold", .leftOut("that were not given in full")),
        ("stopped", .leftOut("that were not given in full")),
      ])
    + rules(["Immunization"], "notGiven", [("true", .leftOut("that were not given"))])
    + rules(["Immunization"], "wasNotGiven", [("true", .leftOut("that were not given"))])
    + rules(["Immunization"], "isSubpotent", [("true", .kept(.subpotent))])

  private static let medicationStatement =
    rules(
      ["MedicationStatement", "MedicationUsage"], "status",
      [
        ("active", .current), ("recorded", .current), ("completed", .kept(.completed)),
        ("stopped", .kept(.stopped)), ("on-hold", .kept(.onHold)), ("unknown", .kept(.unknown)),
        ("intended", .leftOut("that are only intended")),
        ("draft", .leftOut("that are drafts")),
        ("not-taken", .leftOut("that are not taken")), error,
      ])
    + rules(
      ["MedicationStatement", "MedicationUsage"], "wasNotTaken",
      [("true", .leftOut("that are not taken"))])
    + rules(
      ["MedicationStatement", "MedicationUsage"], "taken",
      [
        ("y", .current), ("n", .leftOut("that are not taken")), ("unk", .kept(.unknown)),
        ("na", .current),
      ])
    + rules(
      ["MedicationStatement", "MedicationUsage"], "adherence.code",
      [
        ("taking", .current), ("taking-as-directed", .current),
        ("taking-not-as-directed", .current), ("not-taking", .leftOut("that are not taken")),
        ("on-hold", .kept(.onHold)), ("on-hold-as-directed", .kept(.onHold)),
        ("on-hold-not-as-directed", .kept(.onHold)), ("stopped", .kept(.stopped)),
        ("stopped-as-directed", .kept(.stopped)), ("stopped-not-as-directed", .kept(.stopped)),
        ("unknown", .kept(.unknown)),
      ])

  private static let orders = ["MedicationRequest", "MedicationOrder"]

  private static let medicationRequest =
    rules(
      orders, "status",
      [
        ("active", .current), ("on-hold", .kept(.onHold)), ("ended", .kept(.ended)),
        ("stopped", .kept(.stopped)), ("completed", .kept(.completed)),
        ("cancelled", .leftOut("cancelled")), error, ("draft", .leftOut("that are drafts")),
        ("unknown", .kept(.unknown)),
      ])
    + rules(
      ["MedicationRequest"], "intent",
      [
        ("order", .current), ("original-order", .current), ("reflex-order", .current),
        ("filler-order", .current), ("instance-order", .current),
        ("proposal", .leftOut("that are only proposed")),
        ("plan", .leftOut("that are only planned")),
        ("option", .leftOut("that are only proposed")),
      ])
    + rules(
      ["MedicationRequest"], "doNotPerform", [("true", .leftOut("that forbid a medicine"))])

  private static let allergy =
    rules(
      ["AllergyIntolerance"], "clinicalStatus",
      [
        ("active", .current), ("inactive", .kept(.inactive)), ("resolved", .kept(.resolved)),
      ])
    + rules(["AllergyIntolerance"], "verificationStatus", verification)
    + rules(
      ["AllergyIntolerance"], "status",
      [
        ("active", .current), ("unconfirmed", .kept(.unconfirmed)), ("confirmed", .current),
        ("inactive", .kept(.inactive)), ("resolved", .kept(.resolved)),
        ("refuted", .leftOut("that are refuted")), error,
      ])

  private static let verification: [(String, FHIRFate)] = [
    ("confirmed", .current), ("unconfirmed", .kept(.unconfirmed)), ("presumed", .kept(.presumed)),
    ("provisional", .kept(.provisional)), ("differential", .kept(.differential)),
    ("unknown", .kept(.unknown)), ("refuted", .leftOut("that are refuted")), error,
  ]

  private static let condition =
    rules(
      ["Condition"], "clinicalStatus",
      [
        ("active", .current), ("recurrence", .kept(.recurrence)), ("relapse", .kept(.relapse)),
        ("inactive", .kept(.inactive)), ("remission", .kept(.remission)),
        ("resolved", .kept(.resolved)), ("unknown", .kept(.unknown)),
      ])
    + rules(["Condition"], "verificationStatus", verification)
    + rules(["Condition"], "abatementBoolean", [("true", .kept(.resolved))])

  private static let procedure =
    rules(
      ["Procedure"], "status",
      [
        ("preparation", .leftOut("that have not begun")), ("in-progress", .kept(.inProgress)),
        ("not-done", .leftOut("that were not done")), ("on-hold", .kept(.onHold)),
        ("suspended", .kept(.onHold)), ("stopped", .kept(.stopped)), ("aborted", .kept(.stopped)),
        ("completed", .current), error, ("unknown", .kept(.unknown)),
      ])
    + rules(["Procedure"], "notDone", [("true", .leftOut("that were not done"))])
    + rules(["Procedure"], "notPerformed", [("true", .leftOut("that were not done"))])

  private static let flag = rules(
    ["Flag"], "status", [("active", .current), ("inactive", .kept(.inactive)), error])

  private static let document =
    rules(
      ["DocumentReference"], "status",
      [("current", .current), ("superseded", .kept(.superseded)), error])
    + rules(
      ["DocumentReference"], "docStatus",
      [
        ("registered", .leftOut("that are not written yet")), ("partial", .kept(.preliminary)),
        ("preliminary", .kept(.preliminary)), ("final", .current), ("amended", .current),
        ("corrected", .current), ("appended", .current), ("cancelled", .leftOut("cancelled")),
        error, ("deprecated", .kept(.superseded)), ("unknown", .kept(.unknown)),
      ])

  private static let people = rules(
    ["Practitioner", "RelatedPerson"], "active",
    [("true", .current), ("false", .leftOut("that are no longer active"))])
}

extension FHIRStatusRule {
  /// What the statuses of a resource together make of it: what leaves it out comes first, then what
  /// ends it, then what qualifies it.
  ///
  /// - Returns: The fate, and the words of the qualifications that the one status has no room for.
  static func fate(of json: JSON) -> (fate: FHIRFate, others: [String]) {
    let fates = fates(of: json)
    if let leftOut = fates.first(where: { if case .leftOut = $0 { true } else { false } }) {
      return (leftOut, [])
    }
    var kept: [EntryStatus] = []
    for case .kept(let status) in fates where !kept.contains(status) { kept.append(status) }
    guard let first = kept.first(where: \.isPast) ?? kept.first else { return (.current, []) }
    return (.kept(first), kept.filter { $0 != first }.map(\.words))
  }

  private static func fates(of json: JSON) -> [FHIRFate] {
    let type = json["resourceType"]?.string ?? ""
    // A modifier changes the meaning of the whole resource, so it may not be passed over.
    if json["modifierExtension"]?.array?.isEmpty == false {
      return [.leftOut("with a modifier that is not understood")]
    }
    var fates: [FHIRFate] = []
    var elements: [String] = []
    for rule in rules(of: type) where !elements.contains(rule.element) {
      elements.append(rule.element)
    }
    for element in elements {
      let codes = codes(json.element(element))
      if codes.isEmpty || element == "intent" && isReported(json, codes) { continue }
      if element == "docStatus", json[element]?.string == nil { continue }
      if codes == ["false"], element != "active" { continue }
      let rules = rules(of: type).filter { $0.element == element }
      let found = codes.lazy.compactMap { code in rules.first { $0.code == code } }.first
      fates.append(found?.fate ?? .leftOut("with a status that is not understood"))
    }
    return fates
  }

  /// Whether a plan is what a person reported to take; such a medicine has no other intent.
  private static func isReported(_ json: JSON, _ codes: [String]) -> Bool {
    guard codes == ["plan"] else { return false }
    return json["reportedBoolean"]?.bool == true || json["reportedReference"] != nil
      || json["reported"]?.bool == true
      || json["requester"]?["reference"]?.string?.contains("Patient/") == true
  }

  /// The codes of an element: a code, a truth value, or those of a concept and then its words.
  private static func codes(_ value: JSON?) -> [String] {
    guard let value, !value.isNull else { return [] }
    if let text = value.string { return [text.folded] }
    if let truth = value.bool { return [truth ? "true" : "false"] }
    let codings = value["coding"]?.array ?? []
    let codes = codings.compactMap { $0["code"]?.string?.folded }
    let words = codings.map { $0["display"]?.string } + [value["text"]?.string]
    return codes.map { snomed[$0] ?? $0 } + words.compactMap { $0?.folded }
  }

  /// Codes of SNOMED CT that some systems write in place of FHIR's.
  private static let snomed = [
    "55561003": "active", "73425007": "inactive", "413322009": "resolved",
    "277022003": "remission", "255227004": "recurrence", "410605003": "confirmed",
    "410592001": "provisional",
  ]
}

extension JSON {
  /// An element by a path of names.
  func element(_ path: String) -> JSON? {
    path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
  }
}
