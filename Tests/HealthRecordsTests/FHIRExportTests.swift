import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// FHIR bundles as they go out; `Tools/validate-fhir` checks the golden files against the standard.
struct FHIRExportTests {
  private func resources(_ bundle: JSON) -> [JSON] {
    (bundle["entry"]?.array ?? []).compactMap { $0["resource"] }
  }

  @Test(arguments: FHIRRelease.allCases)
  func `a family is written as it always was`(release: FHIRRelease) throws {
    let family = try Household.family()
    let bundle = FHIRExport(HealthTree.trees(try family.records()), release: release).collection
    try expectGolden(bundle.text(pretty: true) + "\n", "family-\(release).fhir.json")
    #expect(FHIRBindings.problems(in: bundle) == [])
  }

  @Test(arguments: FHIRRelease.allCases)
  func `a summary is a document that begins with its composition`(release: FHIRRelease) throws {
    let family = try Household.family()
    let summary = HealthSummary(try family.tree(), made: 1_767_225_600_000)
    let document = summary.document(release, id: "11111111-2222-4333-8444-555555555555")
    try expectGolden(document.text(pretty: true) + "\n", "summary-\(release).fhir.json")
    #expect(FHIRBindings.problems(in: document) == [])
    let composition = resources(document)[0]
    let codes = (composition["section"]?.array ?? []).compactMap {
      $0["code"]?.code(in: FHIRTerms.loinc)
    }
    #expect(Set(codes).isSuperset(of: ["11450-4", "48765-2", "10160-0"]))
    let urls = Set((document["entry"]?.array ?? []).compactMap { $0["fullUrl"]?.string })
    for section in composition["section"]?.array ?? [] {
      for entry in section["entry"]?.array ?? [] {
        #expect(urls.contains(entry["reference"]?.string ?? ""))
      }
    }
  }

  @Test func `an empty mandatory section says why it is empty`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    let document = HealthSummary(try home.tree(), made: 0).document(.r4b, id: "x")
    let sections = resources(document)[0]["section"]?.array ?? []
    #expect(sections.count == 3)
    for section in sections {
      #expect(section["emptyReason"]?.code(in: FHIRTerms.emptyReason) == "unavailable")
      #expect(section["entry"] == nil)
    }
  }

  @Test func `a blood pressure has its code, its parts and its unit`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.add(.blood, ["name": "120/80 mmHg", "date": "2024-01-15"])
    let bundle = FHIRExport([try home.tree()], release: .r4b).collection
    let observation = resources(bundle)[1]
    #expect(observation["code"]?.code(in: "http://loinc.org") == "85354-9")
    let parts = observation["component"]?.array ?? []
    #expect(parts.compactMap { $0["code"]?.code(in: "http://loinc.org") } == ["8480-6", "8462-4"])
    #expect(parts.compactMap { $0["valueQuantity"]?["value"]?.double } == [120, 80])
    for part in parts {
      #expect(part["valueQuantity"]?["code"] == "mm[Hg]")
      #expect(part["valueQuantity"]?["system"] == "http://unitsofmeasure.org")
    }
    #expect(observation["category"]?[0]?["coding"]?[0]?["code"] == "vital-signs")
    #expect(observation["effectiveDateTime"] == "2024-01-15")
  }

  @Test func `a weight is in kilograms, and a vaccination without a day says so`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.add(.weight, ["weightKg": 72.5])
    try home.add(.vaccination, ["name": "Measles"])
    let all = resources(FHIRExport([try home.tree()], release: .r4b).collection)
    let weight = try #require(all.first { $0["valueQuantity"] != nil })
    #expect(weight["code"]?.code(in: "http://loinc.org") == "29463-7")
    #expect(weight["valueQuantity"]?["code"] == "kg")
    let vaccination = try #require(all.first { $0["resourceType"] == "Immunization" })
    #expect(vaccination["occurrenceString"] == "unknown")
    #expect(vaccination["occurrenceDateTime"] == nil)
  }

  @Test func `every condition and allergy has a clinical status`() throws {
    let family = try Household.family()
    for resource in resources(
      FHIRExport(HealthTree.trees(try family.records()), release: .r5).collection)
    where ["Condition", "AllergyIntolerance"].contains(resource["resourceType"]?.string ?? "") {
      #expect(resource["clinicalStatus"]?["coding"]?[0]?["code"]?.string?.isEmpty == false)
    }
  }

  @Test func `the check of bindings finds unknown codes`() {
    let wrong: JSON = [
      "resourceType": "Bundle", "type": "collection",
      "entry": [
        ["resource": ["resourceType": "Patient", "gender": "F"]],
        ["resource": ["resourceType": "Observation", "status": "done", "code": ["text": "x"]]],
        ["resource": ["resourceType": "Condition", "subject": ["reference": "x"]]],
        [
          "resource": [
            "resourceType": "Immunization", "status": "completed", "vaccineCode": ["text": "x"],
            "patient": ["reference": "x"],
          ]
        ],
      ],
    ]
    #expect(FHIRBindings.problems(in: wrong).count == 5)
  }
}
