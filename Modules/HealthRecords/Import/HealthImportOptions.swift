public import SyncKit

/// What an import is told beside the file: whose it is, and how to read it.
public struct HealthImportOptions: Sendable {
  /// The person or pet that the file's entries belong to; nil where the file says it.
  public var subject: Name?
  /// The people and pets that are there already, so that a file about one of them finds it.
  public var known: [Record]
  /// Draws a random id for a person or pet that only the file knows; nil refuses such a file.
  public var newID: (@Sendable () -> Name)?
  /// What the columns of a table are, by their header: `Gewicht` to `weight kg`.
  public var columns: [String: String]
  /// Whether every reading of a dense series becomes an entry, rather than a summary for each day.
  public var keepsEveryReading: Bool

  /// Makes options; none are needed for files that name the ids of their subjects.
  public init(
    subject: Name? = nil, known: [Record] = [], newID: (@Sendable () -> Name)? = nil,
    columns: [String: String] = [:], keepsEveryReading: Bool = false
  ) {
    self.subject = subject
    self.known = known
    self.newID = newID
    self.columns = columns
    self.keepsEveryReading = keepsEveryReading
  }
}
