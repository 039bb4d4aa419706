/// An amount of use.
///
/// Times are whole seconds, so that a sum over any span is exact.
public struct Wear: Sendable, Equatable {
  /// Seconds of riding.
  public var seconds: Int64
  /// Metres.
  public var metres: Double
  /// The number of rides.
  public var rides: Int

  /// Makes a wear.
  public init(seconds: Int64 = 0, metres: Double = 0, rides: Int = 0) {
    self.seconds = seconds
    self.metres = metres
    self.rides = rides
  }

  /// Hours of riding.
  public var hours: Double { Double(seconds) / 3600 }
  /// Kilometres.
  public var kilometres: Double { metres / 1000 }

  static func + (left: Wear, right: Wear) -> Wear {
    Wear(
      seconds: left.seconds &+ right.seconds, metres: left.metres + right.metres,
      rides: left.rides &+ right.rides)
  }

  static func += (left: inout Wear, right: Wear) { left = left + right }

  static func - (left: Wear, right: Wear) -> Wear {
    Wear(
      seconds: left.seconds &- right.seconds, metres: max(0, left.metres - right.metres),
      rides: left.rides &- right.rides)
  }
}
