/// The units in which amounts are shown and typed; stored are metres and seconds.
public enum UnitSystem: String, Sendable, CaseIterable {
  /// Kilometres and metres.
  case metric
  /// Miles and feet.
  case imperial

  /// The name of the unit of distances.
  public var distanceUnit: String { self == .metric ? "km" : "mi" }
  /// The name of the unit of heights.
  public var heightUnit: String { self == .metric ? "m" : "ft" }

  /// How many metres the unit of distances has.
  public var metresPerDistance: Double { self == .metric ? 1000 : 1609.344 }

  /// A distance in kilometres, in this system's unit.
  public func distance(kilometres: Double) -> Double { kilometres * 1000 / metresPerDistance }

  /// A height in metres, in this system's unit.
  public func height(metres: Double) -> Double { self == .metric ? metres : metres / 0.3048 }
}
