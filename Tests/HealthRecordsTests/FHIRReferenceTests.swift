import SyncKitFormats
import SyncKit
import Synchronization
import Testing

@testable import HealthRecords

/// What references lead to, and to whom an entry belongs.
struct FHIRReferenceTests {
  private static func bundle(_ entries: String, type: String = "collection") -> String {
    #"{"resourceType":"Bundle","type":"\#(type)","entry":[\#(entries)]}"#
  }

  private static let mia = """
    {"fullUrl":"https://one.example.org/fhir/Patient/p1","resource":{"resourceType":"Patient","id":"p1",
     "identifier":[{"system":"urn:example:mrn","value":"77"}],"birthDate":"1990-04-02",
     "name":[{"family":"Muster","given":["Mia"]}]}}
    """

  private static func condition(_ subject: String, url: String? = nil) -> String {
    let full = url.map { #""fullUrl":"\#($0)","# } ?? ""
    return """
      {\(full)"resource":{"resourceType":"Condition","id":"c1","code":{"text":"Asthma"},
       "subject":\(subject)}}
      """
  }

  @Test(arguments: [
    #"{"reference":"Patient/p1"}"#, #"{"reference":"https://one.example.org/fhir/Patient/p1"}"#,
    #"{"reference":"Patient/p1/_history/3"}"#,
    #"{"reference":"https://one.example.org/fhir/Patient/p1/_history/3"}"#,
    #"{"reference":"Patient?identifier=urn:example:mrn|77"}"#,
    #"{"identifier":{"system":"urn:example:mrn","value":"77"}}"#, #"{"reference":"p1"}"#,
  ])
  func `each form of reference finds its patient`(subject: String) throws {
    let read = try imported(Self.bundle("\(Self.mia),\(Self.condition(subject))"))
    #expect(read.drafts(.illness).count == 1, "\(read.remarks)")
  }

  @Test(arguments: [
    #"{"reference":"Patient/OTHER"}"#, #"{"reference":"https://two.example.org/fhir/Patient/p1"}"#,
    #"{"reference":"urn:uuid:00000000-0000-4000-8000-000000000001"}"#,
    #"{"identifier":{"system":"urn:example:mrn","value":"78"}}"#, #"{"reference":"Group/g1"}"#,
    #"{"display":"Someone"}"#, ##"{"reference":"#gone"}"##,
    #"{"reference":"Patient?identifier=urn:example:mrn|78"}"#,
  ])
  func `what belongs to someone who is not in the file never lands with another`(
    subject: String
  ) throws {
    let read = try imported(Self.bundle("\(Self.mia),\(Self.condition(subject))"))
    #expect(read.drafts(.illness).isEmpty)
    #expect(
      read.remarks == ["left out: Condition resources of a patient who is not in the file (1)"])
  }

  @Test func `a relative reference means the server of its own resource`() throws {
    let other = Self.mia.replacing("one.example", with: "two.example")
      .replacing("Muster", with: "Beispiel")
    let url = "https://two.example.org/fhir/Condition/c1"
    let text = Self.bundle(
      "\(Self.mia),\(other),\(Self.condition(#"{"reference":"Patient/p1"}"#, url: url))")
    let ids = Ids()
    let read = try imported(text, HealthImportOptions(newID: { ids.next() }))
    let owner = read.drafts(.illness).first?.parent?.id
    let subject = read.rows.first { $0.draft.id == owner }?.draft
    #expect(subject?.fields["personalFamilyName"] == "Beispiel")
    // Without an address of its own, either could be meant.
    let unclear = try imported(
      Self.bundle("\(Self.mia),\(other),\(Self.condition(#"{"reference":"Patient/p1"}"#))"),
      HealthImportOptions(newID: { ids.next() }))
    #expect(unclear.drafts(.illness).isEmpty)
  }

  @Test func `a patient within a resource is a patient of the file`() throws {
    let text = """
      {"resourceType":"Observation","status":"final","code":{"text":"Ferritin"},
       "contained":[{"resourceType":"Patient","id":"p","name":[{"family":"Muster","given":["Mia"]}]}],
       "subject":{"reference":"#p"},"valueQuantity":{"value":40,"unit":"ug/L"}}
      """
    let read = try imported(text)
    #expect(read.rows.first?.draft.fields["personalFamilyName"] == "Muster")
    #expect(read.drafts(.blood).first?.parent?.id == .anna)
  }

  @Test func `a file about several people who are not in it goes to no one`() {
    let text = Self.bundle(
      [#"{"reference":"Patient/1"}"#, #"{"reference":"Patient/2"}"#].map {
        Self.condition($0).replacing("c1", with: $0.contains("1") ? "a" : "b")
      }
      .joined(separator: ","))
    #expect(refusal(of: text, .anna).contains("several"))
  }

  @Test func `the same person by relative and absolute address is one person`() throws {
    let text = Self.bundle(
      Self.condition(#"{"reference":"Patient/1"}"#) + ","
        + Self.condition(#"{"reference":"https://x.example.org/Patient/1"}"#).replacing(
          "c1", with: "c2"))
    #expect(try imported(text, .anna).drafts(.illness).count == 2)
  }

  @Test func `what is about a foetus or a donor is not the patient's`() throws {
    let text = """
      {"resourceType":"Observation","status":"final","code":{"text":"Heart rate"},
       "subject":{"reference":"Patient/1"},"focus":[{"display":"Foetus"}],
       "valueQuantity":{"value":140,"unit":"/min"}}
      """
    let read = try imported(text, .anna)
    #expect(read.rows.isEmpty)
    #expect(
      read.remarks == [
        "left out: Observation resources about something other than the patient (1)"
      ])
  }

  // MARK: Medicines

  @Test(arguments: [
    // contained, as many hospitals export
    ##""contained":[{"resourceType":"Medication","id":"m1","code":{"text":"Warfarin 5 mg"}}],"medicationReference":{"reference":"#m1"}"##,
    // in the bundle
    #""medicationReference":{"reference":"Medication/m2"}"#,
    #""medicationReference":{"reference":"urn:uuid:m2"}"#,
    // R5
    #""medication":{"reference":{"reference":"Medication/m2"}}"#,
    #""medication":{"concept":{"text":"Warfarin 5 mg"}}"#,
    // by its name alone
    #""medicationReference":{"reference":"Medication/gone","display":"Warfarin 5 mg"}"#,
  ])
  func `a medicine gets its name from wherever it stands`(medication: String) throws {
    let text = Self.bundle(
      """
      \(Self.mia),
      {"fullUrl":"urn:uuid:m2","resource":{"resourceType":"Medication","id":"m2","code":{"text":"Warfarin 5 mg"}}},
      {"resource":{"resourceType":"MedicationRequest","id":"r1","status":"active","intent":"order",
       \(medication),"subject":{"reference":"Patient/p1"}}}
      """)
    let read = try imported(text)
    #expect(read.drafts(.drug).first?.fields["nameAndDosage"] == "Warfarin 5 mg", "\(read.faults)")
  }

  @Test func `a medicine is named by its ingredients where it has no name`() throws {
    let text = """
      {"resourceType":"MedicationStatement","status":"active","subject":{"reference":"Patient/1"},
       "contained":[{"resourceType":"Medication","id":"m","ingredient":[
         {"itemCodeableConcept":{"text":"Amoxicillin"}},{"itemCodeableConcept":{"text":"Clavulanate"}}]}],
       "medicationReference":{"reference":"#m"}}
      """
    let read = try imported(text, .anna)
    #expect(read.drafts(.drug)[0].fields["nameAndDosage"] == "Amoxicillin + Clavulanate")
  }

  @Test(arguments: [
    (
      #""resourceType":"MedicationRequest","status":"active","intent":"order","medicationReference":{"reference":"Medication/gone"}"#,
      "MedicationRequest.medication"
    ),
    (#""resourceType":"MedicationStatement","status":"active""#, "MedicationStatement.medication"),
    (
      #""resourceType":"MedicationStatement","status":"active","medicationCodeableConcept":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/data-absent-reason","code":"unknown"}]}"#,
      "MedicationStatement.medication"
    ),
    (#""resourceType":"AllergyIntolerance","code":{"text":" "}"#, "AllergyIntolerance.code"),
    (#""resourceType":"Condition""#, "Condition.code"),
    (#""resourceType":"Immunization","status":"completed""#, "Immunization.vaccineCode"),
    (#""resourceType":"Procedure","status":"completed""#, "Procedure.code"),
  ])
  func `what has no name is refused with its place`(resource: String, place: String) throws {
    let text = Self.bundle(
      "\(Self.mia),{\"resource\":{\(resource),\"subject\":{\"reference\":\"Patient/p1\"}}}")
    let read = try imported(text)
    #expect(read.rows.count == 1)
    #expect(read.faults.map(\.row) == [2] && read.faults.map(\.column) == [place])
  }

  @Test func `a place is read from its resource`() throws {
    let text = Self.bundle(
      """
      \(Self.mia),{"resource":{"resourceType":"Location","id":"l1","name":"Permanence"}},
      {"resource":{"resourceType":"Immunization","status":"completed","vaccineCode":{"text":"Influenza"},
       "patient":{"reference":"Patient/p1"},"location":{"reference":"Location/l1"},"lotNumber":"AB12",
       "occurrenceDateTime":"2022-10-15","protocolApplied":[{"doseNumberPositiveInt":2}]}}
      """)
    let fields = try imported(text).drafts(.vaccination)[0].fields
    #expect(fields["place"] == "Permanence" && fields["information"] == "Dose 2; Lot AB12")
  }

  @Test func `only a related person to call in an emergency is an emergency contact`() throws {
    func person(_ relationship: String) -> String {
      """
      {"resource":{"resourceType":"RelatedPerson","patient":{"reference":"Patient/p1"},
       "name":[{"text":"Ben"}],"relationship":\(relationship)}}
      """
    }
    let child = person(#"[{"coding":[{"code":"CHILD"}]}]"#)
    let contact = person(#"[{"coding":[{"code":"C"}]}]"#)
    let early = person(#"{"text":"Emergency contact"}"#)
    let read = try imported(Self.bundle([Self.mia, child, contact, early].joined(separator: ",")))
    #expect(read.drafts(.emergencyContact).count == 2)
    #expect(
      read.remarks.contains("left out: RelatedPerson resources that are no emergency contact (1)"))
  }

  // MARK: Versions

  @Test func `of several versions of a resource the newest counts`() throws {
    func version(_ status: String, _ updated: String) -> String {
      """
      {"resource":{"resourceType":"Condition","id":"c1","meta":{"lastUpdated":"\(updated)"},
       "code":{"text":"Asthma"},"clinicalStatus":{"coding":[{"code":"\(status)"}]},
       "subject":{"reference":"Patient/p1"}}}
      """
    }
    let text = Self.bundle(
      [
        Self.mia, version("active", "2020-01-01T00:00:00Z"),
        version("resolved", "2021-01-01T00:00:00Z"),
      ].joined(separator: ","))
    let read = try imported(text)
    #expect(read.drafts(.illness).isEmpty && read.drafts(.history).count == 1)
    #expect(read.remarks == ["left out: older versions of a resource (1)"])
  }

  @Test func `what a history says was deleted stays deleted`() throws {
    let deletion = #"{"request":{"method":"DELETE","url":"Condition/c1"}}"#
    let text = Self.bundle(
      [Self.mia, deletion, Self.condition(#"{"reference":"Patient/p1"}"#)].joined(separator: ","),
      type: "history")
    let read = try imported(text)
    #expect(read.drafts(.illness).isEmpty)
    #expect(read.remarks == ["left out: deleted resources (1)"])
  }
}

/// Ids, one after another.
private final class Ids: Sendable {
  private let count = Mutex(0)

  func next() -> RecordID {
    count.withLock { count in
      count += 1
      return RecordID("00000000-0000-4000-8000-00000000000\(count)")
    }
  }
}
