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
      "cloudsync airports lookup heathrow", "cloudsync airports lookup lima --name",
      after: """
        A code means its airport and nothing else; the code of a city means the airports of the \
        city. If words of a name match several airports, all are listed, the best first; --json \
        has all keys.
        """))

  @Argument(help: "An IATA, ICAO or local code, or words of a name or city.")
  var code: [String]
  @Flag(help: "Look for names and cities, also if the word is a code.") var name = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let query = code.joined(separator: " ")
    let store = try Session(context).store(AirportsRegistration.domain.name)
    let answers = try name ? [] : answers(to: query, of: store)
    let found = answers.isEmpty ? namedAirports(query) : answers
    try print(found, for: query, context)
  }

  /// What a code means: the person's mapping, then what the reference has if that is something else.
  private func answers(to code: String, of store: SyncStore) throws -> [AirportAnswer] {
    let known = AirportCode.isOne(code) ? try store.lookup(code).map { AirportAnswer($0) } : nil
    let others = AirportReference.shared.airports(withCode: code).map { AirportAnswer($0) }
    return [known].compactMap { $0 } + others.filter { known?.isSame(as: $0) != true }
  }

  private func namedAirports(_ words: String) -> [AirportAnswer] {
    var answers: [AirportAnswer] = []
    for airport in AirportReference.shared.airports(matching: words, limit: 20) {
      let answer = AirportAnswer(airport)
      if !answers.contains(where: { $0.isSame(as: answer) }) { answers.append(answer) }
    }
    return answers
  }

  private func print(
    _ answers: [AirportAnswer], for query: String, _ context: CommandContext
  ) throws {
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
