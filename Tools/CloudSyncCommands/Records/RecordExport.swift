import ArgumentParser
import CommandFoundation
import SyncKitFormats
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
          The format is that of --format, or of the file name's extension, else json. The format \
          'records' is the document that 'list --json' prints: it has everything, of all \
          collections. The file appears only when complete, and only you can read it. --unsent \
          exports only edits that currently reach no remote, such as an edit of a record that is \
          no longer shared with you.
          """))
  }

  @Argument(help: "The file; - or no file is standard output.", completion: .file())
  var file: String = "-"
  @Option(
    help: ArgumentHelp("The format: json, csv, records.", valueName: "format"),
    completion: .list(["json", "csv", "records"]))
  var format: String?
  @Option(
    help: ArgumentHelp("Only this collection.", valueName: "name"),
    completion: .list(D.domain.schema.collections.map(\.name.text)))
  var collection: [String] = []
  @OptionGroup var unsent: UnsentOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let known =
      format?.lowercased() ?? (unsent.unsent ? "records" : ExportRun<D>.format(of: file, context))
    let run = ExportRun<D>(file: file, format: known, context: context)
    let collections =
      try collection.isEmpty
      ? D.domain.schema.collections : collection.map { try D.domain.collection($0) }
    if unsent.unsent { try run.writeUnsent(collections) } else { try run.write(collections) }
  }
}
