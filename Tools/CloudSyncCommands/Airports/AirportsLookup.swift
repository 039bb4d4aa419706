import AirportMappings
import ArgumentParser
import Formats
import SyncKit

/// The command `cloudsync airports lookup CODE`.
struct AirportsLookup: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup", abstract: "Find an airport: in the own mappings, then in the reference.",
    discussion: examples(
      "cloudsync airports lookup JFK", "cloudsync airports lookup KJFK --json",
      "cloudsync airports lookup heathrow",
      after: "A name that fits several airports lists them, the best first; --json has all keys."))

  @Argument(help: "An IATA, ICAO or local code, or words of a name or city.")
  var code: [String]
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let query = code.joined(separator: " ")
    let store = try Session(context).store(AirportsRegistration.domain.name)
    let known = AirportCode.isOne(query) ? try store.lookup(query) : nil
    var answers = known.map { [AirportAnswer($0)] } ?? []
    for airport in AirportReference.shared.airports(matching: query, limit: 20) {
      let answer = AirportAnswer(airport)
      if !answers.contains(where: { $0.isSame(as: answer) }) { answers.append(answer) }
    }
    guard let best = answers.first else {
      throw SyncError(
        .notFound, "nothing is known of '\(Sanitized.line(query))'",
        hint: "'cloudsync airports add IATA ICAO' makes it known")
    }
    var keys: JSONObject = ["code": .string(query)]
    for (key, value) in best.json.members { keys[key] = value }
    keys["matches"] = .array(answers.map { .object($0.json) })
    context.print(
      Report(
        "cloudsync.airports.lookup/1", keys,
        table: Table(AirportAnswer.columns, rows: answers.map(\.cells))))
  }
}

/// An airport as the answer to a question, with where the answer is from.
struct AirportAnswer {
  var iata: String?
  var icao: String?
  /// The own mapping's source, or `reference`.
  var source: String
  var airport: Airport?

  init(_ airport: Airport) {
    self.airport = airport
    iata = airport.iata
    icao = airport.icao
    source = AirportLookup.Origin.reference.rawValue
  }

  init(_ lookup: AirportLookup) {
    iata = lookup.iata
    icao = lookup.icao
    source = lookup.mapping?.source?.rawValue ?? lookup.origin.rawValue
    airport = lookup.airport
  }

  /// Whether another answer says the same.
  func isSame(as other: AirportAnswer) -> Bool { iata == other.iata && icao == other.icao }

  var json: JSONObject {
    func text(_ value: String?) -> JSON {
      value.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }
    return [
      "iata": text(iata), "icao": text(icao), "name": text(airport?.name),
      "city": text(airport?.city), "country": text(airport?.country),
      "coordinates": airport.map {
        ["latitude": .double($0.latitude), "longitude": .double($0.longitude)]
      } ?? .null,
      "source": .string(source),
    ]
  }

  static let columns = [
    Table.Column("iata"), Table.Column("icao"), Table.Column("name", flexible: true),
    Table.Column("city", flexible: true), Table.Column("country"), Table.Column("source"),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell(iata ?? ""), Table.Cell(icao ?? ""), Table.Cell(airport?.name ?? ""),
      Table.Cell(airport?.city ?? ""), Table.Cell(airport?.country ?? ""), Table.Cell(source),
    ]
  }
}

extension AirportCode {
  /// Whether a text has the shape of a code, as opposed to words.
  static func isOne(_ text: String) -> Bool {
    (try? iata(text)) != nil || (try? icao(text, allowingLocal: true)) != nil
  }
}
