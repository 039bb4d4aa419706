/// An ICAO code guessed from an IATA code by the usual patterns, and confirmed by the reference.
///
/// Patterns alone are wrong too often: of the IATA codes, 398 have a `K` code that
/// is another airport's, and 1,290 an `MM` code that is. So a guess is made only if the reference
/// gives the guessed ICAO code to the very IATA code; there is no guess of last resort.
public struct CodeGuess: Hashable, Sendable {
  /// The IATA code, normalised.
  public let iata: String
  /// The ICAO code that a pattern yields.
  public let icao: String
  /// The airport that owns both.
  public let airport: Airport

  /// Guesses, or returns nil if no pattern yields the code of an airport with that IATA code.
  ///
  /// A nil does not mean that the airport is unknown: `YUM` is `KNYL`, which no pattern yields.
  public init?(_ iata: String, reference: AirportReference = .shared) {
    guard let code = try? AirportCode.iata(iata), let airport = reference.airport(iata: code),
      let icao = Self.candidates(for: code).first(where: { $0 == airport.icao })
    else { return nil }
    self.iata = code
    self.icao = icao
    self.airport = airport
  }

  /// The guesses of the patterns for a normalised IATA code, the most likely first, right or wrong.
  ///
  /// | IATA | ICAO |
  /// |---|---|
  /// | `Yxx` | `C` before it (Canada) |
  /// | `Txx` | `LT` for the first letter (Türkiye), then `T` before it (the Caribbean) |
  /// | `Mxx` | `MM` for the first letter (Mexico), then `K` before it |
  /// | other | `K` before it (United States), `MM` for the first letter, `C` before it |
  public static func candidates(for iata: String) -> [String] {
    let tail = iata.dropFirst()
    return switch iata.first {
    case nil: []
    case "Y": ["C\(iata)"]
    case "T": ["LT\(tail)", "T\(iata)"]
    case "M": ["MM\(tail)", "K\(iata)"]
    default: ["K\(iata)", "MM\(tail)", "C\(iata)"]
    }
  }
}
