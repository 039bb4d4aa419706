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
  /// The seconds that the device's timer ran, as far as it differs from the whole time.
  var timer: Double?
  /// The sport in the words of the file; nil when it does not say.
  var type: String?
  /// The name.
  var name: String?
  /// The device that recorded it.
  var device: String?
  /// Whether it was on a trainer.
  var isIndoors = false
  /// A sentence about a value that cannot be, without a full stop.
  var warning: String?

  /// Makes an activity of which only the start is known.
  init(start: Int64) { self.start = start }

  /// What its type says; an activity without one is taken for a ride.
  var meaning: SportType.Meaning {
    type.map { SportType.meaning(of: $0) } ?? .ride("Ride", isIndoors: false)
  }

  /// Whether it was on a bike.
  var isRide: Bool { if case .ride = meaning { true } else { false } }

  /// Whether nothing was ridden: a recording that was started and stopped.
  var isEmpty: Bool { (elapsed ?? 0) < 1 && (moving ?? 0) < 1 && (metres ?? 0) < 1 }

  /// Brings values into line that contradict each other.
  ///
  /// A longer time counts where the moving time makes the ride faster than any bike is; a ride lasts at
  /// least as long as it moves.
  mutating func settle() {
    defer {
      if let moving, let elapsed, elapsed < moving { self.elapsed = moving }
    }
    guard let moving, let metres,
      let found = Self.slower(than: moving, metres: metres, among: [timer, elapsed])
    else { return }
    warning = found.warning
    if let time = found.time { self.moving = time }
  }

  /// What counts in place of a moving time in which no bike goes so far; nil when one can.
  ///
  /// - Parameters:
  ///   - moving: The moving time, in seconds.
  ///   - metres: The distance.
  ///   - times: What else is known of the time, the best first.
  /// - Returns: The time that counts, nil when there is no longer one, and a sentence about it.
  static func slower(
    than moving: Double, metres: Double, among times: [Double?]
  ) -> (time: Double?, warning: String)? {
    guard moving > 0, metres / moving > TrackMeter.fastest else { return nil }
    let longer = times.compactMap(\.self).filter { $0 > moving }
    let time = longer.first { metres / $0 <= TrackMeter.fastest } ?? longer.max()
    let warning =
      "its moving time of \(Int64(whole: moving) ?? 0) s would be more than 100 km/h; "
      + (time == nil ? "there is no other" : "the whole time counts")
    return (time, warning)
  }

  /// The record to write.
  ///
  /// The id follows from when the ride began, so that the same file, and the same ride from another
  /// device, is the same record.
  ///
  /// - Parameters:
  ///   - gear: The gear, if it is known.
  ///   - source: Where the ride comes from.
  ///   - kind: The kind in Strava's words; nil for what the type says.
  ///   - isIndoors: Whether the kind says that it was on a trainer.
  /// - Returns: A draft of an activity.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for values that cannot be.
  func draft(
    gear: String?, source: String, kind: String? = nil, isIndoors: Bool = false
  ) throws -> RecordDraft {
    guard start >= 0, start <= Timestamp.latest else {
      throw SyncError(.inputInvalid, "The ride has no plausible date.")
    }
    var kind = kind
    var isIndoors = isIndoors || self.isIndoors
    if kind == nil, case .ride(let own, let indoors) = meaning {
      kind = own
      isIndoors = isIndoors || indoors
    }
    var fields: [FieldName: Value] = [
      "startDate": .instant(start), "sportType": .string(kind ?? "Ride"),
      "source": .string(source),
    ]
    if let type, type != kind { fields["type"] = .string(String(type.prefix(100))) }
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
  static func id(start: Int64, as prefix: String = "ride") -> RecordID {
    let text = Timestamp.format(milliseconds: start).prefix(19)
    return RecordID("\(prefix)-\(text.filter { $0 != "-" && $0 != ":" })Z")
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
///
/// Each entry is a ride of its own: two of one day are two, whether they have times of day or not, and
/// none replaces what a device has recorded.
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
  /// - Parameter isTaken: Whether a ride has an id already, deleted ones included.
  /// - Returns: A draft with an id that no ride has.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a ride that is not plausible.
  public func draft(isTaken: (RecordID) throws -> Bool) throws -> RecordDraft {
    var draft = try ride.draft(gear: gear, source: "manual")
    draft.fields["manual"] = true
    let first = RecordedRide.id(start: ride.start, as: "manual")
    var id = first
    var number = 1
    while try isTaken(id) {
      number += 1
      id = RecordID("\(first)-\(number)")
    }
    draft.id = id
    return draft
  }
}
