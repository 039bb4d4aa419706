/// Rides by their start, to find the same ride from another source.
///
/// A bike computer and a phone begin a few seconds apart and stop for lights at different
/// times: two rides are one when they began within two minutes and took about as long.
struct RideTimes: Sendable {
  /// The rides by their start, in steps of the tolerance.
  private var steps: [Int64: [Ride]] = [:]

  init(_ rides: some Sequence<Ride> = []) { for ride in rides { insert(ride) } }

  mutating func insert(_ ride: Ride) { steps[Self.step(ride.start), default: []].append(ride) }

  /// The id of the ride that began nearest to a time and may be the same.
  func ride(near start: Int64, seconds: Int64) -> String? {
    let step = Self.step(start)
    let near = (step - 1...step + 1).flatMap { steps[$0] ?? [] }.filter {
      ($0.start &- start).magnitude <= UInt64(Self.tolerance)
        && Self.isAboutAsLong($0.seconds, seconds)
    }
    return near.min {
      (($0.start &- start).magnitude, $0.id) < (($1.start &- start).magnitude, $1.id)
    }?.id
  }

  private static func step(_ time: Int64) -> Int64 { time / tolerance }

  static let tolerance: Int64 = 120_000

  static func isAboutAsLong(_ first: Int64, _ second: Int64) -> Bool {
    first == 0 || second == 0 || abs(first - second) <= max(120, max(first, second) / 10)
  }
}

extension Ride {
  /// Rides without those of files that a service has as well.
  ///
  /// A service's ride stands for the recording of the same time; the recording's
  /// bike counts where the service names none.
  static func withoutDoubles(_ rides: [Ride]) -> [Ride] {
    func isRecording(_ ride: Ride) -> Bool { ride.id.hasPrefix("ride-") }
    guard rides.contains(where: isRecording) else { return rides }
    var numbered = rides.filter { !isRecording($0) }
    let times = RideTimes(numbered)
    var places: [String: Int] = [:]
    for (index, ride) in numbered.enumerated() { places[ride.id] = index }
    var alone: [Ride] = []
    for ride in rides where isRecording(ride) {
      guard let id = times.ride(near: ride.start, seconds: ride.seconds), let place = places[id]
      else {
        alone.append(ride)
        continue
      }
      if numbered[place].gear == nil { numbered[place].gear = ride.gear }
    }
    return numbered + alone
  }
}
