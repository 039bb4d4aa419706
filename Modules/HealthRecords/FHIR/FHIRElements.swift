import SyncKitFormats

/// The elements of a resource that become part of an entry, or say nothing about the patient.
///
/// All others are counted by name when they are left out.
enum FHIRElements {
  /// The names of the elements that have no place here.
  static func dropped(from json: JSON) -> [String] {
    let type = json["resourceType"]?.string ?? ""
    let read = read[type] ?? []
    return (json.object?.members ?? []).compactMap { name, value in
      if common.contains(name) || read.contains(name) || name.hasPrefix("_") { return nil }
      let isEmpty = value.isNull || value.array?.isEmpty == true
      return isEmpty ? nil : name
    }
  }

  private static let common: Set<String> = [
    "resourceType", "id", "meta", "implicitRules", "language", "text", "identifier", "status",
    "subject", "patient", "contained", "category", "note",
  ]

  private static let medicine: Set<String> = [
    "medication", "medicationCodeableConcept", "medicationReference", "dosage", "dosageInstruction",
    "renderedDosageInstruction", "effectiveDateTime", "effectivePeriod", "effective", "authoredOn",
    "dateWritten", "dateEnded", "dateAsserted", "intent", "doNotPerform", "wasNotTaken", "taken",
    "adherence", "reason", "reasonCode", "reasonCodeableConcept", "reasonForUseCodeableConcept",
    "statusReason", "reported", "reportedBoolean", "reportedReference",
  ]

  private static let read: [String: Set<String>] = [
    "Patient": [
      "active", "name", "gender", "birthDate", "address", "contact", "generalPractitioner",
      "careProvider", "animal",
    ],
    "Observation": [
      "code", "component", "effectiveDateTime", "effectiveInstant", "effectivePeriod", "issued",
      "valueQuantity", "valueCodeableConcept", "valueString", "valueBoolean", "valueInteger",
      "valueRange", "valueRatio", "valueTime", "valueDateTime", "valuePeriod", "interpretation",
      "referenceRange", "bodySite", "method", "comments", "comment", "dataAbsentReason",
    ],
    "MedicationStatement": medicine, "MedicationUsage": medicine, "MedicationRequest": medicine,
    "MedicationOrder": medicine,
    "Immunization": [
      "vaccineCode", "occurrenceDateTime", "occurrenceString", "date", "location", "lotNumber",
      "protocolApplied", "vaccinationProtocol", "manufacturer", "notGiven", "wasNotGiven",
      "isSubpotent", "primarySource",
    ],
    "AllergyIntolerance": [
      "code", "substance", "clinicalStatus", "verificationStatus", "reaction", "criticality",
      "type",
      "onsetDateTime", "onset", "onsetPeriod", "onsetAge", "onsetString", "onsetRange",
      "recordedDate", "assertedDate",
    ],
    "Condition": [
      "code", "clinicalStatus", "verificationStatus", "severity", "bodySite", "stage", "notes",
      "onsetDateTime", "onsetPeriod", "onsetAge", "onsetString", "onsetRange", "onsetQuantity",
      "abatementDateTime", "abatementPeriod", "abatementAge", "abatementString", "abatementRange",
      "abatementBoolean", "abatementQuantity", "recordedDate", "assertedDate", "dateRecorded",
    ],
    "Procedure": [
      "code", "performedDateTime", "performedPeriod", "performedString", "performedAge",
      "performedRange", "occurrenceDateTime", "occurrencePeriod", "occurrenceString", "notDone",
      "notPerformed", "notes", "bodySite", "outcome", "complication", "reasonCode", "reason",
      "reasonCodeableConcept",
    ],
    "Flag": ["code", "period"],
    "DocumentReference": [
      "type", "description", "content", "date", "created", "indexed", "docStatus",
    ],
    "Practitioner": ["active", "name", "telecom", "address", "qualification"],
    "RelatedPerson": ["active", "relationship", "name", "telecom"],
  ]
}
