import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike ride`.
struct RideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ride",
    abstract: "Rides on this device, from files or entered by hand; they never sync.",
    discussion: examples(
      "cloudsync bike ride import export_12345.zip", "cloudsync bike ride list --sort modified",
      "cloudsync bike ride add --bike b1 --date 2026-11-20 --km 42.5 --time 1h45m"),
    subcommands: [
      RideImportCommand.self, RideAdd.self, RecordList<StravaRegistration>.self,
      RecordShow<StravaRegistration>.self,
    ])
}

/// The command `cloudsync bike ride add`.
struct RideAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Enter a ride by hand.",
    discussion: examples(
      "cloudsync bike ride add --bike b1 --km 42.5 --time 1h45m",
      "cloudsync bike ride add --bike \"Trail bike\" --date 2026-11-20T17:00:00Z --time 90m --indoors",
      after: "Adding a ride with the same start time changes the existing one."))

  @Option(help: ArgumentHelp("The bike, by id or name.", valueName: "bike")) var bike: String
  @Option(
    help: ArgumentHelp(
      "The start: a date, a local time or one with a zone, or how long ago; by default now.",
      valueName: "time"))
  var date: TimeArgument?
  @Option(help: ArgumentHelp("The distance in kilometres.", valueName: "number")) var km: Double = 0
  @Option(help: ArgumentHelp("The duration, such as 1h45m.", valueName: "duration")) var time:
    String
  @Option(help: ArgumentHelp("The name of the ride.", valueName: "text")) var name: String?
  @Flag(help: "The ride was on a trainer.") var indoors = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.ride-add/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let now = session.environment.now()
      guard let length = DurationText.parse(time), length > 0 else {
        throw SyncError(.usage, "'\(Sanitized.line(time))' is not a duration such as 1h45m")
      }
      guard km.isFinite, 0...40_075 ~= km else {
        throw SyncError(.inputInvalid, "a ride must have 0 to 40,075 kilometres")
      }
      let garage = try session.garage()
      let gear = try garage.bike(named: bike).id
      let draft = try RideEntry(
        start: date?.recorded(now: now) ?? now, seconds: length / 1000, metres: km * 1000,
        gear: gear, name: name, isIndoors: indoors
      ).draft()
      return try RecordWriter<StravaRegistration>(session, isRehearsal: change.dryRun)
        .save([draft])
    }
  }
}
