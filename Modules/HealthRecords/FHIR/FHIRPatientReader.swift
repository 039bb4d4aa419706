import SyncKitFormats
import SyncKit

/// Reads a patient as a person or pet.
struct FHIRPatientReader {
  let json: JSON

  var fields: [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    func put(_ name: FieldName, _ text: String?) {
      if let text, !text.trimmed.isEmpty { fields[name] = .string(text) }
    }
    let animal = json["extension"]?.array?.first { $0["url"]?.string == FHIRTerms.animal }
    // An element of its own in early releases, an extension since.
    let early = json["animal"]
    let isPet = animal != nil || early?.object != nil
    fields[.isPet] = .bool(isPet)
    put("petBreed", animal?.extensionValue("breed")?.words ?? early?["breed"]?.words)
    readNames(isPet: isPet, put)
    switch json["gender"]?.string {
    case "male"?: put(.gender, Gender.male.rawValue)
    case "female"?: put(.gender, Gender.female.rawValue)
    case "unknown"?, "other"?: put(.gender, Gender.notStated.rawValue)
    default: break
    }
    if let date = json["birthDate"]?.string.flatMap({ HealthDate($0) }) {
      put(.birthdate, date.day ?? date.text)
    }
    put("personalAddress", json["address"]?[0].flatMap(Self.address))
    for identifier in json["identifier"]?.array ?? [] {
      let value = identifier["value"]?.string
      if identifier["type"]?.code(in: FHIRTerms.identifierType) == "SS" {
        put("personalSocialSecurityNumber", value)
      } else if identifier["type"]?["text"]?.string == "Animal ID" {
        put("personalAnimalID", value)
      }
    }
    for contact in json["contact"]?.array ?? [] {
      let relationship = contact["relationship"]?[0] ?? .null
      let isOwner = relationship["text"]?.string?.folded == "owner"
      let isEmergency = relationship.code(in: FHIRTerms.contactRole) == "C"
      guard isOwner || isEmergency else { continue }
      put(isOwner ? "ownerName" : "emergencyName", contact["name"].flatMap(Self.name))
      put(isOwner ? "ownerPhone" : "emergencyNumber", contact.telecom("phone"))
      put(isOwner ? "ownerEmail" : "emergencyEmail", contact.telecom("email"))
    }
    return fields
  }

  private func readNames(isPet: Bool, _ put: (FieldName, String?) -> Void) {
    let names = json["name"]?.array ?? []
    let nick = names.first { $0["use"]?.string == "nickname" }
    let official =
      names.first { $0["use"]?.string == "official" }
      ?? names.first { !["nickname", "old", "maiden"].contains($0["use"]?.string ?? "") }
    if isPet { return put(.petName, (official ?? nick).flatMap(Self.name)) }
    put(.nickName, nick.flatMap(Self.given))
    guard let official else { return }
    let given = Self.given(official)
    let family = Self.family(official)
    if given == nil, family == nil { return put(.familyName, official["text"]?.string) }
    put(.givenName, given)
    put(.familyName, family)
  }

  private static func given(_ name: JSON) -> String? { joined(name["given"]) }

  /// One text since STU3, several in DSTU2.
  private static func family(_ name: JSON) -> String? { joined(name["family"]) }

  private static func joined(_ value: JSON?) -> String? {
    let parts = (value?.array?.compactMap(\.string) ?? [value?.string].compactMap(\.self))
      .filter { !$0.trimmed.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// A name in one text.
  static func name(_ name: JSON) -> String? {
    if let text = name["text"]?.string { return text }
    let parts = [given(name), family(name)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// An address in one text.
  static func address(_ address: JSON) -> String? {
    if let text = address["text"]?.string { return text }
    let lines = (address["line"]?.array ?? []).compactMap(\.string)
    let town = [address["postalCode"]?.string, address["city"]?.string].compactMap(\.self)
    let parts =
      lines + (town.isEmpty ? [] : [town.joined(separator: " ")])
      + [address["state"]?.string, address["country"]?.string].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension JSON {
  /// The first contact of a system, `phone` or `email`.
  func telecom(_ system: String) -> String? {
    (self["telecom"]?.array ?? []).first { $0["system"]?.string == system }?["value"]?.string
  }
}
