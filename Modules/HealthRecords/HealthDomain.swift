public import SyncKit

/// The domain of health records: people and pets, and what was measured, given and diagnosed.
///
/// A `subject` is a root that stays on this device until somebody lets it out; its entries go where it
/// goes. What the domain keeps in order:
///
/// - Dates, numbers and texts have one normal form each (``HealthDate``); an empty text is no value.
/// - `120/80 mmHg` and the pair of its numbers are one thing and never differ.
/// - What is wrong is told by the name of the field, never by what it holds.
public struct HealthDomain: ImportingDomain, ExportingDomain {
  /// Whose entries a file holds that does not say so, and how its columns are read.
  public var importing: HealthImportOptions

  /// Makes the domain.
  public init(importing: HealthImportOptions = HealthImportOptions()) {
    self.importing = importing
  }

  public var schema: DomainSchema { .health }

  public func normalize(_ draft: inout RecordDraft) throws { try HealthRules.normalize(&draft) }

  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    try HealthRules.complete(&draft, over: record)
  }

  public func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? {
    try HealthFile(bytes, format: format, options: importing)?.records()
  }

  public func streamingImport(
    name: String?, format: String?, head: [UInt8]
  ) throws -> (any StreamingImport)? {
    guard AppleHealthImport.isOne(head) else { return nil }
    return try AppleHealthImport(importing)
  }

  public func exportRecords(_ records: [Record], format: String) throws -> [UInt8]? {
    guard let format = HealthExportFormat(rawValue: format) else { return nil }
    return try HealthExport(records).bytes(format)
  }
}
