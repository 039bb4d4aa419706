import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync airports reject IATA [ICAO]`.
struct AirportsReject: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject",
    abstract: "Mark a pair of codes as wrong, so that it is not learned.",
    discussion: examples(
      "cloudsync airports reject PRS KPRS", "cloudsync airports reject ABC",
      "cloudsync airports reject ABC --dry-run",
      after: """
        Without an ICAO code it rejects the code that the IATA code maps to now, in your mappings \
        or else in the reference. A mapping to it is removed. 'cloudsync airports add' with the \
        same pair cancels the rejection.
        """))

  @Argument(help: ArgumentHelp("Three letters, as on a ticket.", valueName: "iata"))
  var iata: String
  @Argument(help: ArgumentHelp("Four letters, as on a chart.", valueName: "icao"))
  var icao: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.airports.reject/1", isRehearsal: change.dryRun) {
      let writer = try RecordWriter<AirportsRegistration>(
        Session(context), isRehearsal: change.dryRun)
      let key = try RecordKey.mapping(iata: iata)
      guard let icao = try icao ?? writer.store.icao(for: iata) else {
        throw SyncError(
          .notFound, "no ICAO code is known for '\(Sanitized.line(key.id.text))'",
          hint: "say which ICAO code is wrong: cloudsync airports reject \(key.id.text) ICAO")
      }
      return try writer.write {
        let removed = try $0.reject(iata: iata, icao: icao).removedMapping
        return [try .rejection(iata: iata, icao: icao)] + (removed ? [key] : [])
      }
    }
  }
}
