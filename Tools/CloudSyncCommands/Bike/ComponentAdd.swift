import ArgumentParser
import BikeService
import CommandFoundation
import SyncKit

/// The command `cloudsync bike component add NAME --on PLACE`.
struct ComponentAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a component and mount it.",
    discussion: examples(
      "cloudsync bike component add \"Front wheel\" --on b1",
      "cloudsync bike component add \"Front tyre\" --on component/\"Front wheel\" --brand Maxxis",
      "cloudsync bike component add Chain --on b1 --at 2026-11-01 --cost 40 --currency EUR",
      after: "By default only rides from now on count; with --at 1970-01-01 all rides do."))

  @Argument(help: "Its name.") var name: String
  @OptionGroup var mounting: MountingOptions
  @Option(help: ArgumentHelp("Its type, such as wheel or tyre.", valueName: "type"))
  var type: String?
  @Option(help: ArgumentHelp("Its manufacturer.", valueName: "name")) var brand: String?
  @Option(help: ArgumentHelp("Its model.", valueName: "name")) var model: String?
  @Option(help: ArgumentHelp("Its price.", valueName: "amount")) var cost: Double?
  @Option(help: ArgumentHelp("The currency, such as EUR.", valueName: "code"))
  var currency: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.component-add/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let place = try mounting.place(in: session.garage())
      let time = mounting.time(now: session.environment.now())
      // Drawn here, so that a dry run shows it as one record.
      let id = RecordID(UUIDText.random(from: session.environment))
      var fields: [FieldName: Value] = ["name": .string(name)]
      for (key, value) in [
        ("type", type), ("brand", brand), ("model", model), ("currency", currency),
      ] as [(FieldName, String?)] {
        if let value { fields[key] = .string(value) }
      }
      if let cost { fields["cost"] = .double(cost) }
      return try session.bikeWriter(isRehearsal: change.dryRun).write { transaction in
        let key = try transaction.save(
          RecordDraft("component", id: id, parent: place, fields: fields)
        ).key
        try transaction.mount(key, on: place, at: time)
        return [key]
      }
    }
  }
}

/// The place and the start of an installation.
struct MountingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The bike, or component/NAME for another component.", valueName: "place"))
  var on: String
  @Option(
    help: ArgumentHelp(
      "Since when: a date, a local time or one with a zone, or how long ago; by default now.",
      valueName: "time"))
  var at: TimeArgument?

  func time(now: Int64) -> Int64 { at?.recorded(now: now) ?? now }

  /// The record of the place: a bike, which need not be here, or a component.
  func place(in garage: Garage) throws -> RecordKey {
    if on.hasPrefix("component/") { return try garage.component(named: on).record.key }
    if let bike = try? garage.bike(named: on) { return .root("bike", RecordID(bike.id)) }
    if let component = try? garage.component(named: on) { return component.record.key }
    return .root("bike", RecordID(try garage.bike(named: on).id))
  }
}
