import SyncKitFormats
import SyncKit

/// Reads the fields of a record from a resource of DSTU2, STU3, R4, R4B or R5.
struct FHIRResource {
  let json: JSON
  /// The zone of times without one, which no release allows but some programs write.
  let zone: LocalZone
  /// What its statuses make of it, and the words of those that the one status has no room for.
  let fate: (fate: FHIRFate, others: [String])

  init(_ json: JSON, zone: LocalZone = .utc) {
    self.json = json
    self.zone = zone
    fate = FHIRStatusRule.fate(of: json)
  }

  var type: String { json["resourceType"]?.string ?? "" }

  /// Our own identifier, which names the record; nil for a foreign resource.
  var own: (collection: CollectionName, id: String)? {
    for identifier in json["identifier"]?.array ?? [] {
      guard let system = identifier["system"]?.string, system.hasPrefix(FHIRTerms.own),
        let value = identifier["value"]?.string
      else { continue }
      let collection = CollectionName(String(system.dropFirst(FHIRTerms.own.count)))
      if DomainSchema.health[collection] != nil { return (collection, value) }
    }
    return nil
  }

  /// The record kind for a foreign resource; nil when it is not supported.
  var collection: CollectionName? {
    switch type {
    case "Patient": .subject
    case "Observation": isWeight ? EntryKind.weight.collection : EntryKind.blood.collection
    case "Immunization": EntryKind.vaccination.collection
    case "MedicationStatement", "MedicationRequest", "MedicationUsage", "MedicationOrder":
      EntryKind.drug.collection
    case "AllergyIntolerance": EntryKind.allergy.collection
    case "Condition":
      isPast && json["abatementDateTime"] == nil && json["abatementPeriod"]?["end"] == nil
        ? EntryKind.history.collection : EntryKind.illness.collection
    case "Procedure": EntryKind.history.collection
    case "Flag": EntryKind.risk.collection
    case "DocumentReference": EntryKind.document.collection
    case "Practitioner": EntryKind.doctor.collection
    case "RelatedPerson": EntryKind.emergencyContact.collection
    default: nil
    }
  }

  /// Whether it is a weight that has an exact value in a unit of mass.
  private var isWeight: Bool {
    let codes = (json["code"]?["coding"]?.array ?? []).compactMap { $0["code"]?.string }
    guard !Self.weights.isDisjoint(with: codes), let quantity = json["valueQuantity"] else {
      return false
    }
    let units = [quantity.quantityUnit, quantity["unit"]?.string].compactMap(\.self)
    return quantity["comparator"] == nil && quantity.quantityValue.map { $0 > 0 } == true
      && units.contains { MassUnit(named: $0) != nil }
  }

  private static let weights: Set<String> = [
    "29463-7", "3141-9", "3142-7", "8350-1", "8351-9", "27113001",
  ]

  /// Whether a condition is over, or without signs for now.
  private var isPast: Bool {
    if case .kept(let status) = fate.fate { status.isPast } else { false }
  }

  /// What the entry is about, as a concept.
  func concept(_ kind: EntryKind) -> JSON? {
    kind == .drug
      ? json["medicationCodeableConcept"] ?? json["medication"]?["concept"]
      : json["code"] ?? json["substance"]
  }

  /// The name of the medicine alone, without its dosage.
  var medicine: String? { FHIRMedicine(json).name }

  /// Whether a related person is one to call in an emergency.
  var isEmergencyContact: Bool {
    let relationships = json["relationship"]?.array ?? [json["relationship"]].compactMap(\.self)
    return relationships.contains { relationship in
      (relationship["coding"]?.array ?? []).contains { coding in
        coding["code"]?.string == "C" || coding["code"]?.string == "ECON"
      } || relationship.words?.folded.contains("emergency") == true
    }
  }

  /// The fields, including those of our own extensions.
  func fields(as collection: CollectionName) -> [FieldName: Value] {
    var fields =
      collection == .subject
      ? FHIRPatientReader(json: json).fields
      : EntryKind(collection).map { FHIREntryReader(self).fields($0) } ?? [:]
    let schema = DomainSchema.health[collection]
    if let unset = json.extensionValue(FHIRTerms.ownUnset)?.string {
      for name in unset.split(separator: " ") { fields[FieldName(String(name))] = nil }
    }
    for part in json["extension"]?.array ?? [] {
      guard let url = part["url"]?.string, url.hasPrefix(FHIRTerms.ownField) else { continue }
      let name = FieldName(String(url.dropFirst(FHIRTerms.ownField.count)))
      guard let type = schema?.field(name)?.type,
        let value = part.object?.members.first(where: { $0.key.hasPrefix("value") })?.value,
        let read = Self.value(value, as: type)
      else { continue }
      fields[name] = read
    }
    return fields.filter { !$0.value.isNull }
  }

  private static func value(_ json: JSON, as type: Field.ValueType) -> Value? {
    switch (type, json) {
    case (.string, .string(let text)): return .string(text)
    case (.bool, .bool(let truth)): return .bool(truth)
    case (.double, _): return json.double.map { .double($0) }
    case (.int, .string(let text)): return Int64(text).map { .int($0) }
    case (.instant, .string(let text)): return Timestamp.parse(text).map { .instant($0) }
    case (.map, .string(let text)): return (try? JSON(parsing: text)).map { Value(json: $0) }
    default: return nil
    }
  }
}
