import SyncKit

/// How urgent the service of an interval is.
public struct DueService: Sendable {
  /// The interval.
  public let interval: ServiceInterval
  /// Its bike, which may be missing.
  public let bike: Garage.Bike
  /// The name of its component.
  public let component: String?
  /// The use of each limit, in the order of the interval's limits.
  public let uses: [Use]
  /// The date when it will be due at the pace of the last ninety days; nil when never at that pace.
  public let dueDate: Int64?
  /// Whether the device knows any rides: without them all that rides wear out seems new.
  public let knowsRides: Bool

  /// The use of one limit.
  public struct Use: Sendable, Equatable {
    /// The limit.
    public let limit: ServiceInterval.Limit
    /// The amount that is used.
    public let used: Double
    /// The amount that is left; 0 or less when it is overdue.
    public var remaining: Double { limit.amount - used }
    /// The share that is used; 1 when it is due.
    public var share: Double { used / limit.amount }
  }

  /// How urgent it is.
  public enum Status: String, Sendable, CaseIterable {
    /// Nothing is due for now.
    case good
    /// Nine tenths are used.
    case dueSoon
    /// Nothing remains.
    case overdue
    /// The device has no rides to tell.
    case unknown
  }

  /// The limit that is reached first.
  public var foremost: Use { uses.max { $0.share < $1.share } ?? uses[0] }

  /// The greatest share that is used.
  public var share: Double { foremost.share }

  /// How urgent it is.
  public var status: Status {
    let use = foremost
    // Distances are sums of fractions, which may miss the limit by a rounding error.
    if use.remaining <= 1e-9 * use.limit.amount { return .overdue }
    if !knowsRides, uses.contains(where: { $0.limit.measure != .days }) { return .unknown }
    return use.share >= 0.9 - 1e-9 ? .dueSoon : .good
  }

  /// A stable name for a notification about this interval.
  public var notificationID: String { "service-interval-\(interval.key.id)" }
}

extension Garage {
  /// All intervals by urgency, the most urgent first.
  ///
  /// Those of retired bikes are left out; those of missing and deleted ones are not, since no one has
  /// recorded that the work is done.
  public func dueServices(now: Int64) -> [DueService] {
    intervals.filter { bike($0.bike).standing != .retired }
      .map { due($0, now: now) }
      .sorted { left, right in
        if left.share != right.share { return left.share > right.share }
        if left.bike.id != right.bike.id { return left.bike.id < right.bike.id }
        return left.interval.key < right.interval.key
      }
  }

  /// How urgent one interval is.
  public func due(_ interval: ServiceInterval, now: Int64) -> DueService {
    let wear = wear(of: interval, since: interval.lastService ?? .min, now: now)
    // Never serviced means since the first ride, not since now.
    let start = interval.lastService ?? firstRide(of: interval) ?? interval.created
    let days = max(0, Double(now &- start) / Self.day)
    let recent = recentWear(of: interval, now: now)
    var uses: [DueService.Use] = []
    var dueDate: Int64?
    for limit in interval.limits {
      let used: Double
      let perDay: Double
      switch limit.measure {
      case .hours: (used, perDay) = (wear.hours, recent.hours / Self.recentDays)
      case .kilometres: (used, perDay) = (wear.kilometres, recent.kilometres / Self.recentDays)
      case .rides: (used, perDay) = (Double(wear.rides), Double(recent.rides) / Self.recentDays)
      case .days: (used, perDay) = (days, 1)
      }
      let use = DueService.Use(limit: limit, used: used)
      uses.append(use)
      guard perDay > 0 || use.remaining <= 0 else { continue }
      let wait = use.remaining <= 0 ? 0 : use.remaining / perDay * Self.day
      guard wait < 1e14 else { continue }
      let date = now &+ Int64(wait)
      dueDate = min(dueDate ?? date, date)
    }
    return DueService(
      interval: interval, bike: bike(interval.bike),
      component: interval.component.map { components[$0]?.name ?? $0 }, uses: uses,
      dueDate: dueDate, knowsRides: !worn.isEmpty)
  }

  private static let day = 86_400_000.0
  private static let recentDays = 90.0

  /// The wear until now: a ride that a wrong clock has put into the future wears nothing out yet.
  private func wear(of interval: ServiceInterval, since: Int64, now: Int64) -> Wear {
    let end = now.addingReportingOverflow(Ride.leeway)
    let until = end.overflow ? .max : end.partialValue
    if let component = interval.component {
      return wear(
        component: component, since: since, until: until, outdoorsOnly: interval.outdoorsOnly)
    }
    return wear(
      bike: interval.bike, from: since, to: until, outdoorsOnly: interval.outdoorsOnly)
  }

  /// The wear of the last ninety days.
  private func recentWear(of interval: ServiceInterval, now: Int64) -> Wear {
    wear(of: interval, since: now &- Int64(Self.recentDays * Self.day), now: now)
  }

  private func firstRide(of interval: ServiceInterval) -> Int64? {
    if let component = interval.component {
      return mountings.spans(of: component).flatMap { span in
        gears(of: span.bike).compactMap { ledger.firstRide($0, from: span.from, to: span.to) }
      }.min()
    }
    return gears(of: interval.bike).compactMap { ledger.firstRide($0) }.min()
  }
}
