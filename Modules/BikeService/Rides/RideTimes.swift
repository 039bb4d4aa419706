/// Rides by when they began, to find the same ride from another source.
///
/// A computer on the handlebar and a telephone begin a few seconds apart and stop for lights at other
/// moments: two rides are one when they began within two minutes, and took about as long.
struct RideTimes: Sendable {
  private let rides: [Ride]

  init(_ rides: [Ride]) { self.rides = rides.sorted { ($0.start, $0.id) < ($1.start, $1.id) } }

  /// The id of the ride that began nearest to a time and may be the same.
  func ride(near start: Int64, seconds: Int64) -> String? {
    var low = 0
    var high = rides.count
    while low < high {
      let middle = (low + high) / 2
      if rides[middle].start < start - Self.tolerance { low = middle + 1 } else { high = middle }
    }
    var best: Ride?
    for ride in rides[low...] {
      guard ride.start <= start + Self.tolerance else { break }
      guard Self.isAboutAsLong(ride.seconds, seconds) else { continue }
      if let known = best, abs(known.start - start) <= abs(ride.start - start) { continue }
      best = ride
    }
    return best?.id
  }

  static let tolerance: Int64 = 120_000

  static func isAboutAsLong(_ first: Int64, _ second: Int64) -> Bool {
    first == 0 || second == 0 || abs(first - second) <= max(120, max(first, second) / 10)
  }
}

extension Ride {
  /// Rides without those of files that a service has sent as well.
  ///
  /// A ride that a service has numbered stands for the recording of the same time; what the recording
  /// was said to be ridden on holds where the service does not say.
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
