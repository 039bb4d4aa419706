/// The meaning of a code, and its origin.
public struct AirportLookup: Hashable, Sendable {
  /// The origin of the answer.
  public enum Origin: String, Sendable {
    /// The person's own mapping.
    case mapping
    /// The embedded reference.
    case reference
  }

  /// The origin of the answer.
  public let origin: Origin
  /// The IATA code; nil if the airport has none.
  public let iata: String?
  /// The ICAO code; nil if the airport has none.
  public let icao: String?
  /// The mapping, if the answer is from one.
  public let mapping: AirportMapping?
  /// The airport with the ICAO code of the answer; nil if the reference does not know it.
  public let airport: Airport?

  init(_ mapping: AirportMapping, reference: AirportReference) {
    origin = .mapping
    iata = mapping.iata
    icao = mapping.icao
    self.mapping = mapping
    airport = reference.airport(ident: mapping.icao)
  }

  init(_ airport: Airport) {
    origin = .reference
    iata = airport.iata
    icao = airport.icao
    mapping = nil
    self.airport = airport
  }
}
