import SyncKit

/// The app's own export, version 1: the keys of the file and their fields.
///
/// A file is about one person or pet. Doctors, the vet and pet costs are not in it; dates are days.
enum AppFormat {
  /// An array of entries.
  struct Section {
    var key: String
    var kind: EntryKind
    /// The keys of an entry besides the fields, the date first.
    var keys: [(key: String, field: FieldName)]
  }

  static let version: Int64 = 1

  static let sections: [Section] = [
    Section(
      key: "emergencyContacts", kind: .emergencyContact,
      keys: [("name", "name"), ("phone", "phone"), ("email", "email"), ("note", "note")]),
    Section(
      key: "blood", kind: .blood,
      keys: [("bloodDate", .date), ("bloodName", "name"), ("bloodComment", "comment")]),
    Section(
      key: "drugs", kind: .drug,
      keys: [("drugDate", .date), ("drugName", "nameAndDosage"), ("drugComment", "comment")]),
    Section(
      key: "vaccinations", kind: .vaccination,
      keys: [
        ("vaccinationDate", .date), ("vaccinationName", "name"),
        ("vaccinationInfo", "information"), ("vaccinationPlace", "place"),
        ("vaccinationComment", "comment"),
      ]),
    Section(
      key: "allergy", kind: .allergy,
      keys: [
        ("allergyDate", .date), ("allergyName", "name"), ("allergyInformation", "information"),
        ("allergyComment", "comment"),
      ]),
    Section(
      key: "illness", kind: .illness,
      keys: [
        ("illnessDate", .date), ("illnessName", "name"), ("illnessComment", "informationOrComment"),
      ]),
    Section(
      key: "risks", kind: .risk,
      keys: [
        ("risksDate", .date), ("risksName", "name"), ("risksComment", "descriptionOrComment"),
      ]),
    Section(
      key: "medicalhistory", kind: .history,
      keys: [
        ("medicalhistoryDate", .date), ("medicalhistoryName", "name"),
        ("medicalhistoryContact", "contact"), ("medicalhistoryComment", "informationOrComment"),
      ]),
    Section(
      key: "medicaldocument", kind: .document,
      keys: [
        ("medicaldocumentDate", .date), ("medicaldocumentName", "name"),
        ("medicaldocumentComment", "note"),
      ]),
    Section(
      key: "weights", kind: .weight,
      keys: [("weightDate", .date), ("weightKg", .weightKg), ("weightComment", "comment")]),
  ]

  static let person: [FieldName] = [
    .familyName, .givenName, .nickName, .gender, .birthdate, "personalSocialSecurityNumber",
    "personalAddress", "personalHealthInsurance", "personalHealthInsuranceNumber",
    "personalEmployer",
  ]

  static let pet: [FieldName] = [
    .petName, "personalAnimalID", "ownerName", "ownerPhone", "ownerEmail",
  ]
}
