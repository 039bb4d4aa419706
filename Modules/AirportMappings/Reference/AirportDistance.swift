/// An airport and how far it is from the place asked about.
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
