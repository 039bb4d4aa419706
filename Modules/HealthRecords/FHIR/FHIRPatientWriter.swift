import SyncKitFormats
import SyncKit

/// Writes a person or pet as a patient.
struct FHIRPatientWriter {
  let subject: HealthSubject
  /// References to the doctors.
  let practitioners: [JSON]

  private var record: Record { subject.record }
  private func text(_ name: FieldName) -> String? { record[name].string }

  /// The resource with elements of the standard alone.
  var resource: JSONObject {
    var resource: JSONObject = ["resourceType": "Patient"]
    if subject.isPet { resource["extension"] = [animal] }
    let identifiers = identifiers
    if !identifiers.isEmpty { resource["identifier"] = .array(identifiers) }
    let names = names
    if !names.isEmpty { resource["name"] = .array(names) }
    if let gender = gender { resource["gender"] = .string(gender) }
    if let birthdate = subject.birthdate { resource["birthDate"] = .string(birthdate.text) }
    if let address = text("personalAddress") {
      resource["address"] = [["text": .string(address)]]
    }
    let contacts = contacts
    if !contacts.isEmpty { resource["contact"] = .array(contacts) }
    if !practitioners.isEmpty { resource["generalPractitioner"] = .array(practitioners) }
    return resource
  }

  private var animal: JSON {
    var parts: [JSON] = [
      ["url": "species", "valueCodeableConcept": FHIRTerms.concept(nil)]
    ]
    if let breed = text("petBreed") {
      parts.append(["url": "breed", "valueCodeableConcept": ["text": .string(breed)]])
    }
    return ["url": .string(FHIRTerms.animal), "extension": .array(parts)]
  }

  private var identifiers: [JSON] {
    var identifiers: [JSON] = []
    if let number = text("personalSocialSecurityNumber") {
      identifiers.append([
        "type": FHIRTerms.concept(FHIRTerms.identifierType, "SS"), "value": .string(number),
      ])
    }
    if let number = text("personalAnimalID") {
      identifiers.append(["type": ["text": "Animal ID"], "value": .string(number)])
    }
    return identifiers
  }

  private var names: [JSON] {
    if subject.isPet { return text(.petName).map { [["text": .string($0)]] } ?? [] }
    var names: [JSON] = []
    var official: JSONObject = ["use": "official"]
    if let family = text(.familyName) { official["family"] = .string(family) }
    if let given = text(.givenName) { official["given"] = [.string(given)] }
    if official.count > 1 { names.append(.object(official)) }
    if let nick = text(.nickName) {
      names.append(["use": "nickname", "given": [.string(nick)]])
    }
    return names
  }

  private var gender: String? {
    guard let text = text(.gender) else { return nil }
    return switch Gender(named: text) {
    case .male: "male"
    case .female: "female"
    case .notStated: "unknown"
    case nil: "other"
    }
  }

  private var contacts: [JSON] {
    [
      contact(
        FHIRTerms.concept(FHIRTerms.contactRole, "C", text: "Emergency contact"),
        text("emergencyName"), text("emergencyNumber"), text("emergencyEmail")),
      contact(
        ["text": "Owner"], text("ownerName"), text("ownerPhone"), text("ownerEmail")),
    ].compactMap(\.self)
  }

  private func contact(
    _ relationship: JSON, _ name: String?, _ phone: String?, _ email: String?
  ) -> JSON? {
    var contact: JSONObject = ["relationship": [relationship]]
    if let name { contact["name"] = ["text": .string(name)] }
    contact["telecom"] = Self.telecom(phone: phone, email: email)
    return contact.count > 1 ? .object(contact) : nil
  }

  static func telecom(phone: String?, email: String?) -> JSON? {
    var points: [JSON] = []
    if let phone { points.append(["system": "phone", "value": .string(phone)]) }
    if let email { points.append(["system": "email", "value": .string(email)]) }
    return points.isEmpty ? nil : .array(points)
  }
}
