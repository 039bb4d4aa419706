import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// Values of observations, and what stands beside them: kept, or counted by name.
struct FHIRValueTests {
  private func read(_ observation: String) throws -> ImportedRecords {
    let text = """
      {"resourceType":"Observation","status":"final","subject":{"reference":"Patient/1"},
       "effectiveDateTime":"2024-01-15",\(observation)}
      """
    return try imported(text, .anna)
  }

  private func titles(_ observation: String) throws -> [String] {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    let text = """
      {"resourceType":"Observation","status":"final","subject":{"reference":"Patient/1"},\(observation)}
      """
    try home.import(text, .anna)
    let bundle = FHIRExport([try home.tree()], release: .r4b).collection
    let other = try Household("other")
    try other.import(bundle.text())
    try expectSameRecords(other, home)
    return try home.tree().entries.map(\.title)
  }

  private static let crp =
    #""code":{"text":"CRP","coding":[{"system":"http://loinc.org","code":"1988-5"}]}"#

  @Test(arguments: [
    (#""valueQuantity":{"value":5,"unit":"mg/L"}"#, "CRP: 5 mg/L"),
    (#""valueQuantity":{"value":5,"comparator":"<","unit":"mg/L"}"#, "CRP: < 5 mg/L"),
    (#""valueQuantity":{"value":5,"comparator":">=","unit":"mg/L"}"#, "CRP: >= 5 mg/L"),
    (#""valueQuantity":{"value":5,"comparator":"ad","unit":"mg/L"}"#, "CRP: ad 5 mg/L"),
    (#""valueQuantity":{"value":"5.5","unit":"mg/L"}"#, "CRP: 5.5 mg/L"),
    (
      #""valueQuantity":{"value":5,"unit":"mg per L","system":"http://unitsofmeasure.org","code":"mg/L"}"#,
      "CRP: 5 mg/L"
    ),
    (#""valueQuantity":{"value":5,"unit":"mg/L","system":"urn:local","code":"U7"}"#, "CRP: 5 mg/L"),
    (#""valueString":"negative""#, "CRP: negative"),
    (
      #""valueCodeableConcept":{"coding":[{"code":"260385009","display":"Negative"}]}"#,
      "CRP: Negative"
    ),
    (#""valueBoolean":false"#, "CRP: no"), (#""valueInteger":3"#, "CRP: 3"),
    (
      #""valueRange":{"low":{"value":3,"unit":"mg/L"},"high":{"value":5,"unit":"mg/L"}}"#,
      "CRP: 3 to 5 mg/L"
    ),
    (#""valueRange":{"low":{"value":3,"unit":"mg/L"}}"#, "CRP: at least 3 mg/L"),
    (#""valueRatio":{"numerator":{"value":1},"denominator":{"value":128}}"#, "CRP: 1:128"),
    (
      #""valueRatio":{"numerator":{"value":30,"unit":"mg"},"denominator":{"value":1,"unit":"mmol"}}"#,
      "CRP: 30 mg / 1 mmol"
    ),
    (#""valueTime":"08:30:00""#, "CRP: 08:30:00"), (#""valueDateTime":"2024-01""#, "CRP: 2024-01"),
    (#""valuePeriod":{"start":"2024-01-01","end":"2024-01-03"}"#, "CRP: 2024-01-01 to 2024-01-03"),
  ])
  func `a value of every type keeps its meaning, here and on the way out`(
    value: String, title: String
  ) throws {
    #expect(try titles("\(Self.crp),\(value)") == [title])
  }

  @Test(arguments: [
    (#""dataAbsentReason":{"coding":[{"code":"not-performed"}]}"#, "without a value"),
    (
      #""valueSampledData":{"origin":{"value":0},"period":10,"dimensions":1,"data":"1 2"}"#,
      "with a valueSampledData that is not read"
    ),
    (#""hasMember":[{"reference":"Observation/2"}]"#, "that only group others"),
    (#""valueQuantity":{"unit":"mg/L"}"#, "with a valueQuantity that is not read"),
  ])
  func `an observation without a value is no reading, and is counted`(
    value: String, reason: String
  ) throws {
    let read = try read("\(Self.crp),\(value)")
    #expect(read.rows.isEmpty)
    #expect(read.remarks.contains("left out: Observation resources \(reason) (1)"))
  }

  @Test func `half a blood pressure stays a reading of its own`() throws {
    let read = try read(
      """
      "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"},{"system":"http://loinc.org","code":"55284-4"}]},
      "component":[
       {"code":{"coding":[{"system":"http://loinc.org","code":"8480-6","display":"Systolic blood pressure"}]},
        "valueQuantity":{"value":107,"unit":"mmHg","system":"http://unitsofmeasure.org","code":"mm[Hg]"},
        "interpretation":[{"text":"Normal"}]},
       {"code":{"coding":[{"system":"http://loinc.org","code":"8462-4","display":"Diastolic blood pressure"}]},
        "dataAbsentReason":{"coding":[{"code":"not-performed"}]}}]
      """)
    let fields = read.drafts(.blood)[0].fields
    #expect(read.drafts(.blood).count == 1)
    #expect(fields["name"] == "Systolic blood pressure" && fields["value"] == 107.0)
    #expect(fields["unit"] == "mm[Hg]" && fields["code"] == "8480-6")
    #expect(fields["comment"] == "Interpretation: Normal" && fields["date"] == "2024-01-15")
    #expect(
      read.remarks.contains("left out: components of Observation resources without a value (1)"))
  }

  @Test func `a third component beside a blood pressure stays as well`() throws {
    let read = try read(
      """
      "code":{"text":"Blood pressure"},"component":[
       {"code":{"coding":[{"system":"http://snomed.info/sct","code":"271649006"}]},"valueQuantity":{"value":16,"unit":"kPa","code":"kPa"}},
       {"code":{"coding":[{"system":"http://loinc.org","code":"8453-3"}]},"valueQuantity":{"value":80,"unit":"mm Hg"}},
       {"code":{"text":"Mean blood pressure"},"valueQuantity":{"value":93,"unit":"mm[Hg]"}}]
      """)
    #expect(
      read.drafts(.blood).map { $0.fields["name"] } == ["120/80 mmHg", "Mean blood pressure"])
  }

  @Test func `each component of a panel is a reading`() throws {
    let read = try read(
      """
      "code":{"text":"Lipids"},"component":[
       {"code":{"text":"HDL"},"valueQuantity":{"value":1.4,"unit":"mmol/L"}},
       {"code":{"text":"LDL"},"valueQuantity":{"value":2.6,"comparator":"<","unit":"mmol/L"}},
       {"code":{"text":"Appearance"},"valueString":"clear"}]
      """)
    #expect(read.drafts(.blood).map { $0.fields["name"] } == ["HDL", "LDL", "Appearance"])
    #expect(read.drafts(.blood)[1].fields["comparator"] == "<")
    #expect(read.drafts(.blood)[2].fields["result"] == "clear")
  }

  @Test func `importing a panel twice adds nothing`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    let text = """
      {"resourceType":"Observation","id":"00000000-0000-4000-8000-000000000009","status":"final",
       "code":{"text":"Lipids"},"subject":{"reference":"Patient/1"},"component":[
       {"code":{"text":"HDL"},"valueQuantity":{"value":1.4,"unit":"mmol/L"}},
       {"code":{"text":"LDL"},"valueQuantity":{"value":2.6,"unit":"mmol/L"}}]}
      """
    try home.import(text, .anna)
    #expect(try home.import(text, .anna).batch == nil)
    #expect(try home.tree().entries.count == 2)
  }

  @Test func `interpretation, reference range, place and method stay as a remark`() throws {
    let read = try read(
      """
      \(Self.crp),"valueQuantity":{"value":7,"unit":"mg/L"},"note":[{"text":"fasting"}],
      "interpretation":[{"coding":[{"code":"H","display":"High"}]}],
      "referenceRange":[{"low":{"value":0,"unit":"mg/L"},"high":{"value":5,"unit":"mg/L"}}],
      "bodySite":{"text":"Left arm"},"method":{"text":"Nephelometry"}
      """)
    #expect(
      read.drafts(.blood)[0].fields["comment"]
        == "fasting\nInterpretation: High\nReference range: 0 to 5 mg/L\nBody site: Left arm\nMethod: Nephelometry"
    )
  }

  @Test func `elements that have no place here are counted by name`() throws {
    let read = try read(
      """
      \(Self.crp),"valueQuantity":{"value":7,"unit":"mg/L"},"device":{"display":"Analyser"},
      "performer":[{"display":"Laboratory"}],"extension":[{"url":"urn:x","valueBoolean":true}]
      """)
    #expect(
      read.remarks == [
        "not kept of Observation resources: device (1), extension (1), performer (1)"
      ])
  }

  @Test(arguments: [
    (#""valueQuantity":{"value":160,"unit":"lbs"}"#, EntryKind.weight, "72.575 kg"),
    (
      #""valueQuantity":{"value":72.5,"unit":"kg","code":"kg","system":"http://unitsofmeasure.org"}"#,
      .weight, "72.5 kg"
    ),
    (
      #""valueQuantity":{"value":250,"comparator":">","unit":"kg"}"#, .blood,
      "Body weight: > 250 kg"
    ),
    (#""valueQuantity":{"value":5,"unit":"grain"}"#, .blood, "Body weight: 5 grain"),
  ])
  func `a weight that is no exact mass stays a reading`(
    value: String, kind: EntryKind, title: String
  ) throws {
    let code =
      #""code":{"coding":[{"system":"urn:local","code":"WT"},{"system":"http://loinc.org","code":"29463-7","display":"Body weight"}],"text":"Body weight"}"#
    let read = try read("\(code),\(value)")
    #expect(read.drafts(kind).count == 1)
    #expect(try titles("\(code),\(value)") == [title])
  }

  // MARK: Medicines, allergies, illnesses

  private func fields(_ kind: EntryKind, _ resource: String) throws -> [FieldName: Value] {
    let text = "{\(resource),\"subject\":{\"reference\":\"Patient/1\"}}"
    let read = try imported(text, .anna)
    #expect(read.faults.isEmpty, "\(read.faults)")
    return try #require(read.drafts(kind).first).fields
  }

  @Test(arguments: [
    (
      #""dosageInstruction":[{"text":"1 tablet in the morning"}]"#,
      "Ramipril 5 mg, 1 tablet in the morning"
    ),
    (
      #""dosageInstruction":[{"text":"first week: 1"},{"text":"then: 2"}]"#,
      "Ramipril 5 mg, first week: 1; then: 2"
    ),
    (
      #""dosageInstruction":[{"timing":{"repeat":{"frequency":2,"period":1,"periodUnit":"d"}},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet"}}],"route":{"text":"oral"}}]"#,
      "Ramipril 5 mg, 1 tablet, 2 times per day, oral"
    ),
    (
      #""dosageInstruction":[{"timing":{"repeat":{"frequency":1,"period":8,"periodUnit":"h"}},"asNeededBoolean":true}]"#,
      "Ramipril 5 mg, every 8 h, as needed"
    ),
    (
      #""dosageInstruction":[{"timing":{"code":{"text":"BID"}},"asNeededCodeableConcept":{"text":"pain"}}]"#,
      "Ramipril 5 mg, BID, as needed for pain"
    ),
    (#""renderedDosageInstruction":"one daily""#, "Ramipril 5 mg, one daily"),
    (#""dosageInstruction":[{"sequence":1}]"#, "Ramipril 5 mg"),
  ])
  func `how a medicine is taken stands with its name`(dosage: String, name: String) throws {
    let fields = try fields(
      .drug,
      """
      "resourceType":"MedicationRequest","status":"active","intent":"order",
      "medicationCodeableConcept":{"text":"Ramipril 5 mg"},\(dosage)
      """)
    #expect(fields["nameAndDosage"] == .string(name))
  }

  @Test func `the reaction and criticality of an allergy stay`() throws {
    let fields = try fields(
      .allergy,
      """
      "resourceType":"AllergyIntolerance","code":{"text":"Peanut"},"criticality":"high",
      "reaction":[{"manifestation":[{"text":"Anaphylaxis"},{"text":"Hives"}],"severity":"severe"}],
      "onsetString":"childhood"
      """)
    #expect(fields["information"] == "Anaphylaxis, Hives (severe); criticality: high")
    #expect(fields["comment"] == "Since: childhood")
  }

  @Test func `severity, site, stage and other times of an illness stay`() throws {
    let fields = try fields(
      .illness,
      """
      "resourceType":"Condition","code":{"text":"Eczema"},"severity":{"text":"Moderate"},
      "bodySite":[{"text":"Left hand"}],"stage":[{"summary":{"text":"II"}}],
      "onsetAge":{"value":5,"unit":"years"},"note":[{"text":"itches"}]
      """)
    #expect(
      fields["informationOrComment"]
        == "itches\nSeverity: Moderate\nBody site: Left hand\nStage: II\nSince: at 5 years")
  }

  @Test func `outcome and reason of a procedure stay`() throws {
    let fields = try fields(
      .history,
      """
      "resourceType":"Procedure","status":"completed","code":{"text":"Knee arthroscopy"},
      "performedString":"spring 2010","outcome":{"text":"Successful"},"reasonCode":[{"text":"Tear"}]
      """)
    #expect(
      fields["informationOrComment"] == "Done: spring 2010\nOutcome: Successful\nReason: Tear")
  }
}
