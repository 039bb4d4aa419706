import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// DSTU2 and STU3, and the forms in which servers give whole records away.
struct FHIREarlyReleaseTests {
  private func bundle(_ resources: String...) -> String {
    let entries = resources.map { "{\"resource\":\($0)}" }.joined(separator: ",")
    return #"{"resourceType":"Bundle","type":"searchset","entry":[\#(entries)]}"#
  }

  private static let patient = """
    {"resourceType":"Patient","id":"p1","name":[{"use":"official","family":["Abend","Roth"],"given":["Bea"]}],
     "birthDate":"1980-02-29","gender":"female"}
    """

  @Test func `a family name in several parts, as DSTU2 has it, stays whole`() throws {
    let subject = try imported(bundle(Self.patient)).rows[0].draft
    #expect(subject.fields["personalFamilyName"] == "Abend Roth")
    #expect(subject.fields["personalGivenName"] == "Bea")
  }

  @Test func `an animal of STU3 is a pet`() throws {
    let read = try imported(
      """
      {"resourceType":"Patient","name":[{"text":"Rex"}],"animal":{"species":{"text":"dog"},"breed":{"text":"Beagle"}}}
      """)
    #expect(read.rows[0].draft.fields["isPet"] == true)
    #expect(read.rows[0].draft.fields["petBreed"] == "Beagle")
  }

  @Test func `an order of DSTU2 is a medicine with its dosage, date and end`() throws {
    let read = try imported(
      bundle(
        Self.patient,
        """
        {"resourceType":"MedicationOrder","status":"stopped","dateWritten":"2015-03-01","dateEnded":"2015-04-01",
         "patient":{"reference":"Patient/p1"},"medicationCodeableConcept":{"text":"Loratadine 5 mg"},
         "note":"for hay fever","dosageInstruction":[{"text":"one a day"}]}
        """,
        """
        {"resourceType":"MedicationStatement","status":"active","wasNotTaken":true,
         "patient":{"reference":"Patient/p1"},"medicationCodeableConcept":{"text":"Aspirin"}}
        """))
    let drugs = read.drafts(.drug)
    #expect(drugs.map { $0.fields["nameAndDosage"] } == ["Loratadine 5 mg, one a day"])
    #expect(drugs[0].fields["date"] == "2015-03-01" && drugs[0].fields["until"] == "2015-04-01")
    #expect(drugs[0].fields["status"] == "stopped" && drugs[0].fields["comment"] == "for hay fever")
    #expect(read.remarks.contains("left out: MedicationStatement resources that are not taken (1)"))
  }

  @Test func `an allergy of DSTU2 is its substance with its one status`() throws {
    func allergy(_ name: String, _ status: String) -> String {
      """
      {"resourceType":"AllergyIntolerance","status":"\(status)","substance":{"text":"\(name)"},
       "patient":{"reference":"Patient/p1"},"criticality":"CRITH","note":{"text":"careful"},
       "onset":"2001-05-01","reaction":[{"manifestation":[{"text":"Rash"}]}]}
      """
    }
    let read = try imported(
      bundle(
        Self.patient, allergy("Nuts", "confirmed"), allergy("Milk", "refuted"),
        allergy("Pollen", "resolved")))
    let allergies = read.drafts(.allergy)
    #expect(allergies.map { $0.fields["name"] } == ["Nuts", "Pollen"])
    #expect(allergies[0].fields["information"] == "Rash; criticality: high")
    #expect(
      allergies[0].fields["comment"] == "careful" && allergies[0].fields["date"] == "2001-05-01")
    #expect(allergies.map { $0.fields["status"] } == [nil, "resolved"])
  }

  @Test func `conditions, procedures, vaccinations and readings of early releases are read`() throws
  {
    let read = try imported(
      bundle(
        Self.patient,
        """
        {"resourceType":"Condition","code":{"text":"Asthma"},"clinicalStatus":"active","notes":"mild",
         "verificationStatus":"confirmed","patient":{"reference":"Patient/p1"},"dateRecorded":"2014-02-03"}
        """,
        """
        {"resourceType":"Condition","code":{"text":"Otitis"},"clinicalStatus":"resolved",
         "subject":{"reference":"Patient/p1"},"abatementDateTime":"2013-05-06","assertedDate":"2013-05-01"}
        """,
        """
        {"resourceType":"Procedure","status":"completed","notPerformed":true,"code":{"text":"Biopsy"},
         "subject":{"reference":"Patient/p1"}}
        """,
        """
        {"resourceType":"Immunization","status":"completed","wasNotGiven":false,"date":"2012-10-01",
         "vaccineCode":{"text":"Influenza"},"patient":{"reference":"Patient/p1"}}
        """,
        """
        {"resourceType":"Observation","status":"final","code":{"text":"Glucose"},"comments":"fasting",
         "subject":{"reference":"Patient/p1"},"effectiveDateTime":"2012-10-01",
         "valueQuantity":{"value":92,"units":"mg/dL"}}
        """,
        """
        {"resourceType":"Practitioner","id":"d1","name":{"family":["Huber"],"given":["Eva"]}}
        """))
    #expect(read.faults.isEmpty)
    #expect(read.drafts(.illness).map { $0.fields["name"] } == ["Asthma", "Otitis"])
    #expect(read.drafts(.illness)[0].fields["date"] == "2014-02-03")
    #expect(read.drafts(.illness)[0].fields["informationOrComment"] == "mild")
    #expect(read.drafts(.illness)[1].fields["until"] == "2013-05-06")
    #expect(read.drafts(.history).isEmpty)
    #expect(read.drafts(.vaccination)[0].fields["date"] == "2012-10-01")
    #expect(read.drafts(.blood)[0].fields["unit"] == "mg/dL")
    #expect(read.drafts(.blood)[0].fields["comment"] == "fasting")
  }

  @Test func `a bulk export has a resource a line`() throws {
    let patient =
      #"{"resourceType":"Patient","id":"p1","name":[{"family":"Muster","given":["Mia"]}]}"#
    let condition =
      #"{"resourceType":"Condition","id":"c1","code":{"text":"Asthma"},"subject":{"reference":"Patient/p1"}}"#
    let read = try imported("\(condition)\n\n\(patient)\r\n", format: "ndjson", .new)
    #expect(read.drafts(.illness).count == 1 && read.rows[0].draft.collection == "subject")
    #expect(refusal(of: "\(patient)\n{\"resourceType\"", format: "ndjson").contains("Line 2"))
    let list = try imported("[\(patient),\(condition)]")
    #expect(list.drafts(.illness).count == 1)
  }

  @Test func `DSTU1 is refused by its name`() {
    let text = #"{"resourceType":"Bundle","entry":[{"content":{"resourceType":"Patient"}}]}"#
    #expect(refusal(of: text).contains("DSTU1"))
  }
}
