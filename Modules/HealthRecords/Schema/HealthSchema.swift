public import SyncKit

extension DomainSchema {
  /// The collections of the domain `health`.
  ///
  /// | Collection | Zone | Id | Holds |
  /// |---|---|---|---|
  /// | `subject` | its own, local until published | UUID | a person or pet |
  /// | the twelve of ``EntryKind`` | the subject's | UUID; derived on import | one entry each |
  ///
  /// Every field merges by itself, and every entry is a record: concurrent additions by two devices
  /// all stay. The exception is the group `reading` of `blood`, since a text such as `120/80 mmHg` and
  /// the pair of numbers it stands for make no sense without each other.
  ///
  /// Dates are texts of the precision in which they are known (``HealthDate``). Numbers have their unit
  /// in the field's name, or in a field beside them.
  ///
  /// Whether a subject's records sync is not a field. It is state of the zone on each device, so that
  /// no record, file or remote can publish them; nothing is shared through a query or a subscription,
  /// and only the participants of a share can read.
  public static let health = DomainSchema("health", isPrivate: true, [subject] + entries)

  private static let subject = RecordType(
    .subject, placement: .root, isOptIn: true,
    fields: FieldName.subjectTexts.map { Field($0, .string) } + [
      Field(.isPet, .bool), Field(.birthdate, .string),
      Field(.createdAt, .instant, policy: ExtremePolicy.min), Field(.otherKeys, .map),
    ])

  private static let entries = EntryKind.allCases.map { kind in
    RecordType(
      kind.collection, placement: .parent, parents: [.subject],
      fields: (kind.hasDate ? [Field(.date, .string)] : []) + kind.ownFields
        + (kind.hasOwnID ? [Field(.createdAt, .instant, policy: ExtremePolicy.min)] : [])
        + [Field(.otherKeys, .map)])
  }
}

extension EntryKind {
  fileprivate var ownFields: [Field] {
    func texts(_ names: FieldName...) -> [Field] { names.map { Field($0, .string) } }
    switch self {
    case .blood:
      return [
        .group(
          "reading",
          texts("name") + FieldName.numbersOfReading.map { Field($0, .double) }
            + texts(.unit, .code, .comparator, .result))
      ] + texts("comment", .status)
    case .drug: return texts("nameAndDosage", "comment", .until, .refillDue, .status)
    case .vaccination: return texts("name", "information", "place", "comment", .nextDue, .status)
    case .allergy: return texts("name", "information", "comment", .status)
    case .illness: return texts("name", "informationOrComment", .until, .status)
    case .risk: return texts("name", "descriptionOrComment", .until, .status)
    case .history: return texts("name", "contact", "informationOrComment", .status)
    case .document: return texts("name", "note", .status)
    case .weight: return [Field(.weightKg, .double)] + texts("comment", .status)
    case .doctor: return texts("type", "name", "phone", "email", "address", "note")
    case .petCost:
      return [Field(.year, .int), Field("category", .string), Field(.amount, .double)]
        + texts(.currency, "note")
    case .emergencyContact: return texts("name", "phone", "email", "note")
    }
  }
}

extension CollectionName {
  static let subject: CollectionName = "subject"
}

extension FieldName {
  static let isPet: FieldName = "isPet"
  static let birthdate: FieldName = "personalBirthdate"
  static let gender: FieldName = "personalGender"
  static let familyName: FieldName = "personalFamilyName"
  static let givenName: FieldName = "personalGivenName"
  static let nickName: FieldName = "personalNickName"
  static let petName: FieldName = "personalName"
  static let bloodType: FieldName = "bloodType"
  static let createdAt: FieldName = "createdAt"
  /// Further values of a file, kept so that an export can write them again.
  static let otherKeys: FieldName = "otherKeys"
  static let date: FieldName = "date"
  /// The day on which a medicine, an illness or a risk ended.
  static let until: FieldName = "until"
  /// The day by which a medicine has to be fetched again.
  static let refillDue: FieldName = "refillDue"
  /// The day by which a vaccination has to be repeated.
  static let nextDue: FieldName = "nextDue"
  static let weightKg: FieldName = "weightKg"
  static let year: FieldName = "year"
  static let amount: FieldName = "amount"
  static let currency: FieldName = "currency"
  static let systolic: FieldName = "systolic"
  static let diastolic: FieldName = "diastolic"
  static let value: FieldName = "value"
  static let minimum: FieldName = "minimum"
  static let maximum: FieldName = "maximum"
  static let unit: FieldName = "unit"
  /// The LOINC code of a reading.
  static let code: FieldName = "code"
  /// `<`, `<=`, `>=` or `>`: the true value lies on that side of ``value``.
  static let comparator: FieldName = "comparator"
  /// A result in words, or one that is no single number: `Never smoker`, `1:128`.
  static let result: FieldName = "result"
  /// What is special about an entry, see ``EntryStatus``.
  static let status: FieldName = "status"

  /// The numbers of a blood pressure, or of one value and its range over a day.
  static let numbersOfReading: [FieldName] = [.systolic, .diastolic, .value, .minimum, .maximum]

  /// The texts of a person or pet, by the names that the app has for them.
  static let subjectTexts: [FieldName] = [
    .familyName, .givenName, .nickName, .gender, "personalSocialSecurityNumber",
    "personalAddress", "personalHealthInsurance", "personalHealthInsuranceNumber",
    "personalEmployer", .bloodType, .petName, "personalAnimalID", "petBreed", "petColor",
    "ownerName", "ownerPhone", "ownerEmail", "vetClinicName", "vetContactName", "vetPhone",
    "vetEmail", "vetAddress", "vetNote", "emergencyName", "emergencyNumber", "emergencyEmail",
  ]
}

extension Value {
  /// The number, whole or not.
  var number: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }
}
