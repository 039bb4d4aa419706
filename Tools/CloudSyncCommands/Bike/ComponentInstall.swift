import ArgumentParser
import BikeService
import CommandFoundation
import SyncKit

/// The command `cloudsync bike component install COMPONENT --on PLACE`.
struct ComponentInstall: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Mount a component on a bike or on another component.",
    discussion: examples(
      "cloudsync bike component install \"Front wheel\" --on b1",
      "cloudsync bike component install \"Front tyre\" --on component/\"Front wheel\" --at 2026-11-01",
      after: """
        It is taken off where it was before. On another bike it becomes a copy with its parts, \
        history, intervals and service log, and the original is deleted.
        """))

  @Argument(help: "The component, by id or name.") var component: String
  @OptionGroup var mounting: MountingOptions
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.component-install/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let garage = try session.garage()
      let key = try garage.component(named: component).record.key
      let place = try mounting.place(in: garage)
      let time = mounting.time(now: session.environment.now())
      let shed = try PartsShed(session.bikes())
      return try session.bikeWriter(isRehearsal: change.dryRun).write {
        [try $0.install(key, on: place, at: time, in: shed), key]
      }
    }
  }
}

/// The command `cloudsync bike component remove COMPONENT`.
struct ComponentRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take a component off, and keep it with its distance.",
    discussion: examples(
      "cloudsync bike component remove \"Front tyre\"",
      "cloudsync bike component remove \"Front tyre\" --at 3d",
      after: "To delete it with its history, use 'cloudsync bike rm component/ID'."))

  @Argument(help: "The component, by id or name.") var component: String
  @Option(
    help: ArgumentHelp(
      "Since when: a date, a local time or one with a zone, or how long ago; by default now.",
      valueName: "time"))
  var at: TimeArgument?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.component-remove/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let key = try session.garage().component(named: component).record.key
      let now = session.environment.now()
      let time = at?.recorded(now: now) ?? now
      let shed = try PartsShed(session.bikes())
      return try session.bikeWriter(isRehearsal: change.dryRun).write { transaction in
        try transaction.remove(key, at: time, in: shed)
      }
    }
  }
}

/// The command `cloudsync bike component swap OLD NEW`.
struct ComponentSwap: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap", abstract: "Take one component off and mount another in its place.",
    discussion: examples(
      "cloudsync bike component swap \"Summer wheels\" \"Winter wheels\"",
      "cloudsync bike component swap Chain \"New chain\" --at 2026-11-01",
      after: "Parts mounted on either, such as tyres on wheels, go with it."))

  @Argument(help: "The component to take off, by id or name.") var old: String
  @Argument(help: "The component to mount in its place.") var new: String
  @Option(
    help: ArgumentHelp(
      "Since when: a date, a local time or one with a zone, or how long ago; by default now.",
      valueName: "time"))
  var at: TimeArgument?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.component-swap/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let garage = try session.garage()
      let former = try garage.component(named: old).record
      let next = try garage.component(named: new).record
      guard former.key != next.key else {
        throw SyncError(.usage, "a component cannot replace itself")
      }
      guard let place = former.parent else {
        throw SyncError(.notFound, "'\(Sanitized.line(old))' is not mounted on anything")
      }
      let now = session.environment.now()
      let time = at?.recorded(now: now) ?? now
      guard garage.mountings.place(of: former.key.id.text, at: max(now, time)) != nil else {
        throw SyncError(
          .inputInvalid, "'\(Sanitized.line(old))' is not mounted now",
          hint: "mount the other one with 'cloudsync bike component install'")
      }
      let shed = try PartsShed(session.bikes())
      return try session.bikeWriter(isRehearsal: change.dryRun).write { transaction in
        try transaction.remove(former.key, at: time, in: shed)
        let key = try transaction.install(next.key, on: place, at: time, in: shed)
        return [former.key, key, next.key]
      }
    }
  }
}
