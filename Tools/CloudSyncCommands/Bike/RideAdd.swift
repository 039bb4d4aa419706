import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike ride add`.
struct RideAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Enter a ride by hand.",
    discussion: examples(
      "cloudsync bike ride add --bike b1 --km 42.5 --time 1h45m",
      "cloudsync bike ride add --bike b1 --miles 26 --time 1:45:00",
      "cloudsync bike ride add --bike \"Trail bike\" --date 2026-11-20T17:00:00Z --time 90m --indoors",
      after: """
        Each entry is a ride of its own, also when several are of one day. 'cloudsync bike ride set' \
        changes one, 'cloudsync bike ride rm' deletes it.
        """))

  @Option(help: ArgumentHelp("The bike, by id or name.", valueName: "bike")) var bike: String
  @Option(
    help: ArgumentHelp(
      "The start: a date, a local time or one with a zone, or how long ago; by default now.",
      valueName: "time"))
  var date: TimeArgument?
  @OptionGroup var distance: RideDistance
  @Option(
    help: ArgumentHelp("The duration, such as 1h45m or 1:45:00.", valueName: "duration"))
  var time: String
  @Option(help: ArgumentHelp("The name of the ride.", valueName: "text")) var name: String?
  @Flag(help: "The ride was on a trainer.") var indoors = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.ride-add/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let now = session.environment.now()
      let seconds = try RideDuration.seconds(time)
      let metres = try distance.metres ?? 0
      let garage = try session.garage()
      let gear = try garage.bike(named: bike).id
      let start = date?.recorded(now: now) ?? now
      try RideDate.check(start, now: now)
      let rides = try session.rides(isRehearsal: change.dryRun)
      let draft = try RideEntry(
        start: start, seconds: seconds, metres: metres, gear: gear, name: name, isIndoors: indoors
      ).draft { try rides.record("activity", $0) != nil }
      var result = try RecordWriter<StravaRegistration>(session, isRehearsal: change.dryRun)
        .save([draft])
      if !change.dryRun { try session.shareTotals() }
      if let other = garage.rides.first(where: { Self.overlaps($0, start, seconds, gear, garage) })
      {
        result.warnings.append(
          "the ride \(Sanitized.line(other.id)) was on this bike at that time; if it is the same,"
            + " 'cloudsync bike ride rm' deletes one")
      }
      return result
    }
  }

  /// Whether a ride that has a time of day lies in the span of another one on the same bike.
  private static func overlaps(
    _ ride: Ride, _ start: Int64, _ seconds: Int64, _ gear: String, _ garage: Garage
  ) -> Bool {
    guard let own = ride.gear, garage.gears(of: gear).contains(own) else { return false }
    let isDay = start.isMultiple(of: 86_400_000) || ride.start.isMultiple(of: 86_400_000)
    if isDay { return ride.start == start && ride.seconds == seconds }
    return start < ride.start + ride.seconds * 1000 && ride.start < start + seconds * 1000
  }
}

/// The distance of a ride on the command line.
struct RideDistance: ParsableArguments {
  @Option(help: ArgumentHelp("The distance in kilometres.", valueName: "number")) var km: String?
  @Option(help: ArgumentHelp("The distance in miles.", valueName: "number")) var miles: String?

  /// The metres; nil when none are given.
  ///
  /// - Throws: ``SyncError`` `usage` for both options or no number, `input.invalid` for an impossible one.
  var metres: Double? {
    get throws {
      guard km == nil || miles == nil else {
        throw SyncError(.usage, "a distance is in --km or in --miles")
      }
      guard let text = km ?? miles else { return nil }
      let point = text.split(separator: ",", omittingEmptySubsequences: false)
      let plain = point.count == 2 && !text.contains(".") ? point.joined(separator: ".") : text
      guard let number = Double(plain), number.isFinite else {
        throw SyncError(.usage, "'\(Sanitized.line(text))' is not a number")
      }
      let metres = number * (km == nil ? UnitSystem.imperial : .metric).metresPerDistance
      guard 0...40_075_000 ~= metres else {
        throw SyncError(.inputInvalid, "a ride must have 0 to 40,075 kilometres")
      }
      return metres
    }
  }
}

/// The duration of a ride on the command line.
enum RideDuration {
  /// Reads `1h45m`, `1:45` for hours and minutes, and `1:45:00`.
  ///
  /// - Throws: ``SyncError`` `usage`.
  static func seconds(_ text: String) throws -> Int64 {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    if 2...3 ~= parts.count {
      let numbers = parts.compactMap { $0 }
      let isClock =
        numbers.count == parts.count
        && numbers.dropFirst().allSatisfy { 0..<60 ~= $0 } && 0...8784 ~= numbers[0]
      let seconds =
        isClock
        ? numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0) : 0
      if seconds > 0 { return seconds }
    } else if let length = DurationText.parse(text), length >= 1000 {
      return length / 1000
    }
    throw SyncError(
      .usage, "'\(Sanitized.line(text))' is not a duration such as 1h45m or 1:45:00")
  }
}

/// The date of a ride on the command line.
enum RideDate {
  /// Refuses one in the future.
  ///
  /// - Throws: ``SyncError`` `input.invalid`.
  static func check(_ start: Int64, now: Int64) throws {
    guard start - now > Ride.leeway else { return }
    throw SyncError(
      .inputInvalid, "a ride cannot begin in the future",
      hint: "a future ride would count as wear after a service of today")
  }
}
