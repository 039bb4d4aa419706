import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync airports learn IATA ICAO`.
struct AirportsLearn: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn", abstract: "Learn a pair of codes, as an app would.",
    discussion: examples(
      "cloudsync airports learn JFK KJFK", "cloudsync airports learn JFK KJFK --at 40.64,-73.78",
      after: """
        Only a pair that the reference confirms is learned; any other is refused: 65. What a \
        person has entered, rejected or removed stays as it is. A position within 5 km of the \
        airport verifies the pair.
        """))

  @Argument(help: ArgumentHelp("Three letters, as on a ticket.", valueName: "iata"))
  var iata: String
  @Argument(help: ArgumentHelp("Four letters, as on a chart.", valueName: "icao"))
  var icao: String
  @Option(
    help: ArgumentHelp("Where the airport was seen, in degrees.", valueName: "lat,lon"))
  var at: Coordinate?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.airports.learn/1", isRehearsal: change.dryRun) {
      let writer = try RecordWriter<AirportsRegistration>(
        Session(context), isRehearsal: change.dryRun)
      return try writer.write {
        if case .refused(let reason) = try $0.learn(iata: iata, icao: icao, at: at) {
          throw SyncError(
            .inputInvalid, "\(reason)",
            hint: "if you are sure, add it with 'cloudsync airports add'")
        }
        return [try .mapping(iata: iata)]
      }
    }
  }
}

extension Coordinate: ExpressibleByArgument {
  /// Reads latitude and longitude in degrees, with a comma between.
  public init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0].trimmingSpaces),
      let longitude = Double(parts[1].trimmingSpaces)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    guard isOnEarth else { return nil }
  }
}
