import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync airports distance A B`.
struct AirportsDistance: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "distance", abstract: "Show the distance between two airports or positions.",
    discussion: examples(
      "cloudsync airports distance JFK LHR", "cloudsync airports distance KJFK 51.47,-0.45 --json",
      after: """
        The distance is the shortest along the surface of a sphere, accurate to half a percent. \
        The bearing is the direction at the start, in degrees from true north.
        """))

  @Argument(help: ArgumentHelp("A code or LAT,LON.", valueName: "from")) var from: String
  @Argument(help: ArgumentHelp("A code or LAT,LON.", valueName: "to")) var to: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let store = try Session(context).store(AirportsRegistration.domain.name)
    let (start, end) = (try Place(from, in: store), try Place(to, in: store))
    let kilometres = start.coordinate.distance(to: end.coordinate)
    let bearing = start.coordinate.bearing(to: end.coordinate).rounded(to: 1)
    let miles = kilometres / Self.nauticalMile
    context.print(
      Report(
        "cloudsync.airports.distance/1",
        [
          "from": .object(start.json), "to": .object(end.json),
          "kilometres": .double(kilometres.rounded(to: 3)),
          "nauticalMiles": .double(miles.rounded(to: 3)), "bearing": .double(bearing),
        ],
        table: ReportTable(
          [
            ReportTable.Column("from"), ReportTable.Column("to"),
            ReportTable.Column("km", numeric: true),
            ReportTable.Column("nm", numeric: true), ReportTable.Column("bearing", numeric: true),
          ],
          rows: [
            [
              ReportTable.Cell(start.name), ReportTable.Cell(end.name),
              ReportTable.Cell("\(kilometres.rounded(to: 1))"),
              ReportTable.Cell("\(miles.rounded(to: 1))"),
              ReportTable.Cell("\(bearing)"),
            ]
          ])))
  }

  /// Kilometres of an international nautical mile.
  private static let nauticalMile = 1.852
}

/// One end of a distance.
private struct Place {
  var name: String
  var coordinate: Coordinate
  var airport: AirportAnswer?

  /// The place of a code or a pair of degrees.
  ///
  /// - Throws: ``SyncError`` `record.not-found` for a code without a known position.
  init(_ text: String, in store: SyncStore) throws {
    if let position = Coordinate(argument: text) {
      (name, coordinate, airport) = (text, position, nil)
      return
    }
    guard let found = try store.lookup(text) else {
      throw SyncError(
        .notFound, "no airport matches '\(Sanitized.line(text))'",
        hint: "'cloudsync airports lookup' finds codes by name")
    }
    guard let position = found.airport?.coordinate else {
      throw SyncError(
        .notFound, "the reference has no position for \(found.icao ?? text)",
        hint: "give its position as LAT,LON")
    }
    name = found.iata ?? found.icao ?? text
    coordinate = position
    airport = AirportAnswer(found)
  }

  var json: JSONObject {
    airport?.json ?? [
      "iata": .null, "icao": .null, "name": .null, "city": .null, "country": .null,
      "coordinates": [
        "latitude": .double(coordinate.latitude), "longitude": .double(coordinate.longitude),
      ],
      "source": "position",
    ]
  }
}
