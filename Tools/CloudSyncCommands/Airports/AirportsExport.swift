import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync airports export [FILE|-]`.
struct AirportsExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write mappings to a file or to standard output.",
    discussion: examples(
      "cloudsync airports export backup.json", "cloudsync airports export - --format csv",
      "cloudsync airports export map.geojson",
      "cloudsync airports export pairs.json --community",
      "cloudsync airports export all.json --format records",
      after: """
        The format comes from --format, then from the file's name; the default is json, a plain \
        map of codes. json, csv and geojson contain the mappings; records contains everything, \
        including unknown codes and rejections. --community writes the verified pairs alone, to \
        share with others: no devices, no times, nothing else.
        """))

  @Argument(help: "The file; - or no file is standard output.", completion: .file())
  var file: String = "-"
  @Option(
    help: ArgumentHelp("The format: json, csv, geojson, records.", valueName: "format"),
    completion: .list(["json", "csv", "geojson", "records"]))
  var format: String?
  @Flag(help: "Only verified pairs, without device or time.") var community = false
  @Option(
    help: ArgumentHelp("Only this collection.", valueName: "name"),
    completion: .list(DomainSchema.airports.collections.map(\.name.text)))
  var collection: [String] = []
  @OptionGroup var unsent: UnsentOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let domain = AirportsRegistration.domain
    guard !community || format == nil && collection.isEmpty && !unsent.unsent else {
      throw SyncError(
        .usage, "--community sets the format and the collection itself",
        hint: "omit --format, --collection and --unsent")
    }
    let run = { ExportRun<AirportsRegistration>(file: file, format: $0, context: context) }
    if unsent.unsent {
      return try run(format?.lowercased() ?? "records").writeUnsent(
        collection.isEmpty
          ? domain.schema.collections : collection.map { try domain.collection($0) })
    }
    let format =
      community
      ? "community"
      : format?.lowercased()
        ?? ExportRun<AirportsRegistration>.format(
          of: file, context, among: ["csv", "json", "geojson", "records"])
    let collections =
      collection.isEmpty
      ? format == "records" ? domain.schema.collections : [try domain.collection("mapping")]
      : try collection.map { try domain.collection($0) }
    try run(format).write(collections) { !community || AirportMapping($0)?.isVerified == true }
  }
}
