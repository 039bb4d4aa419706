import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike ride set ID`.
struct RideSet: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Correct a ride: its bike, distance, time, date, kind or name.",
    discussion: examples(
      "cloudsync bike ride set manual-20261120T000000Z --km 42.5",
      "cloudsync bike ride set ride-20261120T160000Z --bike \"Trail bike\"",
      "cloudsync bike ride set ride-20261120T160000Z --indoors --dry-run",
      after: """
        A ride keeps its id. What is corrected stays, also when its file is imported again or Strava \
        sends other values; --as-recorded lets them count again with the next import or pull. \
        --no-bike leaves a ride without a bike.
        """))

  @Argument(help: "The ride's id.", completion: recordCompletion(StravaRegistration.self))
  var id: String
  @Option(help: ArgumentHelp("The bike, by id or name.", valueName: "bike")) var bike: String?
  @Flag(help: "The ride counts for no bike.") var noBike = false
  @Option(
    help: ArgumentHelp(
      "The start: a date, a local time or one with a zone, or how long ago.", valueName: "time"))
  var date: TimeArgument?
  @OptionGroup var distance: RideDistance
  @Option(help: ArgumentHelp("The duration, such as 1h45m or 1:45:00.", valueName: "duration"))
  var time: String?
  @Option(help: ArgumentHelp("The name; empty for none.", valueName: "text")) var name: String?
  @Option(
    help: ArgumentHelp(
      "The kind, such as Ride, GravelRide or EBikeRide, in any language.", valueName: "kind"))
  var type: String?
  @Flag(inversion: .prefixedNo, help: "Whether the ride was on a trainer.") var indoors: Bool?
  @Flag(help: "Forget all corrections; the next import or pull brings the values back.")
  var asRecorded = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.ride-set/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let address = try RecordAddress(id, in: StravaRegistration.domain)
      let writer = try RecordWriter<StravaRegistration>(session, isRehearsal: change.dryRun)
      let record = try address.liveRecord(
        in: writer.store, command: StravaRegistration.commandPath)
      guard record.key.collection == "activity" else {
        throw SyncError(.usage, "'\(Sanitized.line(id))' is not a ride")
      }
      var fields = try fields(session)
      guard !fields.isEmpty || asRecorded else {
        throw SyncError(.usage, "nothing to change", hint: "see 'cloudsync bike ride set --help'")
      }
      guard fields.isEmpty || !asRecorded else {
        throw SyncError(.usage, "--as-recorded goes with no correction")
      }
      fields["corrected"] = asRecorded ? .null : RideCorrections.mark(fields.keys, of: record)
      let result = try writer.edit(record, fields)
      if !change.dryRun { try session.shareTotals() }
      return result
    }
  }

  private func fields(_ session: Session) throws -> [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    guard bike == nil || !noBike else {
      throw SyncError(.usage, "--bike and --no-bike contradict each other")
    }
    if let bike { fields["gearId"] = .string(try session.garage().bike(named: bike).id) }
    if noBike { fields["gearId"] = .null }
    if let date {
      let now = session.environment.now()
      let start = date.recorded(now: now)
      try RideDate.check(start, now: now)
      fields["startDate"] = .instant(start)
    }
    if let metres = try distance.metres { fields["distance"] = .double(metres) }
    if let time {
      let seconds = try RideDuration.seconds(time)
      fields["movingTime"] = .int(seconds)
    }
    if let name { fields["name"] = name.isEmpty ? .null : .string(name) }
    if let type {
      guard case .ride(let kind, let isIndoors) = SportType.meaning(of: type) else {
        throw SyncError(
          .inputInvalid, "'\(Sanitized.line(type))' is not a kind of ride",
          hint: "the kinds are Ride, MountainBikeRide, GravelRide, EBikeRide, EMountainBikeRide,"
            + " VirtualRide, Velomobile and Handcycle")
      }
      fields["sportType"] = .string(kind)
      if isIndoors { fields["trainer"] = true }
    }
    if let indoors { fields["trainer"] = indoors ? true : .null }
    return fields
  }
}

/// The command `cloudsync bike ride rm ID…`.
struct RideRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete rides from this device.",
    discussion: examples(
      "cloudsync bike ride rm manual-20261120T000000Z",
      "cloudsync bike ride rm ride-20261120T160000Z --dry-run",
      after: """
        All or nothing: if one of them does not exist, none is deleted. 'cloudsync bike ride \
        restore' brings a ride back. A ride from Strava comes back with the next pull unless it is \
        deleted there, and one of a file with the next import of the file.
        """))

  @OptionGroup var remove: RecordRemove<StravaRegistration>
  var global: GlobalOptions { remove.global }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.rides()
    let isOfStrava = remove.ids.contains { id in
      let record = try? RecordAddress(id, in: StravaRegistration.domain).record(in: store)
      return record?["source"].string == "strava"
    }
    try await remove.run(context)
    if !remove.change.dryRun { try session.shareTotals() }
    if isOfStrava {
      context.warn(
        "the next 'cloudsync bike strava pull' brings a ride back unless it is deleted at Strava")
    }
  }
}

/// The command `cloudsync bike ride export [FILE|-]`.
struct RideExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write rides to a file, to keep them or to take them along.",
    discussion: examples(
      "cloudsync bike ride export rides.json", "cloudsync bike ride export - --format csv",
      "cloudsync bike ride export all-rides.json --all",
      after: """
        Written are the rides that no service gives back: those of files and those entered by \
        hand; --all writes all of this device. 'cloudsync bike ride import rides.json' reads the \
        JSON on another device, where the rides keep their ids. 'cloudsync backup create' has all \
        rides as well.
        """))

  @Argument(help: "The file; - or no file is standard output.", completion: .file())
  var file: String = "-"
  @Option(
    help: ArgumentHelp("The format: json, csv.", valueName: "format"),
    completion: .list(["json", "csv"]))
  var format: String?
  @Flag(help: "Write those of Strava as well.") var all = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let known =
      format?.lowercased() ?? ExportRun<StravaRegistration>.format(of: file, context)
    let run = ExportRun<StravaRegistration>(file: file, format: known, context: context)
    let activity = try StravaRegistration.domain.collection("activity")
    try run.write([activity]) { all || $0["source"].string != "strava" }
  }
}
