import SyncKit

/// The meaning of a column or key of a file.
///
/// Names are compared by their letters and digits alone, whatever their case: `createdDate`,
/// `created_date` and `Created date` are one.
enum ImportColumn: Hashable {
  /// A field of the record.
  case field(FieldName)
  /// The time of the last write, which becomes that of the import.
  case modified

  init?(_ name: String) {
    switch Self.fold(name) {
    case "icao": self = .field(.icao)
    case "source": self = .field(.source)
    case "learnedautomatically": self = .field(.learnedAutomatically)
    case "verifiedbycoordinates": self = .field(.verifiedByCoordinates)
    case "referencedate": self = .field(.referenceDate)
    case "created", "createddate": self = .field(.created)
    case "lastused", "lastuseddate": self = .field(.lastUsed)
    case "modified", "modifieddate": self = .modified
    default: return nil
    }
  }

  /// The letters and digits of a name, small.
  static func fold(_ name: String) -> String {
    let scalars = name.unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    return String(String.UnicodeScalarView(scalars)).lowercased()
  }
}
