import ArgumentParser
import BikeService
import CommandFoundation
import SyncKit

/// The command `cloudsync bike defaults BIKE`.
struct BikeDefaults: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults", abstract: "Give a bike the usual intervals of its kind.",
    discussion: examples(
      "cloudsync bike defaults b1", "cloudsync bike defaults \"Trail bike\" --kind full_suspension",
      "cloudsync bike defaults b1 --part hub_front --part brake_fluid",
      after: """
        Existing intervals stay as they are, and deleted ones stay deleted. Two devices that do \
        the same create the same intervals, not duplicates.
        """))

  @Argument(help: "The bike, by id or name; it need not be on this device.") var bike: String
  @Option(
    help: ArgumentHelp(
      "The kind of bike: \(BikeKind.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "kind"),
    completion: .list(BikeKind.allCases.map(\.rawValue)))
  var kind: String?
  @Option(
    help: ArgumentHelp("Add this part instead of those usual for the kind.", valueName: "part"),
    completion: .list(PartTemplate.all.map(\.id)))
  var part: [String] = []
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.bike.defaults/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let garage = try session.garage()
      let known = try knownBike(in: garage)
      let id = known?.id ?? bike
      let kind = try chosenKind ?? known?.kind ?? .unknown
      let templates = try part.isEmpty ? kind.defaultTemplates : part.map { try template($0) }
      guard known?.standing != .deleted else {
        throw SyncError(
          .notFound, "the bike '\(Sanitized.line(id))' is deleted",
          hint: "bring it back with 'cloudsync bike restore \(Sanitized.line(id))'")
      }
      let writer = try session.bikeWriter(isRehearsal: change.dryRun)
      var result = try writer.write { transaction in
        try transaction.applyDefaults(templates, to: id)
        let zone = RecordKey.root("bike", RecordID(id)).zone
        return templates.map {
          RecordKey(
            zone: zone, collection: "interval",
            id: PartTemplate.intervalID(bike: id, template: $0.id))
        }
      }
      if known == nil {
        result.warnings.append(
          "the bike \(Sanitized.line(id)) is not here; the intervals wait for it")
      }
      return result
    }
  }

  /// The bike; nil for an id that is not here, as a bike may arrive later than its intervals.
  ///
  /// - Throws: ``SyncError`` `record.not-found` for what is nearly the name of a bike, or no id.
  private func knownBike(in garage: Garage) throws -> Garage.Bike? {
    do { return try garage.bike(named: bike) } catch let error as SyncError
      where error.code == .notFound
    {
      let names = garage.bikes.values.compactMap(\.name)
      guard !bike.contains(" "), NearestName.to(bike, among: names) == nil else { throw error }
      return nil
    }
  }

  private var chosenKind: BikeKind? {
    get throws {
      guard let kind else { return nil }
      if let found = BikeKind(text: kind) { return found }
      throw SyncError.unknownName(
        "kind of bike", kind, among: BikeKind.allCases.map(\.rawValue))
    }
  }

  private func template(_ name: String) throws -> PartTemplate {
    if let found = PartTemplate[name.lowercased()] { return found }
    throw SyncError.unknownName("part", name, among: PartTemplate.all.map(\.id))
  }
}
