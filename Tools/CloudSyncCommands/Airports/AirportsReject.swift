import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync airports reject IATA [ICAO]`.
struct AirportsReject: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject",
    abstract: "Say that a pair of codes is wrong, so that it is not learned.",
    discussion: examples(
      "cloudsync airports reject PRS KPRS", "cloudsync airports reject ABC",
      "cloudsync airports reject ABC --dry-run",
      after: """
        Without an ICAO code it is the one that the IATA code stands for now, by the own mapping or \
        else by the reference. A mapping to it is removed. 'cloudsync airports add' of the pair takes \
        the rejection back.
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
          .notFound, "nothing is known of '\(Sanitized.line(key.id.text))'",
          hint: "say which ICAO code is wrong: cloudsync airports reject \(key.id.text) ICAO")
      }
      return try writer.write {
        let removed = try $0.reject(iata: iata, icao: icao).removedMapping
        return [try .rejection(iata: iata, icao: icao)] + (removed ? [key] : [])
      }
    }
  }
}
