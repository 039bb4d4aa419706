import SyncKitFormats
public import SyncKit

/// An activity as a device recorded it, told from a file.
struct RecordedRide: Equatable, Sendable {
  /// When it began, in milliseconds since 1970.
  var start: Int64
  /// From beginning to end, in seconds.
  var elapsed: Double?
  /// How long it moved, in seconds.
  var moving: Double?
  /// How far, in metres.
  var metres: Double?
  /// Metres climbed.
  var ascent: Double?
  /// What it was, in Strava's words; nil when the file does not say.
  var sport: String?
  /// What it was called.
  var name: String?
  /// What recorded it.
  var device: String?
  /// Whether it was on a trainer.
  var isIndoors = false

  /// Makes an activity of which only the beginning is known.
  init(start: Int64) { self.start = start }

  /// Whether it was on a bike; a file that does not say what it was is taken for a ride.
  var isRide: Bool { sport.map(SportType.isRide) ?? true }

  /// The record to write.
  ///
  /// The id follows from when the ride began, so that the same file, and the same ride from another
  /// device, is the same record.
  func draft(gear: String?, source: String) throws -> RecordDraft {
    guard start >= 0, start <= Timestamp.latest else {
      throw SyncError(.inputInvalid, "The ride has no believable date.")
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
        throw SyncError(.inputInvalid, "The ride has no believable distance.")
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

  /// The id of a ride that no service has numbered, such as `ride-20240115T073000Z`.
  static func id(start: Int64) -> Name {
    let text = Timestamp.format(milliseconds: start).prefix(19)
    return Name("ride-\(text.filter { $0 != "-" && $0 != ":" })Z")
  }

  /// The longest ride that is believed: once around the equator, in metres.
  static let farthest = 40_075_000.0

  private func seconds(_ value: Double?) throws -> Int64? {
    guard let value else { return nil }
    guard let whole = Int64(whole: value), 0...Ride.longest ~= whole else {
      throw SyncError(.inputInvalid, "The ride has no believable duration.")
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
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a ride that is not believable.
  public func draft() throws -> RecordDraft {
    var draft = try ride.draft(gear: gear, source: "manual")
    draft.fields["manual"] = true
    return draft
  }
}
