#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pair of numbers meant as a position on Earth, which may be invalid.
public struct Coordinate: Hashable, Sendable {
  /// Degrees, north positive.
  public var latitude: Double
  /// Degrees, east positive.
  public var longitude: Double

  /// Takes the pair as it is; check ``isOnEarth`` before you use it.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether the latitude is within ±90 and the longitude within ±180 degrees.
  public var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

  /// Whether both are exactly 0: in practice a position that no one entered.
  public var isZero: Bool { latitude == 0 && longitude == 0 }

  /// The pair with latitude and longitude swapped.
  public var swapped: Coordinate { Coordinate(latitude: longitude, longitude: latitude) }

  /// The mean radius of the Earth in kilometres (IUGG).
  public static let earthRadius = 6371.0088

  /// The distance along the surface in kilometres, by the haversine formula on a sphere.
  ///
  /// It differs by 0.5 % at most from the ellipsoid. It is right across the antimeridian and at the
  /// poles; if either pair is not on Earth, the result is meaningless.
  public func distance(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let north = sin((other.latitude - latitude) * radians / 2)
    let east = sin((other.longitude - longitude) * radians / 2)
    let chord =
      north * north + cos(latitude * radians) * cos(other.latitude * radians) * east * east
    // Rounding may leave the chord of two antipodes a little above 1, where asin has no value.
    return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
  }

  /// The direction in which the shortest way to another position begins, in degrees from north by east,
  /// at least 0 and less than 360; 0 between equal positions and between poles.
  public func bearing(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let turn = (other.longitude - longitude) * radians
    let (from, to) = (latitude * radians, other.latitude * radians)
    let east = sin(turn) * cos(to)
    let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(turn)
    let degrees = atan2(east, north) / radians
    return degrees < 0 ? degrees + 360 : degrees
  }
}
