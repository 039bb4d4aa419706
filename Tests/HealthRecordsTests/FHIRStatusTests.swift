import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Every status of every resource that is read: what is denied or over is no fact of today.
struct FHIRStatusTests {
  private static let made: Int64 = 1_767_225_600_000

  /// A resource of a type with one element set, as the releases write it.
  private static func resource(_ rule: FHIRStatusRule) -> JSON {
    var json: JSONObject = [
      "resourceType": .string(rule.resource), "id": "r1", "subject": ["reference": "Patient/p1"],
      "code": ["text": "Something"],
    ]
    switch rule.resource {
    case "Observation": json["valueQuantity"] = ["value": 5, "unit": "mg/L"]
    case "Immunization":
      json["vaccineCode"] = ["text": "Something"]
      json["patient"] = ["reference": "Patient/p1"]
    case "MedicationStatement", "MedicationUsage", "MedicationRequest", "MedicationOrder":
      json["medicationCodeableConcept"] = ["text": "Something"]
    case "DocumentReference":
      json["content"] = [["attachment": ["title": "Something"]]]
    case "Practitioner", "RelatedPerson":
      json["name"] = [["text": "Something"]]
      json["relationship"] = [["text": "emergency contact"]]
      json["patient"] = ["reference": "Patient/p1"]
    default: break
    }
    let parts = rule.element.split(separator: ".").map(String.init)
    var value: JSON =
      ["true", "false"].contains(rule.code) ? .bool(rule.code == "true") : .string(rule.code)
    if parts.count > 1 { value = .object([parts[1]: ["coding": [["code": value]]]]) }
    json[parts[0]] = value
    return .object(json)
  }

  private static func bundle(_ resource: JSON) -> String {
    let patient: JSON = [
      "resourceType": "Patient", "id": "p1", "name": [["family": "Muster", "given": ["Mia"]]],
      "generalPractitioner": [["reference": "Practitioner/r1"]],
    ]
    let bundle: JSON = [
      "resourceType": "Bundle", "type": "collection",
      "entry": [["resource": patient], ["resource": resource]],
    ]
    return bundle.text()
  }

  @Test(arguments: FHIRStatusRule.all.indices)
  func `each status becomes what the table says, and stays it on the way out and in`(
    index: Int
  ) throws {
    let rule = FHIRStatusRule.all[index]
    let text = Self.bundle(Self.resource(rule))
    let read = try imported(text)
    #expect(read.faults.isEmpty, "\(rule): \(read.faults)")
    let entries = read.rows.map(\.draft).filter { $0.collection != "subject" }
    if case .leftOut(let reason) = rule.fate {
      #expect(entries.isEmpty, "\(rule)")
      #expect(
        read.remarks.contains("left out: \(rule.resource) resources \(reason) (1)"), "\(rule)")
      return
    }
    #expect(entries.count == 1, "\(rule)")
    let home = try Household("home")
    try home.import(text)
    let entry = try #require(try home.tree().entries.first)
    let isOver = entry.kind != .history && entry.hasEnded(at: Self.made)
    switch rule.fate {
    case .kept(let status):
      #expect(entry.status == status || entry.kind == .history, "\(rule)")
      #expect(isOver == (status.isPast && entry.kind != .history), "\(rule)")
      #expect(entry.detail.contains(status.words) || entry.kind == .history, "\(rule)")
    default:
      #expect(entry.status == nil && !isOver, "\(rule)")
    }
    let summary = HealthSummary(try home.tree(), made: Self.made)
    let current = summary.sections.filter {
      $0.title != "History" && $0.title != "No longer current"
    }
    if isOver, entry.kind != .document {
      #expect(current.allSatisfy { $0.items.isEmpty }, "\(rule)")
      #expect(summary.sections.flatMap(\.items).map(\.title) == ["Something"], "\(rule)")
    }
    for release in FHIRRelease.allCases {
      let bundle = FHIRExport(HealthTree.trees(try home.records()), release: release).collection
      #expect(FHIRBindings.problems(in: bundle) == [], "\(rule)")
      if isOver { expectOver(bundle["entry"]?[1]?["resource"] ?? .null, release, rule) }
      let other = try Household("other")
      try other.import(bundle.text())
      try expectSameRecords(other, home)
    }
    let app = try Household("app")
    try app.import(try home.export(.app), .new)
    if isOver {
      let again = try #require(try app.tree().entries.first)
      #expect(again.hasEnded(at: Self.made), "\(rule)")
    }
  }

  /// What has ended is not written as a fact of today.
  private func expectOver(_ resource: JSON, _ release: FHIRRelease, _ rule: FHIRStatusRule) {
    switch resource["resourceType"]?.string {
    case "MedicationStatement"?:
      let code = resource["adherence"]?["code"]?["coding"]?[0]?["code"]
      #expect(release == .r5 ? code != nil : resource["status"] != "active", "\(rule)")
    case "AllergyIntolerance"?, "Condition"?:
      #expect(resource["clinicalStatus"]?.code("active") == false, "\(rule)")
    case "Flag"?: #expect(resource["status"] == "inactive", "\(rule)")
    case "DocumentReference"?: #expect(resource["status"] == "superseded", "\(rule)")
    default: break
    }
  }

  @Test(arguments: [
    "Observation", "Immunization", "MedicationStatement", "MedicationRequest", "MedicationOrder",
    "AllergyIntolerance", "Condition", "Procedure", "Flag", "DocumentReference",
  ])
  func `a status that no release has is left out rather than guessed`(type: String) throws {
    let element = ["AllergyIntolerance", "Condition"].contains(type) ? "clinicalStatus" : "status"
    let rule = FHIRStatusRule(resource: type, element: element, code: "sort-of", fate: .current)
    let read = try imported(Self.bundle(Self.resource(rule)))
    #expect(read.rows.count == 1)
    #expect(
      read.remarks == ["left out: \(type) resources with a status that is not understood (1)"])
  }

  @Test func `a concept counts by its code, in any code system or none, or by its words`() throws {
    let forms: [JSON] = [
      "resolved", ["coding": [["code": "resolved"]]], ["text": "Resolved"],
      ["coding": [["system": "http://hl7.org/fhir/condition-clinical", "code": "resolved"]]],
      ["coding": [["system": "http://snomed.info/sct", "code": "413322009"]]],
      ["coding": [["system": "urn:oid:1.2.3", "code": "7", "display": "Resolved"]]],
    ]
    for form in forms {
      let condition: JSON = [
        "resourceType": "Condition", "code": ["text": "Otitis"], "clinicalStatus": form,
        "subject": ["reference": "Patient/p1"],
      ]
      let read = try imported(Self.bundle(condition))
      #expect(read.drafts(.illness).isEmpty && read.drafts(.history).count == 1)
      #expect(read.drafts(.history).first?.fields["status"] == "resolved")
    }
  }

  @Test func `of several statuses the one that denies wins, then the one that ends`() throws {
    func fate(_ json: JSON) -> FHIRFate { FHIRStatusRule.fate(of: json).fate }
    #expect(
      fate([
        "resourceType": "AllergyIntolerance", "clinicalStatus": "active",
        "verificationStatus": "refuted",
      ])
        == .leftOut("that are refuted"))
    #expect(
      fate([
        "resourceType": "Condition", "clinicalStatus": "remission",
        "verificationStatus": "provisional",
      ])
        == .kept(.remission))
    #expect(
      FHIRStatusRule.fate(of: [
        "resourceType": "Condition", "clinicalStatus": "remission",
        "verificationStatus": "provisional",
      ])
      .others == ["provisional"])
    #expect(
      fate(["resourceType": "MedicationStatement", "status": "active", "taken": "n"])
        == .leftOut("that are not taken"))
    #expect(
      fate(["resourceType": "Immunization", "status": "completed", "notGiven": false]) == .current)
  }

  @Test func `a plan is no prescription, unless a person reported what they take`() throws {
    var request: JSONObject = [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": "Ibuprofen"], "subject": ["reference": "Patient/p1"],
    ]
    #expect(try imported(Self.bundle(.object(request))).drafts(.drug).isEmpty)
    request["reportedBoolean"] = true
    #expect(try imported(Self.bundle(.object(request))).drafts(.drug).count == 1)
  }

  @Test func `a modifier that is not understood leaves the resource out`() throws {
    let condition: JSON = [
      "resourceType": "Condition", "code": ["text": "Asthma"], "clinicalStatus": "active",
      "modifierExtension": [["url": "urn:example:negated", "valueBoolean": true]],
      "subject": ["reference": "Patient/p1"],
    ]
    let read = try imported(Self.bundle(condition))
    #expect(read.drafts(.illness).isEmpty)
    #expect(
      read.remarks == ["left out: Condition resources with a modifier that is not understood (1)"])
  }

  @Test(arguments: ["abatementString", "abatementAge", "abatementPeriod", "abatementBoolean"])
  func `an illness with any kind of end is no current problem`(element: String) throws {
    let values: [String: JSON] = [
      "abatementString": "in childhood", "abatementAge": ["value": 12, "unit": "years"],
      "abatementPeriod": ["start": "2001", "end": "2001-06"], "abatementBoolean": true,
    ]
    let condition: JSON = .object([
      "resourceType": "Condition", "code": ["text": "Asthma"], element: values[element] ?? .null,
      "subject": ["reference": "Patient/p1"],
    ])
    let home = try Household("home")
    try home.import(Self.bundle(condition))
    let summary = HealthSummary(try home.tree(), made: Self.made)
    #expect(summary.sections.first { $0.title == "Problems" }?.items.isEmpty == true)
    #expect(summary.sections.first { $0.title == "History" }?.items.count == 1)
  }

  @Test func `a medicine ends when its dosages or its period do`() throws {
    let requests: [JSON] = [
      [
        "resourceType": "MedicationRequest", "status": "active", "intent": "order",
        "medicationCodeableConcept": ["text": "Amoxicillin"],
        "subject": ["reference": "Patient/p1"],
        "dosageInstruction": [
          [
            "text": "3 a day",
            "timing": ["repeat": ["boundsPeriod": ["start": "2020-01-01", "end": "2020-01-10"]]],
          ]
        ],
      ],
      [
        "resourceType": "MedicationStatement", "status": "active",
        "medicationCodeableConcept": ["text": "Amoxicillin"],
        "subject": ["reference": "Patient/p1"],
        "effectivePeriod": ["start": "2020-01-01", "end": "2020-01-10"],
      ],
    ]
    for request in requests {
      let home = try Household("home")
      try home.import(Self.bundle(request))
      let entry = try #require(try home.tree().entries(.drug).first)
      #expect(entry.record["until"] == "2020-01-10" && entry.hasEnded(at: Self.made))
    }
  }

  @Test func `the guide lists every status with what becomes of it`() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(folder)/Documentation/Guides/health.md"
    let guide = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let table = FHIRStatusRule.table
    #expect(guide.contains(table), "the guide needs this table:\n\(table)")
  }
}

extension FHIRStatusRule {
  /// The table of the guide: a row for each resource and fate.
  fileprivate static var table: String {
    var lines = ["| Resource | Status | Becomes |", "|---|---|---|"]
    var rows: [(resource: String, words: String, codes: [String])] = []
    for rule in all {
      let code =
        ["status", "clinicalStatus", "verificationStatus"].contains(rule.element)
        ? "`\(rule.code)`" : "`\(rule.element)` `\(rule.code)`"
      if let index = rows.firstIndex(where: {
        $0.resource == rule.resource && $0.words == rule.fate.words
      }) {
        if !rows[index].codes.contains(code) { rows[index].codes.append(code) }
      } else {
        rows.append((rule.resource, rule.fate.words, [code]))
      }
    }
    // The types of a resource that differ in name alone share a row.
    var merged: [(resources: [String], words: String, codes: [String])] = []
    for row in rows {
      if let index = merged.firstIndex(where: { $0.words == row.words && $0.codes == row.codes }) {
        merged[index].resources.append(row.resource)
      } else {
        merged.append(([row.resource], row.words, row.codes))
      }
    }
    lines += merged.map { row in
      "| \(row.resources.map { "`\($0)`" }.joined(separator: ", ")) | \(row.codes.joined(separator: ", ")) | \(row.words) |"
    }
    return lines.joined(separator: "\n")
  }
}

extension FHIRFate {
  fileprivate var words: String {
    switch self {
    case .current: "a plain fact"
    case .kept(let status) where status.isPast: "no longer current: \(status.words)"
    case .kept(let status): "kept, marked \"\(status.words)\""
    case .leftOut(let reason): "left out and counted: \(reason)"
    }
  }
}
