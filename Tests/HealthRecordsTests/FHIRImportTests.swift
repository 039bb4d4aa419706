import SyncKitFormats
import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

/// FHIR bundles as they come in, our own and those of others.
struct FHIRImportTests {
  @Test(arguments: FHIRRelease.allCases)
  func `what goes out comes back as the same records`(release: FHIRRelease) throws {
    let family = try Household.family()
    let bundle = FHIRExport(HealthTree.trees(try family.records()), release: release).collection
    let other = try Household("other")
    try other.import(bundle.text())
    try expectSameRecords(other, family)
    #expect(try other.import(bundle.text()).batch == nil)
  }

  @Test(arguments: 1...12)
  func `records of any fields come back the same`(seed: Int) throws {
    let home = try Household("home")
    var random = SeededRandom(seed: UInt64(seed))
    try home.addRandom(&random)
    for release in FHIRRelease.allCases {
      let bundle = FHIRExport(HealthTree.trees(try home.records()), release: release).collection
      #expect(FHIRBindings.problems(in: bundle) == [])
      let other = try Household("other")
      try other.import(bundle.text())
      try expectSameRecords(other, home)
    }
    let other = try Household("cloud")
    try other.import(try home.export(.cloud))
    try expectSameRecords(other, home)
  }

  @Test func `a foreign bundle brings what has a place here, and reports the rest`() throws {
    let read = try imported(Golden.text("foreign.fhir.json"))
    #expect(read.faults.isEmpty, "\(read.faults)")
    let subject = try #require(read.rows.first?.draft)
    #expect(subject.fields["personalFamilyName"] == "Muster")
    #expect(subject.fields["personalGivenName"] == "Max Emil")
    #expect(subject.fields["personalAddress"] == "Bahnhofstrasse 1, 8001 Zürich, CH")
    #expect(read.drafts(.weight).map { $0.fields["weightKg"] } == [81.647])
    #expect(
      read.drafts(.blood).compactMap { $0.fields["name"]?.string } == [
        "121/79 mmHg", "Hemoglobin A1c", "Smoking status",
      ])
    #expect(read.drafts(.blood)[2].fields["result"] == "Never smoker")
    #expect(read.drafts(.blood)[1].fields["unit"] == "%")
    #expect(
      read.drafts(.drug).map { $0.fields["nameAndDosage"] } == ["Metformin 500 mg", "Aspirin"])
    #expect(read.drafts(.illness)[0].fields["date"] == "2019-05")
    #expect(read.drafts(.history).count == 2)
    #expect(read.drafts(.vaccination)[0].fields["place"] == "Permanence")
    #expect(
      read.remarks == [
        "left out: Claim resources (1)", "left out: Encounter resources (1)",
        "left out: Observation resources entered in error (1)",
      ])
  }

  @Test func `resources without a patient need a subject`() throws {
    let text = """
      {"resourceType":"Observation","status":"final","code":{"text":"Ferritin"},
       "valueQuantity":{"value":40,"unit":"ug/L"},"subject":{"reference":"Patient/7"}}
      """
    #expect(refusal(of: text).contains("whose"))
    let read = try HealthRecordsTests.imported(text, .anna)
    #expect(read.drafts(.blood)[0].fields["value"] == 40.0)
    #expect(read.drafts(.blood)[0].parent?.id == .anna)
  }

  @Test func `several patients do not go to one subject`() {
    let text = """
      {"resourceType":"Bundle","type":"collection","entry":[
       {"resource":{"resourceType":"Patient","name":[{"family":"A"}]}},
       {"resource":{"resourceType":"Patient","name":[{"family":"B"}]}}]}
      """
    #expect(refusal(of: text, .anna).contains("several"))
  }

  @Test func `importing a foreign bundle twice adds nothing`() throws {
    let home = try Household("home")
    let text = try Golden.text("foreign.fhir.json")
    try home.import(text)
    #expect(try home.import(text).batch == nil)
  }
}

private func imported(_ text: String) throws -> ImportedRecords {
  try HealthRecordsTests.imported(text, format: nil, .new)
}

private func refusal(
  of text: String, _ options: HealthImportOptions = HealthImportOptions()
)
  -> String
{
  HealthRecordsTests.refusal(of: text, format: nil, options)
}

extension Household {
  /// A person and entries with random fields, whatever they mean.
  func addRandom(_ random: inout SeededRandom) throws {
    func fields(_ type: RecordType) -> [FieldName: Value] {
      var fields: [FieldName: Value] = [:]
      for name in type.fieldNames where random.chance(50) {
        switch (name, type.field(name)?.type) {
        case ("date", _), ("until", _), ("refillDue", _), ("nextDue", _), ("personalBirthdate", _):
          let texts = ["1999", "2001-07", "2024-02-29", "2024-01-15T10:30:00+05:30"]
          fields[name] = .string(texts[Int(random.next() % 4)])
        case ("weightKg", _): fields[name] = .double(Double(random.next() % 9000 + 1) / 64)
        case ("systolic", _), ("diastolic", _), ("otherKeys", _): break
        case ("value", _):
          fields[name] = .double(Double(random.next() % 9000) / 64)
          fields["unit"] = "mg/dL"
        case ("status", _):
          let all = EntryStatus.allCases
          fields[name] = .string(all[Int(random.next() % UInt64(all.count))].rawValue)
        case ("comparator", _):
          let all = Comparator.allCases
          fields[name] = .string(all[Int(random.next() % UInt64(all.count))].rawValue)
        case ("createdAt", _): break
        case (_, .double?): fields[name] = .double(Double(random.next() % 9000) / 64)
        case (_, .int?): fields[name] = .int(Int64(random.next() % 3000))
        case (_, .bool?): fields[name] = .bool(random.chance(50))
        case (_, .string?): fields[name] = .string(text(&random))
        default: break
        }
      }
      if random.chance(20) {
        fields["otherKeys"] = .map(ValueMap([("x-new", .list([.int(1), .null, .string("é")]))]))
      }
      return fields
    }
    guard let subject = DomainSchema.health["subject"] else { return }
    try add(fields(subject))
    for kind in EntryKind.allCases {
      guard let type = DomainSchema.health[kind.collection] else { continue }
      for _ in 0..<Int(random.next() % 3) {
        var own = fields(type)
        own[kind.remark] = .string("remark \(random.next() % 100)")
        try add(kind, own)
      }
    }
  }

  private func text(_ random: inout SeededRandom) -> String {
    let parts = [
      "a", "ü", "e\u{301}", "120/80", "\"", "\\", "<b>", "&amp;", "\n", "\t", "😀", "N/A", "Male",
      "unknown", "1999", " ",
    ]
    return "x" + (0..<Int(random.next() % 6)).map { _ in parts[Int(random.next() % 16)] }.joined()
  }
}
