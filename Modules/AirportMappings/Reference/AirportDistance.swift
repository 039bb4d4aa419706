/// An airport and its distance from a position.
public struct AirportDistance: Hashable, Sendable {
  /// The airport.
  public var airport: Airport
  /// The distance along the surface in kilometres.
  public var kilometres: Double

  /// Pairs an airport with a distance in kilometres.
  public init(airport: Airport, kilometres: Double) {
    self.airport = airport
    self.kilometres = kilometres
  }
}
