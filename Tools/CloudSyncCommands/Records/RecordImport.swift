import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync <domain> import FILE|-`.
struct RecordImport<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "import", abstract: "Read records from a file, all or nothing.",
      discussion: examples(
        "cloudsync \(name) import backup.json",
        "cloudsync \(name) import - --format csv < list.csv",
        "cloudsync \(name) import list.csv --skip-bad",
        after: """
          If one row is bad, nothing is written: all bad rows are listed, and the exit status is \
          65. With --skip-bad the good rows are written, and the status is 3. An import is one \
          batch, which 'cloudsync undo' can undo.
          """))
  }

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(
    help: ArgumentHelp(
      "The format: json, csv; by default from the file's name.", valueName: "format"))
  var format: String?
  @OptionGroup var encoding: EncodingOption
  @Flag(help: "Skip bad rows and write the others.")
  var skipBad = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.\(D.domain.name).import/1", isRehearsal: change.dryRun) {
      try ImportRun<D>(
        file: ImportedFile(file, format: format, encoding: encoding.named(), context),
        skipBad: skipBad,
        isRehearsal: change.dryRun, context: context
      ).result(Session(context))
    }
  }
}
