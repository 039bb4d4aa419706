import SyncKitFormats
import SyncKit

/// Reads a resource as an entry of a kind.
struct FHIREntryReader {
  let json: JSON

  func fields(_ kind: EntryKind) -> [Name: Value] {
    var fields: [Name: Value] = [:]
    func put(_ name: Name, _ text: String?) {
      if let text, !text.trimmed.isEmpty { fields[name] = .string(text) }
    }
    if kind.hasDate, kind != .petCost { put(.date, date?.text) }
    switch kind {
    case .weight:
      if let kilograms { fields[.weightKg] = .double(kilograms) }
      put("comment", json.notes)
    case .blood:
      fields.merge(reading) { $1 }
      put("comment", json.notes)
    case .drug:
      let concept =
        json["medicationCodeableConcept"] ?? json["medication"]?["concept"]
        ?? json["medicationReference"].map { ["text": $0["display"] ?? .null] }
      put("nameAndDosage", concept?.words)
      put("comment", json.notes)
      put(.until, day(json["effectivePeriod"]?["end"]))
    case .vaccination:
      put("name", json["vaccineCode"]?.words)
      put("place", json["location"]?["display"]?.string)
      put("comment", json.notes)
    case .allergy:
      put("name", json["code"]?.words)
      put("comment", json.notes)
    case .illness:
      put("name", json["code"]?.words)
      put("informationOrComment", json.notes)
      put(.until, day(json["abatementDateTime"]))
    case .history:
      put("name", json["code"]?.words)
      put("informationOrComment", json.notes)
    case .risk: put("name", json["code"]?.words)
    case .document:
      put("name", json["content"]?[0]?["attachment"]?["title"]?.string ?? json["type"]?.words)
      put("note", json["description"]?.string)
    case .doctor:
      put("name", json["name"]?[0].flatMap(FHIRPatientReader.name))
      put("type", json["qualification"]?[0]?["code"]?.words)
      put("address", json["address"]?[0].flatMap(FHIRPatientReader.address))
      put("phone", json.telecom("phone"))
      put("email", json.telecom("email"))
    case .emergencyContact:
      put("name", json["name"]?[0].flatMap(FHIRPatientReader.name))
      put("phone", json.telecom("phone"))
      put("email", json.telecom("email"))
    case .petCost: break
    }
    return fields
  }

  /// The time, from the element that the resource's type has for it.
  private var date: HealthDate? {
    let places = [
      json["effectiveDateTime"], json["effectiveInstant"], json["effectivePeriod"]?["start"],
      json["occurrenceDateTime"], json["occurrencePeriod"]?["start"], json["performedDateTime"],
      json["performedPeriod"]?["start"], json["onsetDateTime"], json["onsetPeriod"]?["start"],
      json["authoredOn"], json["recordedDate"], json["period"]?["start"],
      json["content"]?[0]?["attachment"]?["creation"], json["date"], json["issued"],
    ]
    return places.lazy.compactMap { $0?.string }.compactMap { HealthDate($0) }.first
  }

  private func day(_ value: JSON?) -> String? { value?.string.flatMap { HealthDate($0)?.text } }

  private var kilograms: Double? {
    guard let quantity = json["valueQuantity"], let value = quantity["value"]?.double,
      let unit = MassUnit(named: quantity.unit ?? "")
    else { return nil }
    return unit == .kilogram ? value : (value * unit.kilograms).inThousandths
  }

  private var reading: [Name: Value] {
    if let pressure {
      return [
        "name": .string(pressure.text), .systolic: .double(pressure.systolic),
        .diastolic: .double(pressure.diastolic), .unit: .string(PressureUnit.stored),
      ]
    }
    var fields: [Name: Value] = [:]
    let name = json["code"]?.words
    if let name { fields["name"] = .string(name) }
    if let code = json["code"]?.code(in: FHIRTerms.loinc) { fields[.code] = .string(code) }
    if let quantity = json["valueQuantity"], let value = quantity["value"]?.double {
      fields[.value] = .double(value)
      fields[.unit] = .string(quantity.unit ?? "1")
    } else if let text = valueInWords {
      fields["name"] = .string(name.map { "\($0): \(text)" } ?? text)
    }
    return fields
  }

  private var valueInWords: String? {
    if let text = json["valueString"]?.string { return text }
    if let words = json["valueCodeableConcept"]?.words { return words }
    if let truth = json["valueBoolean"]?.bool { return truth ? "yes" : "no" }
    if let number = json["valueInteger"]?.int { return "\(number)" }
    return json["valueDateTime"]?.string
  }

  private var pressure: BloodPressure? {
    func part(_ code: String) -> Double? {
      let parts = json["component"]?.array ?? []
      let found = parts.first { $0["code"]?.code(in: FHIRTerms.loinc) == code }
      guard let quantity = found?["valueQuantity"], let value = quantity["value"]?.double,
        let unit = PressureUnit(named: quantity.unit ?? "")
      else { return nil }
      return unit.millimetresOfMercury(value)
    }
    guard let upper = part(FHIRTerms.systolic), let lower = part(FHIRTerms.diastolic) else {
      return nil
    }
    return BloodPressure(systolic: upper, diastolic: lower)
  }
}

extension JSON {
  /// The unit of a quantity: its code, else its text.
  fileprivate var unit: String? { self["code"]?.string ?? self["unit"]?.string }
}
