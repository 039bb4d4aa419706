import SyncKit

/// Books: what stands on the shelf and what was read.
public struct BooksDomain: ImportingDomain, ExportingDomain {
  public let schema = DomainSchema(
    "books",
    [
      RecordType(
        "book",
        fields: [
          Field("title", .string),
          Field("author", .string),
          Field("tags", .set),
          Field("note", .string, policy: KeepBothPolicy()),
          Field("isRead", .bool),
        ])
    ])

  public init() {}

  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    guard record == nil, draft.fields["title"] == nil else { return }
    throw SyncError(.inputInvalid, "A book needs the field 'title'.")
  }

  public func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? {
    format == "shelf" ? ShelfFile.read(bytes) : nil
  }

  public func exportRecords(_ records: [Record], format: String) throws -> [UInt8]? {
    format == "shelf" ? ShelfFile.write(records) : nil
  }
}
