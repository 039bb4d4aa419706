import ArgumentParser
import CommandFoundation
import SyncKitFormats
import HealthRecords
import SyncKit

/// The command `cloudsync health export [FILE|-]`.
struct HealthExportCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write health records to a file or to standard output.",
    discussion: examples(
      "cloudsync health export anna.json --format fhir --subject Anna",
      "cloudsync health export rex.json --format app --subject Rex",
      "cloudsync health export everything.json",
      "cloudsync health export weights.csv --collection weight",
      after: """
        json has everything and can be imported again; fhir is a FHIR R4B bundle, fhir-r5 an R5 \
        bundle; app is the app's own export of one person or pet; cloud is the wire form of its \
        cloud records; csv is one collection. The file is written whole or not at all, and only \
        you can read it.
        """))

  @Argument(help: "The file; - or no file is standard output.", completion: .file())
  var file: String = "-"
  @Option(
    help: ArgumentHelp(
      "The format: json, fhir, fhir-r5, app, cloud, csv.", valueName: "format"),
    completion: .list(["json", "fhir", "fhir-r5", "app", "cloud", "csv", "records"]))
  var format: String?
  @Option(help: ArgumentHelp("Only this person or pet: a name, an id, or the start of one."))
  var subject: String?
  @Option(
    help: ArgumentHelp("Only this collection.", valueName: "name"),
    completion: .list(HealthRegistration.domain.schema.collections.map(\.name.text)))
  var collection: [String] = []
  @OptionGroup var unsent: UnsentOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let domain = HealthRegistration.domain
    let format = try checkedFormat
    let collections =
      collection.isEmpty
      ? domain.schema.collections : try collection.map { try domain.collection($0) }
    let run = ExportRun<HealthRegistration>(file: file, format: format, context: context)
    if unsent.unsent { return try run.writeUnsent(collections) }
    let store = try Session(context).store(domain.name)
    let wanted = Set(collections.map(\.name))
    let trees = try store.healthTrees(subject)
    let records = trees.flatMap { [$0.subject.record] + $0.entries.map(\.record) }
      .filter { wanted.contains($0.key.collection) }
    try run.write(records, of: collections)
  }

  private var checkedFormat: String {
    get throws {
      let known = HealthExportFormat.allCases.map(\.rawValue) + ["json", "records", "csv"]
      if let format {
        let folded = format.lowercased()
        guard known.contains(folded) else {
          throw SyncError.unknownName("format", format, among: known)
        }
        guard collection.isEmpty || HealthExportFormat(rawValue: folded) == nil else {
          throw SyncError(
            .usage, "the format \(folded) exports whole people or pets, not collections")
        }
        return folded
      }
      if unsent.unsent { return "records" }
      let suffix = file == "-" ? nil : ImportedFile.suffix(of: file)?.lowercased()
      return suffix == "csv" ? "csv" : "json"
    }
  }
}
