#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pair of numbers that is meant as a position on Earth, and may fail to be one.
public struct Coordinate: Hashable, Sendable {
  /// Degrees, north positive.
  public var latitude: Double
  /// Degrees, east positive.
  public var longitude: Double

  /// Takes the pair as it is; ask ``isOnEarth`` before trusting it.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether the latitude is within ±90 and the longitude within ±180 degrees.
  public var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

  /// Whether both are exactly 0: in practice a position that was never filled in.
  public var isZero: Bool { latitude == 0 && longitude == 0 }

  /// The pair the other way round, as a person may have typed it.
  public var swapped: Coordinate { Coordinate(latitude: longitude, longitude: latitude) }

  /// The mean radius of the Earth in kilometres (IUGG).
  public static let earthRadius = 6371.0088

  /// The distance along the surface in kilometres, by the haversine formula on a sphere.
  ///
  /// Off by 0.5 % at most against the ellipsoid. It holds across the antimeridian and at the poles;
  /// if either pair is not on Earth the result means nothing.
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
