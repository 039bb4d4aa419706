import SyncKitFormats
import SyncKit

/// Reads the fields of a record from a resource of R4, R4B or R5.
struct FHIRResource {
  let json: JSON

  init(_ json: JSON) { self.json = json }

  var type: String { json["resourceType"]?.string ?? "" }

  /// Our own identifier, which names the record; nil for a foreign resource.
  var own: (collection: Name, id: String)? {
    for identifier in json["identifier"]?.array ?? [] {
      guard let system = identifier["system"]?.string, system.hasPrefix(FHIRTerms.own),
        let value = identifier["value"]?.string
      else { continue }
      let collection = Name(String(system.dropFirst(FHIRTerms.own.count)))
      if DomainSchema.health[collection] != nil { return (collection, value) }
    }
    return nil
  }

  /// The record kind for a foreign resource; nil when it is not supported.
  var collection: Name? {
    switch type {
    case "Patient": .subject
    case "Observation": isWeight ? EntryKind.weight.collection : EntryKind.blood.collection
    case "Immunization": EntryKind.vaccination.collection
    case "MedicationStatement", "MedicationRequest", "MedicationUsage": EntryKind.drug.collection
    case "AllergyIntolerance": EntryKind.allergy.collection
    case "Condition":
      isPast && json["abatementDateTime"] == nil
        ? EntryKind.history.collection : EntryKind.illness.collection
    case "Procedure": EntryKind.history.collection
    case "Flag": EntryKind.risk.collection
    case "DocumentReference": EntryKind.document.collection
    case "Practitioner": EntryKind.doctor.collection
    case "RelatedPerson": EntryKind.emergencyContact.collection
    default: nil
    }
  }

  private var isWeight: Bool {
    ["29463-7", "3141-9", "3142-7"].contains(json["code"]?.code(in: FHIRTerms.loinc) ?? "")
  }

  private var isPast: Bool {
    let status = json["clinicalStatus"]?.code(in: FHIRTerms.conditionClinical)
    return ["inactive", "resolved", "remission"].contains(status ?? "")
  }

  /// The fields, including those of our own extensions.
  func fields(as collection: Name) -> [Name: Value] {
    var fields =
      collection == .subject
      ? FHIRPatientReader(json: json).fields
      : EntryKind(collection).map { FHIREntryReader(json: json).fields($0) } ?? [:]
    let schema = DomainSchema.health[collection]
    if let unset = json.extensionValue(FHIRTerms.ownUnset)?.string {
      for name in unset.split(separator: " ") { fields[Name(String(name))] = nil }
    }
    for part in json["extension"]?.array ?? [] {
      guard let url = part["url"]?.string, url.hasPrefix(FHIRTerms.ownField) else { continue }
      let name = Name(String(url.dropFirst(FHIRTerms.ownField.count)))
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
