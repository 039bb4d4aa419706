import SyncKitFormats
import SyncKit

/// Writes an entry as the matching FHIR resource.
struct FHIREntryWriter {
  let entry: HealthEntry
  /// A reference to the patient.
  let patient: JSON
  let release: FHIRRelease

  private var record: Record { entry.record }
  private func text(_ name: FieldName) -> String? { record[name].string }
  private var date: String? { entry.date?.text }
  private var status: EntryStatus? { entry.status }

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

  private func notes(_ names: FieldName...) -> JSON? {
    let texts = names.compactMap(text)
    return texts.isEmpty ? nil : .array(texts.map { ["text": .string($0)] })
  }

  // MARK: Observations

  private func observation(_ code: JSON, category: String?) -> JSONObject {
    let stated =
      switch status {
      case .preliminary?, .inProgress?: "preliminary"
      case .unknown?: "unknown"
      default: "final"
      }
    var resource: JSONObject = ["resourceType": "Observation", "status": .string(stated)]
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
      resource["valueQuantity"] = FHIRTerms.quantity(
        value, text(.unit) ?? "1", comparator: text(.comparator))
    } else if let result = text(.result) {
      resource["valueString"] = .string(result)
    } else {
      resource["dataAbsentReason"] = Self.absent
    }
    return resource
  }

  private static let absent = FHIRTerms.concept(
    "http://terminology.hl7.org/CodeSystem/data-absent-reason", "unknown")

  // MARK: Medicines and diagnoses

  private var drug: JSONObject {
    let concept = stated(text("nameAndDosage"))
    var resource: JSONObject = ["resourceType": "MedicationStatement"]
    switch release {
    case .r4b:
      let isOver = text(.until) != nil
      resource["status"] =
        switch status {
        case .stopped?: "stopped"
        case .onHold?: "on-hold"
        case .unknown?, .unconfirmed?, .provisional?, .presumed?, .differential?: "unknown"
        default: isOver || status?.isPast == true ? "completed" : "active"
        }
      resource["medicationCodeableConcept"] = concept
    case .r5:
      resource["status"] = "recorded"
      resource["medication"] = ["concept": concept]
      if let adherence {
        resource["adherence"] = ["code": FHIRTerms.concept(FHIRTerms.adherence, adherence)]
      }
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

  /// How a medicine is taken, for the release that no longer says it with the status.
  private var adherence: String? {
    switch status {
    case .onHold?: "on-hold"
    case .unknown?, .unconfirmed?, .provisional?, .presumed?, .differential?: "unknown"
    default: text(.until) != nil || status?.isPast == true ? "stopped" : nil
    }
  }

  /// A concept by its name, with a code where it says that nothing is known.
  private func stated(_ name: String?) -> JSON {
    guard entry.isNoneKnown, let code = NoneKnown.code(name, entry.kind) else {
      return FHIRTerms.concept(name)
    }
    return FHIRTerms.concept(NoneKnown.system, code, text: name)
  }

  private var vaccination: JSONObject {
    var resource: JSONObject = [
      "resourceType": "Immunization", "status": "completed",
      "vaccineCode": FHIRTerms.concept(text("name")), "patient": patient,
    ]
    if status == .subpotent { resource["isSubpotent"] = true }
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
    let clinical =
      switch status {
      case .inactive?, .remission?: "inactive"
      default: status?.isPast == true ? "resolved" : "active"
      }
    var resource: JSONObject = [
      "resourceType": "AllergyIntolerance",
      "clinicalStatus": FHIRTerms.concept(FHIRTerms.allergyClinical, clinical),
    ]
    if let verification {
      resource["verificationStatus"] = FHIRTerms.concept(
        FHIRTerms.allergyVerification,
        verification == "unconfirmed" || release == .r5 && verification == "presumed"
          ? verification : "unconfirmed")
    }
    resource["code"] = stated(text("name"))
    resource["patient"] = patient
    if let date { resource["onsetDateTime"] = .string(date) }
    resource["note"] = notes("information", "comment")
    return resource
  }

  /// How sure a diagnosis is; nil where nothing says that it is not.
  private var verification: String? {
    switch status {
    case .unconfirmed?, .unknown?: "unconfirmed"
    case .provisional?: "provisional"
    case .differential?: "differential"
    case .presumed?: "presumed"
    default: nil
    }
  }

  private func condition(_ clinical: String, _ notes: JSON?) -> JSONObject {
    var resource: JSONObject = [
      "resourceType": "Condition",
      "clinicalStatus": FHIRTerms.concept(FHIRTerms.conditionClinical, clinical),
    ]
    if let verification {
      resource["verificationStatus"] = FHIRTerms.concept(
        FHIRTerms.conditionVerification, verification == "presumed" ? "provisional" : verification)
    }
    resource["category"] = [FHIRTerms.concept(FHIRTerms.conditionCategory, "problem-list-item")]
    resource["code"] = stated(text("name"))
    resource["subject"] = patient
    if let date { resource["onsetDateTime"] = .string(date) }
    if let until = text(.until) { resource["abatementDateTime"] = .string(until) }
    resource["note"] = notes
    return resource
  }

  private var illness: JSONObject {
    let clinical =
      switch status {
      case .inactive?, .onHold?: "inactive"
      case .remission?: "remission"
      case .recurrence? where text(.until) == nil: "recurrence"
      case .relapse? where text(.until) == nil: "relapse"
      default: text(.until) != nil || status?.isPast == true ? "resolved" : "active"
      }
    return condition(clinical, notes("informationOrComment"))
  }

  private var history: JSONObject {
    let clinical =
      switch status {
      case .resolved?: "resolved"
      case .remission?: "remission"
      default: "inactive"
      }
    return condition(clinical, notes("contact", "informationOrComment"))
  }

  private var risk: JSONObject {
    var resource: JSONObject = [
      "resourceType": "Flag",
      "status": status?.isPast == true || text(.until) != nil ? "inactive" : "active",
      "code": FHIRTerms.concept(text("name")), "subject": patient,
    ]
    if date != nil || text(.until) != nil {
      var period: JSONObject = [:]
      if let date { period["start"] = .string(date) }
      if let until = text(.until) { period["end"] = .string(until) }
      resource["period"] = .object(period)
    }
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
      "resourceType": "DocumentReference",
      "status": status?.isPast == true ? "superseded" : "current",
    ]
    if status == .preliminary || status == .inProgress { resource["docStatus"] = "preliminary" }
    resource["subject"] = patient
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
