import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync airports nearest LAT,LON`.
struct AirportsNearest: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearest", abstract: "Find the airports nearest to a position.",
    discussion: examples(
      "cloudsync airports nearest 40.64,-73.78", "cloudsync airports nearest -33.9,151.2 --limit 3",
      "cloudsync airports nearest 47.4,8.5 --within 50 --all --json",
      after: """
        A position is in degrees, positive north and east. Only airports with an IATA code are \
        listed unless --all is given. Distances are along the surface of a sphere, in kilometres.
        """))

  @Argument(
    help: ArgumentHelp("Latitude and longitude in degrees.", valueName: "lat,lon"))
  var position: Coordinate
  @Option(help: "The maximum number of airports.") var limit: Int = 10
  @Option(help: ArgumentHelp("The maximum distance.", valueName: "km"))
  var within: Double = .infinity
  @Flag(help: "Include airports without an IATA code.") var all = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard limit > 0, within >= 0 else {
      throw SyncError(.usage, "--limit must be at least 1 and --within at least 0")
    }
    let found = AirportReference.shared.nearest(
      latitude: position.latitude, longitude: position.longitude, limit: limit, within: within,
      withIATA: !all)
    guard !found.isEmpty else {
      throw SyncError(
        .notFound, "there is no airport within \(within.rounded(to: 1)) km",
        hint: all ? "increase --within" : "increase --within, or add --all")
    }
    let answers = found.map { (AirportAnswer($0.airport), $0.kilometres.rounded(to: 1)) }
    context.print(
      Report(
        "cloudsync.airports.nearest/1",
        [
          "latitude": .double(position.latitude), "longitude": .double(position.longitude),
          "airports": .array(
            answers.map { answer, kilometres in
              var keys = answer.json
              keys["kilometres"] = .double(kilometres)
              return .object(keys)
            }),
        ],
        records: "airports",
        table: ReportTable(
          [ReportTable.Column("km", numeric: true)] + AirportAnswer.columns,
          rows: answers.map { [ReportTable.Cell("\($0.1)")] + $0.0.cells })))
  }
}

extension Double {
  /// The nearest number with that many decimals.
  func rounded(to decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
