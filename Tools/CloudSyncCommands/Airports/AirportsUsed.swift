import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync airports used`.
struct AirportsUsed: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "used", abstract: "List the codes that rosters on this device use most.",
    discussion: examples(
      "cloudsync airports used", "cloudsync airports used --limit 10 --json",
      after: "'cloudsync airports resolve' counts them. The counts never leave this device."))

  @Option(help: "The maximum number of codes.") var limit: Int = 100
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.store(AirportsRegistration.domain.name)
    let uses = try session.store(AirportUsageDomain().name).mostUsed(limit: limit)
    let rows = try uses.map { use in
      (use, try store.lookup(use.iata).map { AirportAnswer($0) } ?? AirportAnswer(iata: use.iata))
    }
    context.print(
      Report(
        "cloudsync.airports.used/1",
        [
          "airports": .array(
            rows.map { use, answer in
              var keys = answer.json
              keys["count"] = .int(use.count)
              keys["lastUsed"] = .string(Timestamp.format(milliseconds: use.lastUsed))
              return .object(keys)
            })
        ],
        records: "airports",
        table: ReportTable(
          [ReportTable.Column("count", numeric: true)] + AirportAnswer.columns,
          rows: rows.map { [ReportTable.Cell(Int($0.0.count))] + $0.1.cells })))
  }
}
