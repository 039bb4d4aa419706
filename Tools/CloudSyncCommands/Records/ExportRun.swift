import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

/// One export: the records of some collections in a format, to a file or to standard output.
struct ExportRun<D: DomainRegistration> {
  /// `-` for standard output.
  let file: String
  let format: String
  let context: CommandContext

  /// Writes the chosen records, and reports it if they went to a file.
  ///
  /// - Throws: ``SyncError`` `usage` for an unknown format, or an error of the file system.
  func write(
    _ collections: [RecordType], where isWanted: (Record) -> Bool = { _ in true }
  ) throws {
    let store = try Session(context).store(D.domain.name)
    try write(
      collections.flatMap { try store.records($0.name).filter(isWanted) }, of: collections)
  }

  /// Writes the records with unsent edits.
  ///
  /// - Throws: ``SyncError`` `usage` for an unknown format, or an error of the file system.
  func writeUnsent(_ collections: [RecordType]) throws {
    let store = try Session(context).store(D.domain.name)
    try write(store.unsentRecords(of: collections), of: collections)
  }

  /// Writes records of some collections, and reports it if they went to a file.
  ///
  /// - Throws: ``SyncError`` `usage` for an unknown format, or an error of the file system.
  func write(_ records: [Record], of collections: [RecordType]) throws {
    let bytes =
      try (D.domain as? any ExportingDomain)?.exportRecords(records, format: format)
      ?? RecordFileWriter<D>(records: records, collections: collections).bytes(format)
    guard file != "-" else { return context.terminal.output.write(bytes: bytes) }
    do throws(SystemError) { try LocalFile.replace(file, with: bytes) } catch {
      throw SyncError(error)
    }
    context.print(
      Report(
        "cloudsync.\(D.domain.name).export/1",
        [
          "file": .string(file), "format": .string(format), "count": .int(Int64(records.count)),
          "bytes": .int(Int64(bytes.count)),
        ],
        table: ReportTable(
          ["file", "format", "count"].map { ReportTable.Column($0) },
          rows: [
            [ReportTable.Cell(file), ReportTable.Cell(format), ReportTable.Cell(records.count)]
          ]),
        text: ""))
    context.note("wrote \(records.count) \(records.count == 1 ? "record" : "records") to \(file)")
  }

  /// The format of a file name's suffix, if it is one of a format, or else the output format of
  /// the command.
  static func format(
    of file: String, _ context: CommandContext, among known: [String] = ["csv", "json", "records"]
  ) -> String {
    if file == "-" {
      switch context.format {
      case .csv: return "csv"
      // Every document has a schema, but the domain's own JSON may have none.
      case .json: return "records"
      case .table, .plain, .jsonl: return "json"
      }
    }
    guard let suffix = ImportedFile.suffix(of: file)?.lowercased() else { return "json" }
    return known.contains(suffix) ? suffix : "json"
  }
}
