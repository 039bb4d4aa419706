public import SyncKit

/// One of the twelve kinds of entries of a person or pet.
///
/// The raw value is the collection's name.
public enum EntryKind: String, CaseIterable, Sendable {
  /// A reading or a laboratory value: blood pressure, glucose, anything with a date and a text.
  case blood
  /// A medicine with its dosage.
  case drug
  /// A vaccination that was given.
  case vaccination
  /// An allergy or intolerance.
  case allergy
  /// An illness or incident.
  case illness
  /// A risk factor.
  case risk
  /// An operation, a stay, anything of the past.
  case history
  /// A reference to a document; its content is kept elsewhere.
  case document
  /// A body weight in kilograms.
  case weight
  /// A doctor, dentist or other practitioner.
  case doctor
  /// A cost of a pet.
  case petCost
  /// An emergency contact.
  case emergencyContact

  /// The collection.
  public var collection: CollectionName { CollectionName(rawValue) }

  /// The kind of a collection's records; nil for `subject` and for collections of a newer version.
  public init?(_ collection: CollectionName) { self.init(rawValue: collection.text) }

  /// The field with the title of the entry.
  public var title: FieldName {
    switch self {
    case .drug: "nameAndDosage"
    case .weight: "weightKg"
    case .petCost: "category"
    default: "name"
    }
  }

  /// The field for further details.
  public var remark: FieldName {
    switch self {
    case .illness, .history: "informationOrComment"
    case .risk: "descriptionOrComment"
    case .document, .doctor, .petCost, .emergencyContact: "note"
    default: "comment"
    }
  }

  /// Whether an entry has a date.
  public var hasDate: Bool { self != .doctor && self != .emergencyContact }

  /// Whether the app gives entries of the kind their own ids.
  var hasOwnID: Bool {
    switch self {
    case .weight, .doctor, .petCost, .emergencyContact: true
    default: false
    }
  }
}
