/// All rides by bike and time, so that the wear of any span takes two look-ups.
public struct RideLedger: Sendable {
  private struct Account: Sendable {
    var starts: [Int64] = []
    /// The wear before each ride, and after the last one.
    var all: [Wear] = [Wear()]
    var outdoors: [Wear] = [Wear()]
  }

  private var accounts: [String: Account] = [:]

  /// Enters rides in any order; one without gear belongs to no bike.
  public init(_ rides: some Sequence<Ride>) {
    var byGear: [String: [Ride]] = [:]
    for ride in rides {
      if let gear = ride.gear { byGear[gear, default: []].append(ride) }
    }
    for (gear, rides) in byGear {
      var account = Account()
      account.starts.reserveCapacity(rides.count)
      var all = Wear()
      var outdoors = Wear()
      for ride in rides.sorted(by: { ($0.start, $0.id) < ($1.start, $1.id) }) {
        let wear = Wear(seconds: ride.seconds, metres: ride.metres, rides: 1)
        all += wear
        if !ride.isIndoors { outdoors += wear }
        account.starts.append(ride.start)
        account.all.append(all)
        account.outdoors.append(outdoors)
      }
      accounts[gear] = account
    }
  }

  /// The gear ids that rides name, in order.
  public var gears: [String] { accounts.keys.sorted() }

  /// The wear of a gear by the rides that began in a span; the end is not included.
  public func wear(
    _ gear: String, from: Int64 = .min, to: Int64 = .max, outdoorsOnly: Bool = false
  ) -> Wear {
    guard let account = accounts[gear], from < to else { return Wear() }
    let first = Self.index(of: from, in: account.starts)
    let last = to == .max ? account.starts.count : Self.index(of: to, in: account.starts)
    let sums = outdoorsOnly ? account.outdoors : account.all
    return last > first ? sums[last] - sums[first] : Wear()
  }

  /// The start of the first ride of a gear in a span; nil without one.
  public func firstRide(_ gear: String, from: Int64 = .min, to: Int64 = .max) -> Int64? {
    guard let starts = accounts[gear]?.starts else { return nil }
    let index = Self.index(of: from, in: starts)
    guard index < starts.count, starts[index] < to || to == .max else { return nil }
    return starts[index]
  }

  /// The first position whose time is not before `time`.
  private static func index(of time: Int64, in starts: [Int64]) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
