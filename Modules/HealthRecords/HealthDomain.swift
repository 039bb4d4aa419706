public import SyncKit

/// The domain of health records: people and pets, their measurements, medicines and diagnoses.
///
/// A `subject` is a root that stays on this device until a person publishes it; its entries follow
/// it. The domain ensures:
///
/// - Dates, numbers and texts have one normal form each (``HealthDate``); an empty text is not a value.
/// - `120/80 mmHg` and the pair of its numbers are one thing and never differ.
/// - An error names the field and never its value.
public struct HealthDomain: ImportingDomain, ExportingDomain {
  /// The subject of a file that does not name one, and the meaning of its columns.
  public var importing: HealthImportOptions

  /// Makes the domain.
  public init(importing: HealthImportOptions = HealthImportOptions()) {
    self.importing = importing
  }

  public var schema: DomainSchema { .health }

  public func normalize(_ draft: inout RecordDraft) throws {
    try HealthRules.normalize(&draft, zone: importing.zone)
  }

  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    try HealthRules.complete(&draft, over: record)
  }

  public func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? {
    try HealthFile(bytes, format: format, options: importing)?.records()
  }

  public func importFolder(
    _ paths: [String], _ read: @escaping (String) throws -> [UInt8]
  ) throws -> ImportedRecords? {
    try HealthFolder.records(paths, importing, read)
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
