/// The result for one code of a roster.
public struct CodeResolution: Hashable, Sendable {
  /// The outcome.
  public enum Outcome: Hashable, Sendable {
    /// The code is an airport's: by the person's mapping, else by the reference.
    case found(AirportLookup)
    /// The code is a city's and not an airport's; these are the city's airports.
    case city([Airport])
    /// An IATA code that neither the person nor the reference knows.
    case unknown
    /// A word of four characters that is not an airport's code; hardly ever meant as one.
    case word
  }

  /// The code and its place.
  public let code: RosterReader.Code
  /// The outcome.
  public let outcome: Outcome

  /// The answer, if there is one.
  public var lookup: AirportLookup? {
    if case .found(let lookup) = outcome { lookup } else { nil }
  }
}

/// Resolves many codes with a single read of the mappings.
///
/// The person's mapping comes first, then the reference. Nothing is made up: a code that only matches a
/// pattern is unknown, as ``CodeGuess`` explains.
struct CodeResolver {
  private let reference: AirportReference
  private var byIATA: [String: AirportMapping] = [:]
  private var byICAO: [String: AirportMapping] = [:]

  init(_ mappings: [AirportMapping], reference: AirportReference) {
    self.reference = reference
    for mapping in mappings {
      byIATA[mapping.iata] = mapping
      // Of two codes for one airport, either will do.
      if byICAO[mapping.icao] == nil { byICAO[mapping.icao] = mapping }
    }
  }

  func resolve(_ code: RosterReader.Code) -> CodeResolution {
    CodeResolution(code: code, outcome: outcome(code.text))
  }

  private func outcome(_ code: String) -> CodeResolution.Outcome {
    if let mapping = byIATA[code] ?? byICAO[code] {
      return .found(AirportLookup(mapping, reference: reference))
    }
    guard code.utf8.count == 3 else {
      return reference.airport(ident: code).map { .found(AirportLookup($0)) } ?? .word
    }
    if let airport = reference.airport(iata: code) { return .found(AirportLookup(airport)) }
    let airports = reference.airports(inCity: code)
    return airports.isEmpty ? .unknown : .city(airports)
  }
}
