import SyncKitFormats
import SyncKit

/// Writes an entry as the matching FHIR resource.
struct FHIREntryWriter {
  let entry: HealthEntry
  /// A reference to the patient.
  let patient: JSON
  let release: FHIRRelease

  private var record: Record { entry.record }
  private func text(_ name: Name) -> String? { record[name].string }
  private var date: String? { entry.date?.text }

  /// The resource with elements of the standard alone.
  var resource: JSONObject {
    switch entry.kind {
    case .blood: blood
    case .weight: weight
    case .drug: drug
    case .vaccination: vaccination
    case .allergy: allergy
    case .illness: illness
    case .history: history
    case .risk: risk
    case .document: documentReference
    case .doctor: practitioner
    case .petCost:
      ["resourceType": "Basic", "code": ["text": "Cost of a pet"], "subject": patient]
    case .emergencyContact: relatedPerson
    }
  }

  private func notes(_ names: Name...) -> JSON? {
    let texts = names.compactMap(text)
    return texts.isEmpty ? nil : .array(texts.map { ["text": .string($0)] })
  }

  // MARK: Observations

  private func observation(_ code: JSON, category: String?) -> JSONObject {
    var resource: JSONObject = ["resourceType": "Observation", "status": "final"]
    if let category {
      resource["category"] = [FHIRTerms.concept(FHIRTerms.observationCategory, category)]
    }
    resource["code"] = code
    resource["subject"] = patient
    if let date { resource["effectiveDateTime"] = .string(date) }
    resource["note"] = notes("comment")
    return resource
  }

  private var weight: JSONObject {
    var resource = observation(
      FHIRTerms.concept(FHIRTerms.loinc, FHIRTerms.bodyWeight, text: "Body weight"),
      category: "vital-signs")
    if let kilograms = entry.kilograms {
      resource["valueQuantity"] = FHIRTerms.quantity(kilograms, "kg")
    } else {
      resource["dataAbsentReason"] = Self.absent
    }
    return resource
  }

  private var blood: JSONObject {
    if let pressure = entry.bloodPressure {
      var resource = observation(
        FHIRTerms.concept(FHIRTerms.loinc, BloodPressure.code, text: "Blood pressure"),
        category: "vital-signs")
      let parts = [
        (FHIRTerms.systolic, pressure.systolic), (FHIRTerms.diastolic, pressure.diastolic),
      ]
      resource["component"] = .array(
        parts.map { code, value in
          [
            "code": FHIRTerms.concept(FHIRTerms.loinc, code),
            "valueQuantity": FHIRTerms.quantity(value, PressureUnit.stored),
          ]
        })
      return resource
    }
    let name = text("name")
    let code = text(.code)
    let isVital = code.map(FHIRTerms.vitalSigns.contains) ?? false
    var resource = observation(
      code.map { FHIRTerms.concept(FHIRTerms.loinc, $0, text: name) } ?? FHIRTerms.concept(name),
      category: isVital ? "vital-signs" : nil)
    if let value = record[.value].number {
      resource["valueQuantity"] = FHIRTerms.quantity(value, text(.unit) ?? "1")
    } else {
      resource["dataAbsentReason"] = Self.absent
    }
    return resource
  }

  private static let absent = FHIRTerms.concept(
    "http://terminology.hl7.org/CodeSystem/data-absent-reason", "unknown")

  // MARK: Medicines and diagnoses

  private var drug: JSONObject {
    let concept = FHIRTerms.concept(text("nameAndDosage"))
    var resource: JSONObject = ["resourceType": "MedicationStatement"]
    switch release {
    case .r4b:
      resource["status"] = text(.until) == nil ? "active" : "completed"
      resource["medicationCodeableConcept"] = concept
    case .r5:
      resource["status"] = "recorded"
      resource["medication"] = ["concept": concept]
    }
    resource["subject"] = patient
    if let until = text(.until) {
      var period: JSONObject = [:]
      if let date { period["start"] = .string(date) }
      period["end"] = .string(until)
      resource["effectivePeriod"] = .object(period)
    } else if let date {
      resource["effectiveDateTime"] = .string(date)
    }
    resource["note"] = notes("comment")
    return resource
  }

  private var vaccination: JSONObject {
    var resource: JSONObject = [
      "resourceType": "Immunization", "status": "completed",
      "vaccineCode": FHIRTerms.concept(text("name")), "patient": patient,
    ]
    if let date {
      resource["occurrenceDateTime"] = .string(date)
    } else {
      resource["occurrenceString"] = "unknown"
    }
    if let place = text("place") { resource["location"] = ["display": .string(place)] }
    resource["note"] = notes("information", "comment")
    return resource
  }

  private var allergy: JSONObject {
    var resource: JSONObject = [
      "resourceType": "AllergyIntolerance",
      "clinicalStatus": FHIRTerms.concept(FHIRTerms.allergyClinical, "active"),
      "code": FHIRTerms.concept(text("name")), "patient": patient,
    ]
    if let date { resource["onsetDateTime"] = .string(date) }
    resource["note"] = notes("information", "comment")
    return resource
  }

  private func condition(_ status: String, _ notes: JSON?) -> JSONObject {
    var resource: JSONObject = [
      "resourceType": "Condition",
      "clinicalStatus": FHIRTerms.concept(FHIRTerms.conditionClinical, status),
      "category": [FHIRTerms.concept(FHIRTerms.conditionCategory, "problem-list-item")],
      "code": FHIRTerms.concept(text("name")), "subject": patient,
    ]
    if let date { resource["onsetDateTime"] = .string(date) }
    if let until = text(.until) { resource["abatementDateTime"] = .string(until) }
    resource["note"] = notes
    return resource
  }

  private var illness: JSONObject {
    condition(text(.until) == nil ? "active" : "resolved", notes("informationOrComment"))
  }

  private var history: JSONObject {
    condition("inactive", notes("contact", "informationOrComment"))
  }

  private var risk: JSONObject {
    var resource: JSONObject = [
      "resourceType": "Flag", "status": "active", "code": FHIRTerms.concept(text("name")),
      "subject": patient,
    ]
    if let date { resource["period"] = ["start": .string(date)] }
    return resource
  }

  private var documentReference: JSONObject {
    var attachment: JSONObject = [:]
    if let title = text("name") { attachment["title"] = .string(title) }
    if let date { attachment["creation"] = .string(date) }
    if attachment.isEmpty {
      attachment["extension"] = [["url": .string(FHIRTerms.dataAbsent), "valueCode": "unknown"]]
    }
    var resource: JSONObject = [
      "resourceType": "DocumentReference", "status": "current", "subject": patient,
    ]
    if let note = text("note") { resource["description"] = .string(note) }
    resource["content"] = [["attachment": .object(attachment)]]
    return resource
  }

  // MARK: People

  private var practitioner: JSONObject {
    var resource: JSONObject = ["resourceType": "Practitioner"]
    if let name = text("name") { resource["name"] = [["text": .string(name)]] }
    resource["telecom"] = telecom
    if let address = text("address") { resource["address"] = [["text": .string(address)]] }
    if let type = text("type") { resource["qualification"] = [["code": ["text": .string(type)]]] }
    return resource
  }

  private var relatedPerson: JSONObject {
    var resource: JSONObject = [
      "resourceType": "RelatedPerson", "patient": patient,
      "relationship": [FHIRTerms.concept(FHIRTerms.contactRole, "C", text: "Emergency contact")],
    ]
    if let name = text("name") { resource["name"] = [["text": .string(name)]] }
    resource["telecom"] = telecom
    return resource
  }

  private var telecom: JSON? {
    FHIRPatientWriter.telecom(phone: text("phone"), email: text("email"))
  }
}
