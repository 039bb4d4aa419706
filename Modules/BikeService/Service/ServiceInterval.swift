public import SyncKit

/// An interval as it is reckoned with: what has to be done to a part, and every how much.
public struct ServiceInterval: Sendable {
  /// Its record.
  public let key: RecordKey
  /// The gear id of the bike, whether that is here or not.
  public let bike: String
  /// The component whose rides count; nil for those of the whole bike.
  public let component: String?
  /// What is serviced.
  public let part: String
  /// The limits, at least one; whichever is reached first counts.
  public let limits: [Limit]
  /// When it was last serviced; nil when it never was, and then all rides count.
  public let lastService: Int64?
  /// Whether somebody wants to be told.
  public let notifies: Bool
  /// When any device has told somebody.
  public let lastNotified: Int64?
  /// When this device has told somebody.
  public let notifiedHere: Int64?
  /// Whether rides indoors do not count.
  public let outdoorsOnly: Bool
  /// When the record was made.
  public let created: Int64
  /// Whether the bike's record is deleted, and only that hides the interval.
  public let isOrphan: Bool

  /// Every how much of one measure.
  public struct Limit: Sendable, Equatable {
    /// What is measured.
    public let measure: Measure
    /// How much of it, greater than 0.
    public let amount: Double
  }

  /// What wears a part.
  public enum Measure: String, Sendable, CaseIterable {
    case hours, kilometres, rides, days
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

  /// Whether it may be told about again: nobody was told within the last seven days.
  ///
  /// A time to come, from a device with a wrong clock, silences nobody.
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
