import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync airports lookup CODE`.
struct AirportsLookup: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup", abstract: "Find an airport in your mappings, then in the reference.",
    discussion: examples(
      "cloudsync airports lookup JFK", "cloudsync airports lookup KJFK --json",
      "cloudsync airports lookup heathrow",
      after:
        "If a name matches several airports, all are listed, the best first; --json has all keys."))

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
        .notFound, "no airport matches '\(Sanitized.line(query))'",
        hint: "'cloudsync airports add IATA ICAO' adds a mapping")
    }
    var keys: JSONObject = ["code": .string(query)]
    for (key, value) in best.json.members { keys[key] = value }
    keys["matches"] = .array(answers.map { .object($0.json) })
    context.print(
      Report(
        "cloudsync.airports.lookup/1", keys,
        table: ReportTable(AirportAnswer.columns, rows: answers.map(\.cells))))
  }
}

extension AirportCode {
  /// Whether a text has the shape of a code, as opposed to words.
  static func isOne(_ text: String) -> Bool {
    (try? iata(text)) != nil || (try? icao(text, allowingLocal: true)) != nil
  }
}
