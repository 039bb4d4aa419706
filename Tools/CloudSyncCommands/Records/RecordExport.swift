import ArgumentParser
import Formats
import SyncKit

/// The command `cloudsync <domain> export [FILE|-]`.
struct RecordExport<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "export", abstract: "Write records to a file or to standard output.",
      discussion: examples(
        "cloudsync \(name) export backup.json", "cloudsync \(name) export - --format csv",
        "cloudsync \(name) export all.json --format records",
        after: """
          The format is that of --format, else of the file's name, else json. The format 'records' is \
          the document that 'list --json' prints: it has everything, of all collections. A file is put \
          in place whole, readable by nobody else.
          """))
  }

  @Argument(help: "The file; - is standard output, as is none.", completion: .file())
  var file: String = "-"
  @Option(
    help: ArgumentHelp("The format: json, csv, records.", valueName: "format"),
    completion: .list(["json", "csv", "records"]))
  var format: String?
  @Option(
    help: ArgumentHelp("Only this collection.", valueName: "name"),
    completion: .list(D.domain.schema.collections.map(\.name.text)))
  var collection: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let collections =
      collection.isEmpty
      ? D.domain.schema.collections : try collection.map { try D.domain.collection($0) }
    let format = try format(context)
    let store = try Session(context).store(D.domain.name)
    let records = try collections.flatMap { try store.records($0.name) }
    let bytes =
      try D.domain.exportRecords(records, format: format)
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
        table: Table(
          ["file", "format", "count"].map { Table.Column($0) },
          rows: [[Table.Cell(file), Table.Cell(format), Table.Cell(records.count)]]),
        text: ""))
    context.note("wrote \(records.count) records to \(file)")
  }

  private func format(_ context: CommandContext) throws -> String {
    if let format { return format.lowercased() }
    if file == "-" {
      switch context.format {
      case .csv: return "csv"
      // Every document has a schema; the domain's own json may have none.
      case .json: return "records"
      case .table, .plain, .jsonl: return "json"
      }
    }
    guard let suffix = ImportedFile.suffix(of: file)?.lowercased() else { return "json" }
    return ["csv", "json", "records"].contains(suffix) ? suffix : "json"
  }
}
