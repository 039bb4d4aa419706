#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Adds up the points of a track: start, end, distance, and moving time.
struct TrackMeter {
  private(set) var first: Int64?
  private(set) var last: Int64?
  private(set) var metres = 0.0
  private(set) var moving = 0.0
  private var place: (latitude: Double, longitude: Double)?
  private var time: Int64?

  /// A longer pause between two points, in milliseconds, is not part of the ride.
  static let longestGap: Int64 = 60_000
  /// A lower speed, in metres a second, counts as standing.
  static let slowest = 0.5

  /// Adds a point with the values that are known.
  mutating func add(time: Int64?, latitude: Double?, longitude: Double?) {
    if let time {
      first = min(first ?? time, time)
      last = max(last ?? time, time)
    }
    var step = 0.0
    if let latitude, let longitude, latitude.magnitude <= 90, longitude.magnitude <= 180 {
      if let place { step = Self.distance(from: place, to: (latitude, longitude)) }
      place = (latitude, longitude)
      metres += step
    }
    if let time, let before = self.time, time > before, time - before <= Self.longestGap {
      let seconds = Double(time - before) / 1000
      if step / seconds >= Self.slowest { moving += seconds }
    }
    if let time { self.time = time }
  }

  /// Begins another part of the track: the gap is not ridden.
  mutating func breakOff() {
    place = nil
    time = nil
  }

  /// The great circle's length on a sphere with the Earth's mean radius, in metres.
  private static func distance(
    from a: (latitude: Double, longitude: Double), to b: (latitude: Double, longitude: Double)
  ) -> Double {
    let radians = Double.pi / 180
    let height = sin((b.latitude - a.latitude) * radians / 2)
    let width = sin((b.longitude - a.longitude) * radians / 2)
    let chord =
      height * height + cos(a.latitude * radians) * cos(b.latitude * radians) * width * width
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}
