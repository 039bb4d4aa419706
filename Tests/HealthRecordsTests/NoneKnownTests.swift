import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// "No known allergies" is neither an allergy nor the same as not knowing.
struct NoneKnownTests {
  private static let made: Int64 = 1_767_225_600_000

  private func section(
    _ home: Household, _ title: String = "Allergies and intolerances"
  ) throws
    -> HealthSummary.Section
  {
    let summary = HealthSummary(try home.tree(), made: Self.made)
    return try #require(summary.sections.first { $0.title == title })
  }

  private func household() throws -> Household {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    return home
  }

  private func allergy(_ code: String) -> String {
    #"{"resourceType":"AllergyIntolerance","code":\#(code),"patient":{"reference":"Patient/1"}}"#
  }

  @Test(arguments: [
    #"{"coding":[{"system":"http://snomed.info/sct","code":"716186003","display":"No known allergy (situation)"}]}"#,
    #"{"coding":[{"system":"http://snomed.info/sct","code":"409137002"}],"text":"NKDA"}"#,
    #"{"coding":[{"system":"http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips","code":"no-known-allergies"}],"text":"none"}"#,
    #"{"text":"No Known Allergies"}"#, #"{"text":"NKA"}"#, #"{"text":"Keine bekannten Allergien"}"#,
    #"{"text":"Aucune allergie connue."}"#, #"{"text":"sin alergias conocidas"}"#,
  ])
  func `the statement is no allergy, and stays a statement on the way out and in`(
    code: String
  ) throws {
    let home = try household()
    try home.import(allergy(code), .anna)
    #expect(try section(home).state == .noneKnown)
    #expect(try home.tree().entries(.allergy).first?.isNoneKnown == true)
    for release in FHIRRelease.allCases {
      let bundle = FHIRExport([try home.tree()], release: release).collection
      let other = try Household("other")
      try other.import(bundle.text())
      try expectSameRecords(other, home)
    }
    let app = try Household("app")
    try app.import(try home.export(.app))
    #expect(try section(app).state == .noneKnown)
  }

  @Test func `a statement, an allergy and nothing at all are three things`() throws {
    let home = try household()
    #expect(try section(home).state == .notRecorded)
    try home.add(.allergy, ["name": "No known allergies", "date": "2020"])
    #expect(try section(home).state == .noneKnown)
    #expect(try section(home).items.map(\.title) == ["No known allergies"])
    try home.add(.allergy, ["name": "Penicillin", "date": "2019"])
    #expect(try section(home).state == .listed)
    #expect(try section(home).items.map(\.title) == ["Penicillin", "No known allergies"])
  }

  @Test func `the page of a person without records says that, and not that there is nothing`()
    throws
  {
    let empty = String(
      decoding: HealthSummary(try household().tree(), made: Self.made).page, as: UTF8.self)
    #expect(empty.contains("Nothing is recorded."))
    let home = try household()
    try home.add(.allergy, ["name": "None known"])
    let page = String(decoding: HealthSummary(try home.tree(), made: Self.made).page, as: UTF8.self)
    #expect(page.contains("None known"))
  }

  @Test func `an empty list or section with the reason nilknown is such a statement`() throws {
    let list = """
      {"resourceType":"List","status":"current","mode":"snapshot","date":"2024-01-15",
       "code":{"coding":[{"system":"http://loinc.org","code":"52472-8"}]},
       "subject":{"reference":"Patient/1"},"emptyReason":{"coding":[{"code":"nilknown"}]}}
      """
    let composition = """
      {"resourceType":"Composition","status":"final","subject":{"reference":"Patient/1"},"section":[
       {"code":{"coding":[{"system":"http://loinc.org","code":"48765-2"}]},"emptyReason":{"coding":[{"code":"nilknown"}]}},
       {"code":{"coding":[{"system":"http://loinc.org","code":"11450-4"}]},"emptyReason":{"coding":[{"code":"unavailable"}]}}]}
      """
    for text in [list, composition] {
      let read = try imported(text, .anna)
      #expect(read.drafts(.allergy).map { $0.fields["status"] } == ["none-known"])
      #expect(read.drafts(.illness).isEmpty)
    }
  }

  @Test func `no information is not the same as nothing known`() throws {
    let code =
      #"{"coding":[{"system":"http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips","code":"no-allergy-info"}]}"#
    let read = try imported(allergy(code), .anna)
    #expect(read.rows.isEmpty)
    #expect(
      read.remarks == ["left out: AllergyIntolerance resources that say that nothing is known (1)"])
  }

  @Test func `medicines and problems have such statements too`() throws {
    let home = try household()
    try home.add(.drug, ["nameAndDosage": "No current medications"])
    try home.add(.illness, ["name": "No known problems"])
    #expect(try section(home, "Medicines").state == .noneKnown)
    #expect(try section(home, "Problems").state == .noneKnown)
    let codes = try FHIRExport([home.tree()], release: .r4b).resources(of: home.tree())
      .map {
        $0.json["medicationCodeableConcept"]?["coding"]?[0]?["code"]
          ?? $0.json["code"]?["coding"]?[0]?["code"]
      }
    #expect(codes.contains("no-known-medications") && codes.contains("no-known-problems"))
  }

  @Test func `only part of it is exported as part of it`() {
    #expect(NoneKnown.code("No known food allergies", .allergy) == "no-known-food-allergies")
    #expect(NoneKnown.code("NKDA", .allergy) == "no-known-medication-allergies")
    #expect(NoneKnown.code("No known latex allergy", .allergy) == nil)
    #expect(NoneKnown.code("NKA", .allergy) == "no-known-allergies")
  }
}
