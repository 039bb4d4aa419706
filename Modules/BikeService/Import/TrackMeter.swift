#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Adds up the points of a track: start, end, distance, and the time in motion and at rest.
///
/// A step from one point to the next is judged by its own metres and seconds, however long it is: a
/// recorder that saves its battery writes a point each two minutes, a satellite tracker one in ten. The
/// metres are those that a device has counted, or else those between the positions.
struct TrackMeter {
  /// A point with what is known of it.
  struct Point {
    /// In milliseconds since 1970.
    var time: Int64?
    var latitude: Double?
    var longitude: Double?
    /// The metres from the start, as the device has counted them.
    var distance: Double?
    /// Above the sea, in metres.
    var altitude: Double?
  }

  /// Sums of steps.
  private struct Sums {
    var metres = 0.0
    var moving = 0.0
    var standing = 0.0

    mutating func add(metres: Double?, seconds: Double?) {
      guard let metres else { return }
      self.metres += metres
      guard let seconds else { return }
      if metres / seconds >= TrackMeter.slowest { moving += seconds } else { standing += seconds }
    }
  }

  private(set) var first: Int64?
  private(set) var last: Int64?
  /// By the device's count, and by the positions where it has none.
  private var counted = Sums()
  private var located = Sums()
  private var hasCount = false
  private var climb = ClimbMeter()
  private var place: (latitude: Double, longitude: Double)?
  private var distance: Double?
  private var time: Int64?

  /// A lower speed, in metres a second, is standing.
  static let slowest = 0.5
  /// No ride is faster on average, in metres a second: 100 km/h.
  static let fastest = 100 / 3.6

  private var sums: Sums { hasCount ? counted : located }

  /// The length, in metres.
  var metres: Double { sums.metres }
  /// The seconds in motion.
  var moving: Double { sums.moving }
  /// The seconds at rest; those of steps without metres are neither.
  var standing: Double { sums.standing }
  /// The metres climbed; nil without altitudes, and where they would be more than those ridden.
  var ascent: Double? {
    climb.ascent.flatMap { $0 <= max(counted.metres, located.metres, 100) ? $0 : nil }
  }
  /// The seconds from the first point to the last.
  var elapsed: Double {
    guard let first, let last else { return 0 }
    return Double(last - first) / 1000
  }

  /// Adds a point.
  mutating func add(_ point: Point) {
    if let time = point.time {
      first = min(first ?? time, time)
      last = max(last ?? time, time)
    }
    var seconds: Double?
    if let time = point.time, let before = self.time, time > before {
      seconds = Double(time - before) / 1000
    }
    var metres: Double?
    if let latitude = point.latitude, let longitude = point.longitude,
      latitude.magnitude <= 90, longitude.magnitude <= 180
    {
      if let place { metres = Self.distance(from: place, to: (latitude, longitude)) }
      place = (latitude, longitude)
    }
    located.add(metres: metres, seconds: seconds)
    if let distance = point.distance, distance.isFinite, 0...RecordedRide.farthest ~= distance {
      // A device that begins again at 0 has not gone back.
      if let before = self.distance, distance >= before { metres = distance - before }
      if distance > 0 { hasCount = true }
      self.distance = distance
    }
    counted.add(metres: metres, seconds: seconds)
    climb.add(point.altitude)
    if let time = point.time { self.time = time }
  }

  /// Begins another part of the track: the gap is not ridden.
  mutating func breakOff() {
    place = nil
    time = nil
    climb.breakOff()
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

/// Adds up the metres climbed, smoothed by a threshold.
///
/// A change of altitude counts once it is three metres from the last one that counted, so that the noise of
/// a sensor does not.
struct ClimbMeter {
  private(set) var ascent: Double?
  private var level: Double?

  /// The smallest change that counts, in metres.
  static let threshold = 3.0

  /// Adds an altitude in metres.
  mutating func add(_ altitude: Double?) {
    guard let altitude, -500...9000 ~= altitude else { return }
    ascent = ascent ?? 0
    guard let level else {
      self.level = altitude
      return
    }
    guard abs(altitude - level) >= Self.threshold else { return }
    if altitude > level { ascent? += altitude - level }
    self.level = altitude
  }

  /// Begins another part, whose first altitude is no climb.
  mutating func breakOff() { level = nil }
}
