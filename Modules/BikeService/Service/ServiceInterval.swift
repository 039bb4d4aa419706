public import SyncKit

/// A service interval, for calculations: a part, and how often it needs service.
public struct ServiceInterval: Sendable {
  /// Its record.
  public let key: RecordKey
  /// The gear id of the bike, whether that is here or not.
  public let bike: String
  /// The component whose rides count; nil for those of the whole bike.
  public let component: String?
  /// The part.
  public let part: String
  /// The limits, at least one; whichever is reached first counts.
  public let limits: [Limit]
  /// The last service; nil when there was none, and then all rides count.
  public let lastService: Int64?
  /// Whether reminders are turned on.
  public let notifies: Bool
  /// The last reminder of any device.
  public let lastNotified: Int64?
  /// The last reminder of this device.
  public let notifiedHere: Int64?
  /// Whether rides indoors do not count.
  public let outdoorsOnly: Bool
  /// The creation time of the record.
  public let created: Int64
  /// Whether the bike's record is deleted, and only that hides the interval.
  public let isOrphan: Bool

  /// A limit of one measure.
  public struct Limit: Sendable, Equatable {
    /// The measure.
    public let measure: Measure
    /// The amount, greater than 0.
    public let amount: Double
  }

  /// A measure of wear.
  public enum Measure: String, Sendable, CaseIterable {
    /// Hours of riding.
    case hours
    /// Kilometres of riding.
    case kilometres
    /// The number of rides.
    case rides
    /// Days of the calendar.
    case days
  }

  /// Reads a record; nil when it lacks a part, a bike or a limit.
  public init?(_ record: Record) {
    guard record.key.collection == .interval,
      let bike = record["bikeId"].string ?? record.parent?.id.text
    else { return nil }
    var limits: [Limit] = []
    func add(_ measure: Measure, _ amount: Double?) {
      guard let amount, amount > 0, amount.isFinite else { return }
      limits.append(Limit(measure: measure, amount: amount))
    }
    add(.hours, record["intervalTime"].number)
    add(.kilometres, record["intervalDistance"].number)
    add(.rides, record["intervalRides"].number)
    add(.days, record["intervalDays"].number)
    guard !limits.isEmpty else { return nil }
    key = record.key
    self.bike = bike
    component = record["componentId"].string
    part = record["part"].string ?? record["templateId"].string ?? record.key.id.text
    self.limits = limits
    lastService = record["lastServiceDate"].instant
    notifies = record["notify"].bool ?? true
    lastNotified = record["lastNotified"].instant
    notifiedHere = record["notifiedHere"].instant
    outdoorsOnly = record["outdoorsOnly"].bool ?? false
    created = record.created
    isOrphan = record.isOrphan
  }

  /// Whether a reminder is allowed: there was none within the last seven days.
  ///
  /// A future time, from a device with a wrong clock, does not count.
  public func mayNotify(now: Int64) -> Bool {
    notifies
      && [lastNotified, notifiedHere].allSatisfy { told in
        guard let told, told <= now else { return true }
        return now - told >= Self.notificationPause
      }
  }

  /// The shortest time between two notifications about one interval: seven days.
  public static let notificationPause: Int64 = 7 * 86_400_000
}
