public import SyncKit

/// A ride, for calculations.
public struct Ride: Sendable, Equatable {
  /// The source's id, such as `9876543210`.
  public var id: String
  /// The gear it was ridden with; nil when the source does not say.
  public var gear: String?
  /// The start, in milliseconds since 1970.
  public var start: Int64
  /// The moving time, in seconds.
  ///
  /// The whole time where the source gives no moving time, as for activities entered by hand.
  public var seconds: Int64
  /// The distance, in metres.
  public var metres: Double
  /// Whether it was on a trainer.
  public var isIndoors: Bool
  /// Where it comes from.
  public var origin: Origin

  /// Where a ride comes from, which decides what may be the same ride.
  public enum Origin: Sendable {
    /// A service, which knows it by a number of its own.
    case service
    /// A file of a device.
    case recording
    /// Its rider, by hand.
    case manual
  }

  /// Makes a ride; its origin follows from its id unless it is given.
  public init(
    id: String, gear: String?, start: Int64, seconds: Int64, metres: Double,
    isIndoors: Bool = false, origin: Origin? = nil
  ) {
    self.id = id
    self.gear = gear
    self.start = start
    self.seconds = seconds
    self.metres = metres
    self.isIndoors = isIndoors
    self.origin =
      origin
      ?? (id.hasPrefix("ride-") ? .recording : id.hasPrefix("manual-") ? .manual : .service)
  }

  /// Reads a record; nil for one that is not a ride, or has no date.
  public init?(_ record: Record) {
    guard record.key.collection == .activity, let start = record["startDate"].instant else {
      return nil
    }
    let type = record["sportType"].string ?? record["type"].string ?? "Ride"
    guard case .ride(_, let isIndoors) = SportType.meaning(of: type) else { return nil }
    let moving = record["movingTime"].int ?? 0
    self.init(
      id: record.key.id.text, gear: record["gearId"].string, start: start,
      seconds: moving > 0 ? moving : record["elapsedTime"].int ?? 0,
      metres: max(0, record["distance"].number ?? 0),
      isIndoors: record["trainer"].bool == true || isIndoors,
      origin: Self.origin(record["source"].string, id: record.key.id.text))
  }

  private static func origin(_ source: String?, id: String) -> Origin? {
    switch source {
    case "manual": .manual
    case "fit", "gpx", "tcx": .recording
    case nil: nil
    default: .service
    }
  }

  /// The longest plausible ride, in seconds: a year.
  public static let longest: Int64 = 366 * 86_400

  /// How far in the future a ride may seem to begin, for clocks and zones that differ: a day.
  public static let leeway: Int64 = 86_400_000
}
