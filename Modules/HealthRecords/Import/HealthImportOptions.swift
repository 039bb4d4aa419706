public import SyncKit
public import SyncKitFormats

/// The options of an import: the file's subject, and how to read the file.
public struct HealthImportOptions: Sendable {
  /// The person or pet that the file's entries belong to; nil where the file names them.
  public var subject: RecordID?
  /// The people and pets already stored, so that a file about one of them finds it.
  public var known: [Record]
  /// Draws a random id for a new person or pet in the file; nil refuses such a file.
  public var newID: (@Sendable () -> RecordID)?
  /// The meanings of a table's columns, by header: `Gewicht` to `weight kg`.
  public var columns: [String: String]
  /// Whether every reading of a dense series becomes an entry, rather than a summary for each day.
  public var keepsEveryReading: Bool
  /// The days of which single readings of a dense series are stored, from
  /// ``HealthDomain/days(replacedBy:)``; on these every reading becomes an entry, so that a day has
  /// either its readings or their summary.
  public var daysOfReadings: Set<RecordID> = []

  /// The zone of times that name none.
  public var zone: LocalZone
  /// Finds the zone that a column of a table names, such as `Europe/Berlin`; nil for an unknown name.
  public var zoneNamed: @Sendable (String) -> LocalZone? = { _ in nil }

  /// Whether columns of a table that are not understood are skipped, rather than a reason to refuse it.
  public var ignoresOtherColumns = false
  /// The order of day, month and year in a table; nil finds it out from the column.
  public var dateOrder: DateColumn.Order?

  /// Makes options; none are needed for files that name the ids of their subjects.
  public init(
    subject: RecordID? = nil, known: [Record] = [], newID: (@Sendable () -> RecordID)? = nil,
    columns: [String: String] = [:], keepsEveryReading: Bool = false, zone: LocalZone = .utc
  ) {
    self.subject = subject
    self.known = known
    self.newID = newID
    self.columns = columns
    self.keepsEveryReading = keepsEveryReading
    self.zone = zone
  }
}
