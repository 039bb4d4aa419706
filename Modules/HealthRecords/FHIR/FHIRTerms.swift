import SyncKitFormats
import SyncKit

/// A release of FHIR; for the resources used here, readers of R4 understand R4B.
public enum FHIRRelease: String, CaseIterable, Sendable {
  /// Release 4B.
  case r4b = "4.3.0"
  /// Release 5.
  case r5 = "5.0.0"
}

/// The code systems and codes of FHIR, LOINC and UCUM that are used here.
///
/// Sources: [HL7 FHIR](https://hl7.org/fhir/R4B/), [LOINC](https://loinc.org),
/// [UCUM](https://ucum.org).
enum FHIRTerms {
  static let loinc = "http://loinc.org"
  static let ucum = "http://unitsofmeasure.org"
  static let observationCategory = "http://terminology.hl7.org/CodeSystem/observation-category"
  static let conditionClinical = "http://terminology.hl7.org/CodeSystem/condition-clinical"
  static let conditionCategory = "http://terminology.hl7.org/CodeSystem/condition-category"
  static let conditionVerification =
    "http://terminology.hl7.org/CodeSystem/condition-ver-status"
  static let allergyClinical =
    "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical"
  static let allergyVerification =
    "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification"
  static let adherence = "http://hl7.org/fhir/CodeSystem/medication-statement-adherence"
  static let emptyReason = "http://terminology.hl7.org/CodeSystem/list-empty-reason"
  static let contactRole = "http://terminology.hl7.org/CodeSystem/v2-0131"
  static let identifierType = "http://terminology.hl7.org/CodeSystem/v2-0203"
  static let animal = "http://hl7.org/fhir/StructureDefinition/patient-animal"
  static let dataAbsent = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"

  static let bodyWeight = "29463-7"
  static let systolic = "8480-6"
  static let diastolic = "8462-4"

  /// The start of identifiers and extensions of our own.
  static let own = "urn:cloudsync:health:"
  static let ownUnset = "urn:cloudsync:health:unset"
  static let ownField = "urn:cloudsync:health:field:"

  /// The readings that are vital signs, by LOINC.
  static let vitalSigns: Set<String> = [
    "85354-9", "29463-7", "8867-4", "9279-1", "8310-5", "2708-6", "59408-5", "8302-2", "39156-5",
    "40443-4",
  ]

  static func coding(_ system: String, _ code: String, _ display: String? = nil) -> JSON {
    var coding: JSONObject = ["system": .string(system), "code": .string(code)]
    if let display { coding["display"] = .string(display) }
    return .object(coding)
  }

  static func concept(_ system: String, _ code: String, text: String? = nil) -> JSON {
    var concept: JSONObject = ["coding": [coding(system, code)]]
    if let text { concept["text"] = .string(text) }
    return .object(concept)
  }

  /// A concept as text; without text, one that says so.
  static func concept(_ text: String?) -> JSON {
    if let text { return ["text": .string(text)] }
    return ["extension": [["url": .string(dataAbsent), "valueCode": "unknown"]]]
  }

  static func quantity(_ value: Double, _ unit: String, comparator: String? = nil) -> JSON {
    var quantity: JSONObject = ["value": .double(value)]
    if let comparator { quantity["comparator"] = .string(comparator) }
    quantity["unit"] = .string(unit)
    if ucumUnits.contains(unit) {
      quantity["system"] = .string(ucum)
      quantity["code"] = .string(unit)
    }
    return .object(quantity)
  }

  /// Units that have the same spelling in UCUM.
  static let ucumUnits: Set<String> = [
    "kg", "g", "mm[Hg]", "kPa", "/min", "ms", "%", "Cel", "mg/dL", "mmol/L", "mmol/mol", "cm",
    "m", "kg/m2", "[lb_av]", "g/L", "g/dL", "mmol", "1", "{steps}", "ug/L", "ng/mL", "U/L",
  ]
}

extension JSON {
  /// The code of a concept in a system; nil when it has none.
  func code(in system: String) -> String? {
    self["coding"]?.array?.first { $0["system"]?.string == system }?["code"]?.string
  }

  /// A concept in words: its text, else the display text of a code, else a code.
  var words: String? {
    if let text = self["text"]?.string, !text.trimmed.isEmpty { return text }
    // A code that says why there is none is no name.
    let codings = (self["coding"]?.array ?? []).filter { coding in
      let system = coding["system"]?.string ?? ""
      return !system.hasSuffix("data-absent-reason") && !system.hasSuffix("NullFlavor")
    }
    return codings.lazy.compactMap { $0["display"]?.string }.first { !$0.trimmed.isEmpty }
      ?? codings.lazy.compactMap { $0["code"]?.string }.first { !$0.trimmed.isEmpty }
  }

  /// The value of an extension, of any type; nil when there is no such extension.
  func extensionValue(_ url: String) -> JSON? {
    let found = self["extension"]?.array?.first { $0["url"]?.string == url }
    return found?.object?.members.first { $0.key.hasPrefix("value") }?.value
  }
}
