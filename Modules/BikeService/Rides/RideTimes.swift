/// Rides by their start, to find the same ride from another source.
///
/// A bike computer and a phone begin a few seconds apart and stop for lights at different
/// times: two rides are one when they began within two minutes, took about as long, and are not known to
/// be on different bikes. Two riders who go out together have two rides.
struct RideTimes: Sendable {
  /// The rides by their start, in steps of the tolerance.
  private var steps: [Int64: [Ride]] = [:]
  private let bikes: BikeNames

  init(_ rides: some Sequence<Ride> = [], bikes: BikeNames = BikeNames()) {
    self.bikes = bikes
    for ride in rides { insert(ride) }
  }

  mutating func insert(_ ride: Ride) { steps[Self.step(ride.start), default: []].append(ride) }

  /// The id of the ride that began nearest to a time and may be the same.
  func ride(near start: Int64, seconds: Int64, gear: String? = nil) -> String? {
    match(start: start, seconds: seconds, gear: gear)?.id
  }

  /// The ride that began nearest to a time and may be the same on a gear, nil standing for any.
  func match(start: Int64, seconds: Int64, gear: String?) -> Ride? {
    nearest(to: start, near(start, seconds).filter { bikes.mayBeSame($0.gear, gear) })
  }

  /// The ride that began nearest to a time and is the same but for its bike.
  func other(start: Int64, seconds: Int64, gear: String?) -> Ride? {
    nearest(to: start, near(start, seconds).filter { !bikes.mayBeSame($0.gear, gear) })
  }

  private func near(_ start: Int64, _ seconds: Int64) -> [Ride] {
    let step = Self.step(start)
    return (step - 1...step + 1).flatMap { steps[$0] ?? [] }.filter {
      $0.origin != .manual && ($0.start &- start).magnitude <= UInt64(Self.tolerance)
        && Self.isAboutAsLong($0.seconds, seconds)
    }
  }

  private func nearest(to start: Int64, _ rides: [Ride]) -> Ride? {
    rides.min {
      (($0.start &- start).magnitude, $0.id) < (($1.start &- start).magnitude, $1.id)
    }
  }

  private static func step(_ time: Int64) -> Int64 { time / tolerance }

  static let tolerance: Int64 = 120_000

  static func isAboutAsLong(_ first: Int64, _ second: Int64) -> Bool {
    first == 0 || second == 0 || abs(first - second) <= max(120, max(first, second) / 10)
  }
}

/// Which gear ids are one bike: its own id and those that it had before or has at a service.
public struct BikeNames: Sendable {
  private let owners: [String: String]

  /// Knows no other ids.
  public init() { owners = [:] }

  /// Knows the ids of some bikes by the ids of their gear.
  init(owners: [String: String]) { self.owners = owners }

  /// The bike of a gear.
  public func bike(of gear: String) -> String { owners[gear] ?? gear }

  /// Whether a ride on one gear can be a ride on another; an unknown gear can be any.
  func mayBeSame(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return true }
    return first == second || bike(of: first) == bike(of: second)
  }
}

extension Ride {
  /// Rides without those of files that a service has as well.
  ///
  /// A service's ride stands for the recording of the same time; the recording's
  /// bike counts where the service names none. A ride that was entered by hand stands for itself.
  static func withoutDoubles(_ rides: [Ride], bikes: BikeNames = BikeNames()) -> [Ride] {
    guard rides.contains(where: { $0.origin == .recording }) else { return rides }
    var kept = rides.filter { $0.origin == .service }
    var places: [String: Int] = [:]
    for (index, ride) in kept.enumerated() { places[ride.id] = index }
    var times = RideTimes(kept, bikes: bikes)
    var others: [Ride] = []
    for ride in rides where ride.origin != .service {
      guard ride.origin == .recording,
        let known = times.match(start: ride.start, seconds: ride.seconds, gear: ride.gear),
        let place = places[known.id], bikes.mayBeSame(kept[place].gear, ride.gear)
      else {
        others.append(ride)
        continue
      }
      if kept[place].gear == nil, let gear = ride.gear {
        kept[place].gear = gear
        // From now on it is a ride on this bike.
        times.insert(kept[place])
      }
    }
    return kept + others
  }
}
