import SyncKitFormats
import SyncKit

/// The wire form of the app's cloud records: scalars, and arrays of entries as JSON within texts.
///
/// | Part | Form |
/// |---|---|
/// | record type | `MedicalRecord`; the record's name is the subject's `uuid` |
/// | scalars | by the names of our fields; times in milliseconds, booleans as 0 and 1 |
/// | entries | a text that holds a JSON array, such as `bloodEntries` |
/// | dates within them | seconds since 1970, also with a fraction; ISO 8601 is read too |
enum CloudFormat {
  static let recordType = "MedicalRecord"
  static let version: Int64 = 1

  /// The field that holds the entries of a kind.
  static func field(_ kind: EntryKind) -> String {
    switch kind {
    case .history: "medicalHistoryEntries"
    case .document: "medicalDocumentEntries"
    case .doctor: "humanDoctorEntries"
    case .petCost: "petYearlyCostEntries"
    default: "\(kind.rawValue)Entries"
    }
  }

  /// The app's data about its cloud.
  ///
  /// Each device decides whether a record syncs; this is not part of any file, so these keys are
  /// neither read nor written.
  static let stateKeys: Set<String> = [
    "isCloudEnabled", "cloudRecordName", "cloudShareRecordName", "isSharingEnabled",
    "shareParticipantsSummary", "isDeleted", "isMarkedForDeletion", "deletedAt", "schemaVersion",
    "recordLocation", "locationStatus", "uuid", "updatedAt", "recordType", "recordName",
    birthdateText,
  ]

  /// Ours: the birthday in its own precision, where that is not a day.
  static let birthdateText = "personalBirthdateText"

  /// A point in time in a file: RFC 3339, or a number of seconds or milliseconds.
  static func milliseconds(_ value: JSON) -> Int64? {
    if let text = value.string { return HealthDate(text)?.start }
    guard let number = value.double, number.isFinite, abs(number) < 1e15 else { return nil }
    // As seconds this would be the year 5138.
    let scaled = abs(number) < 1e11 ? number * 1000 : number
    return Int64(exactly: scaled.rounded())
  }
}
