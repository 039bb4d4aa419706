import SyncKitFormats
import SyncKit

/// Reads a resource as an entry of a kind.
struct FHIREntryReader {
  private let json: JSON
  private let zone: LocalZone
  private let fate: FHIRFate
  /// Qualifications that the status has no room for.
  private let qualifications: [String]

  init(_ resource: FHIRResource) {
    json = resource.json
    zone = resource.zone
    (fate, qualifications) = resource.fate
  }

  func fields(_ kind: EntryKind) -> [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    func put(_ name: FieldName, _ text: String?) {
      if let text, !text.trimmed.isEmpty { fields[name] = .string(text) }
    }
    if kind.hasDate, kind != .petCost { put(.date, date?.text) }
    switch kind {
    case .weight:
      if let kilograms { fields[.weightKg] = .double(kilograms) }
      put("comment", lines(json.notes, Self.remarks(onValue: json)))
    case .blood:
      fields.merge(reading) { $1 }
      put("comment", lines(json.notes, Self.remarks(onValue: json)))
    case .drug:
      let medicine = FHIRMedicine(json)
      put("nameAndDosage", medicine.name.map(medicine.nameAndDosage))
      put(
        "comment",
        lines(
          json.notes,
          labelled(
            "Reason",
            ["reasonCode", "reason", "reasonCodeableConcept", "reasonForUseCodeableConcept"]),
          labelled("Reason of the status", ["statusReason"])))
      put(
        .until,
        day(json["effectivePeriod"]?["end"]) ?? day(json["dateEnded"])
          ?? medicine.end.flatMap { day(.string($0)) })
    case .vaccination:
      put("name", json["vaccineCode"]?.words)
      put("place", json["location"]?["display"]?.string)
      put("information", dose)
      put("comment", lines(json.notes, given))
    case .allergy:
      let reaction = json["reaction"]?[0]?["substance"]?.words
      put("name", json["code"]?.words ?? json["substance"]?.words ?? reaction)
      put("information", reactions)
      put("comment", lines(json.notes, json.choiceWords("onset").map { "Since: \($0)" }))
    case .illness:
      put("name", json["code"]?.words)
      put("informationOrComment", diagnosis)
      put(.until, end)
    case .history:
      put("name", json["code"]?.words)
      put("informationOrComment", diagnosis)
    case .risk:
      put("name", json["code"]?.words)
      put("descriptionOrComment", lines(json.notes))
      put(.until, day(json["period"]?["end"]))
    case .document:
      put("name", json["content"]?[0]?["attachment"]?["title"]?.string ?? json["type"]?.words)
      put("note", json["description"]?.string)
    case .doctor:
      put("name", (json["name"]?[0] ?? json["name"]).flatMap(FHIRPatientReader.name))
      put("type", json["qualification"]?[0]?["code"]?.words)
      put("address", json["address"]?[0].flatMap(FHIRPatientReader.address))
      put("phone", json.telecom("phone"))
      put("email", json.telecom("email"))
    case .emergencyContact:
      put("name", (json["name"]?[0] ?? json["name"]).flatMap(FHIRPatientReader.name))
      put("phone", json.telecom("phone"))
      put("email", json.telecom("email"))
    case .petCost: break
    }
    if let status = status(kind, hasEnd: fields[.until] != nil) {
      fields[.status] = .string(status.rawValue)
    }
    return fields
  }

  /// The fields that all readings of an observation have in common.
  var shared: [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    if let date { fields[.date] = .string(date.text) }
    if let notes = json.notes { fields["comment"] = .string(notes) }
    if let status = status(.blood, hasEnd: false) { fields[.status] = .string(status.rawValue) }
    return fields
  }

  // MARK: Status

  private func status(_ kind: EntryKind, hasEnd: Bool) -> EntryStatus? {
    guard DomainSchema.health[kind.collection]?.field(.status) != nil else { return nil }
    if [.allergy, .drug, .illness].contains(kind),
      NoneKnown.isStatement(FHIRResource(json).concept(kind), kind)
    {
      return .noneKnown
    }
    guard case .kept(let status) = fate else {
      return kind == .illness && hasUndatedEnd && !hasEnd ? .resolved : nil
    }
    switch (kind, status) {
    case (.history, .inactive): return nil
    // The end says it better.
    case (.illness, .resolved) where hasEnd: return nil
    case (.risk, .inactive) where hasEnd: return nil
    case (.drug, .completed) where hasEnd && json["resourceType"] == "MedicationStatement":
      return nil
    default: return status
    }
  }

  private var hasUndatedEnd: Bool {
    json["abatementPeriod"] != nil || json.choiceWords("abatement") != nil
      || json["abatementDateTime"] != nil
  }

  private var end: String? {
    day(json["abatementDateTime"]) ?? day(json["abatementPeriod"]?["end"])
  }

  // MARK: Time

  /// The time, from the element that the resource's type has for it.
  private var date: HealthDate? {
    let places = [
      json["effectiveDateTime"], json["effectiveInstant"], json["effectivePeriod"]?["start"],
      json["occurrenceDateTime"], json["occurrencePeriod"]?["start"], json["performedDateTime"],
      json["performedPeriod"]?["start"], json["onsetDateTime"], json["onsetPeriod"]?["start"],
      json["onset"], json["authoredOn"], json["dateWritten"], json["recordedDate"],
      json["assertedDate"], json["dateRecorded"], json["period"]?["start"],
      json["content"]?[0]?["attachment"]?["creation"], json["date"], json["created"],
      json["issued"], json["indexed"], json["dateAsserted"],
    ]
    return places.lazy.compactMap { $0?.string }.compactMap { HealthDate($0, zone: zone) }.first
  }

  private func day(_ value: JSON?) -> String? {
    value?.string.flatMap { HealthDate($0, zone: zone)?.text }
  }

  // MARK: Words

  private func lines(_ parts: String?...) -> String? {
    let found = parts.compactMap { $0?.nonEmpty } + qualifications
    return found.isEmpty ? nil : found.joined(separator: "\n")
  }

  private func labelled(_ label: String, _ names: [String]) -> String? {
    let words = names.flatMap { json[$0]?.allWords ?? [] }
    return words.isEmpty ? nil : "\(label): \(words.joined(separator: ", "))"
  }

  /// What qualifies a value: its interpretation, its reference range, its place and method.
  static func remarks(onValue json: JSON) -> String? {
    func words(_ label: String, _ name: String) -> String? {
      let words = json[name]?.allWords ?? []
      return words.isEmpty ? nil : "\(label): \(words.joined(separator: ", "))"
    }
    let ranges = (json["referenceRange"]?.array ?? []).compactMap { range in
      range["text"]?.string?.nonEmpty ?? range.rangeWords
    }
    let parts = [
      words("Interpretation", "interpretation"),
      ranges.isEmpty ? nil : "Reference range: \(ranges.joined(separator: "; "))",
      words("Body site", "bodySite"), words("Method", "method"),
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  private var diagnosis: String? {
    let stages = (json["stage"]?.array ?? [json["stage"]].compactMap(\.self))
      .compactMap { $0["summary"]?.words }
    return lines(
      json.notes, labelled("Severity", ["severity"]), labelled("Body site", ["bodySite"]),
      stages.isEmpty ? nil : "Stage: \(stages.joined(separator: ", "))",
      json.choiceWords("onset").map { "Since: \($0)" },
      json.choiceWords("abatement").map { "Until: \($0)" },
      json.choiceWords("performed").map { "Done: \($0)" },
      json["occurrenceString"]?.string.map { "Done: \($0)" },
      labelled("Outcome", ["outcome"]), labelled("Complication", ["complication"]),
      labelled("Reason", ["reasonCode", "reasonCodeableConcept", "reason"]))
  }

  private var dose: String? {
    let parts = json["protocolApplied"]?.array ?? json["vaccinationProtocol"]?.array ?? []
    let numbers = parts.compactMap { part in
      part["doseNumberPositiveInt"]?.int.map { "\($0)" } ?? part["doseNumberString"]?.string
        ?? part["doseNumber"]?.string ?? part["doseSequence"]?.int.map { "\($0)" }
    }
    let words =
      numbers.map { "Dose \($0)" }
      + [json["lotNumber"]?.string?.nonEmpty.map { "Lot \($0)" }].compactMap(\.self)
      + (json["manufacturer"]?.allWords ?? [])
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  private var given: String? {
    guard let text = json["occurrenceString"]?.string?.nonEmpty, text != "unknown" else {
      return nil
    }
    return "Given: \(text)"
  }

  private var reactions: String? {
    var parts = (json["reaction"]?.array ?? []).compactMap { reaction -> String? in
      let words =
        (reaction["manifestation"]?.allWords ?? []).nonEmpty
        ?? [reaction["description"]?.string].compactMap(\.self).nonEmpty
      guard let words else { return nil }
      let severity = reaction["severity"]?.string.map { " (\($0))" } ?? ""
      return words.joined(separator: ", ") + severity
    }
    switch json["criticality"]?.string {
    case "high"?, "CRITH"?: parts.append("criticality: high")
    case "low"?, "CRITL"?: parts.append("criticality: low")
    default: break
    }
    if json["type"]?.string == "intolerance" { parts.append("intolerance") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  // MARK: Readings

  /// A weight in kilograms; nil for a bound, and for a value in an unknown unit.
  private var kilograms: Double? {
    guard let quantity = json["valueQuantity"], quantity["comparator"] == nil,
      let value = quantity.quantityValue,
      let unit = MassUnit(named: quantity.quantityUnit ?? "")
        ?? MassUnit(named: quantity["unit"]?.string ?? "")
    else { return nil }
    return unit == .kilogram ? value : (value * unit.kilograms).inThousandths
  }

  private var reading: [FieldName: Value] {
    if let pressure = BloodPressure(panel: json) {
      return [
        "name": .string(pressure.text), .systolic: .double(pressure.systolic),
        .diastolic: .double(pressure.diastolic), .unit: .string(PressureUnit.stored),
      ]
    }
    var fields = FHIRValue(json)?.fields ?? [:]
    if let name = json["code"]?.words { fields["name"] = .string(name) }
    if let code = json["code"]?.code(in: FHIRTerms.loinc) { fields[.code] = .string(code) }
    return fields
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
