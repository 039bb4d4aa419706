import SyncKitFormats
public import SyncKit

/// An activity as a device recorded it, read from a file.
struct RecordedRide: Equatable, Sendable {
  /// The start, in milliseconds since 1970.
  var start: Int64
  /// The time from start to end, in seconds.
  var elapsed: Double?
  /// The moving time, in seconds.
  var moving: Double?
  /// The distance, in metres.
  var metres: Double?
  /// Metres climbed.
  var ascent: Double?
  /// The sport, in Strava's words; nil when the file does not say.
  var sport: String?
  /// The name.
  var name: String?
  /// The device that recorded it.
  var device: String?
  /// Whether it was on a trainer.
  var isIndoors = false

  /// Makes an activity of which only the start is known.
  init(start: Int64) { self.start = start }

  /// Whether it was on a bike; an activity without a sport is taken for a ride.
  var isRide: Bool { sport.map(SportType.isRide) ?? true }

  /// The record to write.
  ///
  /// The id follows from when the ride began, so that the same file, and the same ride from another
  /// device, is the same record.
  func draft(gear: String?, source: String) throws -> RecordDraft {
    guard start >= 0, start <= Timestamp.latest else {
      throw SyncError(.inputInvalid, "The ride has no plausible date.")
    }
    var fields: [Name: Value] = [
      "startDate": .instant(start), "sportType": .string(sport ?? "Ride"),
      "source": .string(source),
    ]
    let moving = try seconds(moving)
    let elapsed = try seconds(elapsed)
    if let seconds = moving ?? elapsed { fields["movingTime"] = .int(seconds) }
    if let elapsed { fields["elapsedTime"] = .int(elapsed) }
    if let metres {
      guard metres.isFinite, 0...Self.farthest ~= metres else {
        throw SyncError(.inputInvalid, "The ride has no plausible distance.")
      }
      fields["distance"] = .double(metres)
    }
    if let ascent, ascent.isFinite { fields["elevationGain"] = .double(ascent) }
    if let name { fields["name"] = .string(name) }
    if let device { fields["device"] = .string(device) }
    if let gear { fields["gearId"] = .string(gear) }
    if isIndoors { fields["trainer"] = true }
    return RecordDraft(.activity, id: Self.id(start: start), fields: fields)
  }

  /// The id of a ride without a service's number, such as `ride-20240115T073000Z`.
  static func id(start: Int64) -> Name {
    let text = Timestamp.format(milliseconds: start).prefix(19)
    return Name("ride-\(text.filter { $0 != "-" && $0 != ":" })Z")
  }

  /// The longest plausible ride: once around the equator, in metres.
  static let farthest = 40_075_000.0

  private func seconds(_ value: Double?) throws -> Int64? {
    guard let value else { return nil }
    guard let whole = Int64(whole: value), 0...Ride.longest ~= whole else {
      throw SyncError(.inputInvalid, "The ride has no plausible duration.")
    }
    return whole
  }
}

/// A ride that its rider enters by hand.
public struct RideEntry: Sendable {
  private let ride: RecordedRide
  private let gear: String

  /// Describes a ride; `start` in milliseconds since 1970.
  public init(
    start: Int64, seconds: Int64, metres: Double, gear: String, name: String? = nil,
    isIndoors: Bool = false
  ) {
    var ride = RecordedRide(start: start)
    ride.moving = Double(seconds)
    ride.metres = metres
    ride.name = name
    ride.isIndoors = isIndoors
    self.ride = ride
    self.gear = gear
  }

  /// The record to write in the local store.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a ride that is not plausible.
  public func draft() throws -> RecordDraft {
    var draft = try ride.draft(gear: gear, source: "manual")
    draft.fields["manual"] = true
    return draft
  }
}
