import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync airports import FILE|-`.
struct AirportsImport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read mappings from a file, all or nothing.",
    discussion: examples(
      "cloudsync airports import backup.json",
      "cloudsync airports import - --format csv < list.csv",
      "cloudsync airports import list.csv --skip-bad",
      "cloudsync airports import pairs.json --hints",
      after: """
        Reads a map of codes, tables and lists of airports of any project (OurAirports, \
        OpenFlights, OpenTravelData and others), and what 'export' writes. Rows without one of the \
        codes are passed over and counted. If any row is bad, nothing is written: all bad rows are \
        listed, and the exit status is 65. With --skip-bad the good rows are written, and the exit \
        status is 3. With --hints a pair is learned only if the reference confirms it, and what a person \
        has entered, rejected or removed stays as it is. An import is one batch; 'cloudsync undo' \
        takes it back.
        """))

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(
    help: ArgumentHelp(
      "The format: json, jsonl, csv; by default detected.", valueName: "format"))
  var format: String?
  @OptionGroup var encoding: EncodingOption
  @Flag(help: "Leave bad rows out and write the others.") var skipBad = false
  @Flag(help: "Learn the pairs as hints from others instead of adding them.") var hints = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.airports.import/1", isRehearsal: change.dryRun) {
      let run = ImportRun<AirportsRegistration>(
        file: try ImportedFile(file, format: format, encoding: encoding.named(), context),
        skipBad: skipBad,
        isRehearsal: change.dryRun, context: context,
        writing: hints ? { try Self.learn($0, with: $1) } : nil)
      return try run.result(Session(context))
    }
  }

  /// Learns pairs of codes, and warns of those that are not learned.
  private static func learn(
    _ drafts: [RecordDraft], with writer: RecordWriter<AirportsRegistration>
  ) throws -> WriteResult {
    var refusals: [Concern] = []
    var outcomes: [WriteOutcome] = []
    var result = try writer.write { transaction in
      (refusals, outcomes) = ([], [])
      return try drafts.compactMap { draft in
        guard draft.collection == "mapping", let iata = draft.id?.text,
          let icao = draft.fields["icao"]?.string
        else {
          outcomes.append(.unchanged)
          return nil
        }
        switch try transaction.learn(iata: iata, icao: icao) {
        case .written(let outcome, _): outcomes.append(outcome)
        case .refused(let reason):
          outcomes.append(.unchanged)
          refusals.append(Concern(reason))
        }
        return try .mapping(iata: iata)
      }
    }
    result.warnings = refusals.messages
    result.outcomes = outcomes
    return result
  }
}
