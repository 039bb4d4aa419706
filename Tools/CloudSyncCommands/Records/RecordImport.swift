import ArgumentParser
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
          One bad row and nothing is written: all bad rows are listed, and the exit status is 65. With \
          --skip-bad the good ones are written, and it is 3. An import is one batch, which \
          'cloudsync undo' takes back.
          """))
  }

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(
    help: ArgumentHelp("Its format; by its name unless given: json, csv.", valueName: "format"))
  var format: String?
  @Flag(help: "Leave bad rows out and write the others.")
  var skipBad = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.\(D.domain.name).import/1", isRehearsal: change.dryRun) {
      let file = try ImportedFile(file, format: format, context)
      let imported = try file.records(of: D.domain)
      let writer = try RecordWriter<D>(Session(context), isRehearsal: change.dryRun)
      let records = try DraftCheck(store: writer.store).sorted(imported)
      if !records.faults.isEmpty, !skipBad { throw refusal(records, file) }
      return try write(records, with: writer, context, file)
    }
  }

  private func write(
    _ records: ImportedRecords, with writer: RecordWriter<D>, _ context: CommandContext,
    _ file: ImportedFile
  ) throws -> WriteResult {
    let line = ProgressLine(context)
    let drafts = records.rows.map(\.draft)
    var result = try writer.save(drafts) { done in
      line.show("importing \(file.shownName): \(done) of \(drafts.count)")
    }
    line.clear()
    for row in records.rows {
      let place = row.row.map { "row \($0): " } ?? ""
      result.warnings += D.concerns(about: row.draft).map { place + $0 }
    }
    result.errors = records.faults
    guard !records.faults.isEmpty else { return result }
    let count = records.faults.count
    throw WriteFailure.partial(
      result, "\(count) bad \(count == 1 ? "row was" : "rows were") left out")
  }

  private func refusal(_ records: ImportedRecords, _ file: ImportedFile) -> WriteFailure {
    var result = WriteResult()
    result.errors = records.faults
    if change.dryRun { result.plan = [] }
    let count = records.faults.count
    let first = records.faults[0]
    let place = first.row.map { "row \($0): " } ?? ""
    let what = count == 1 ? place + first.message : "\(count) bad rows"
    return WriteFailure(
      result: result,
      error: SyncError(
        .inputInvalid, "\(file.shownName): \(what)",
        hint: "nothing was written; --skip-bad takes the good rows"))
  }
}
