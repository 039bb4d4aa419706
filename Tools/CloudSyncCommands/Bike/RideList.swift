import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike ride list`.
struct RideList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the rides of this device, each once.",
    discussion: examples(
      "cloudsync bike ride list", "cloudsync bike ride list --bike \"Trail bike\" --sort date",
      "cloudsync bike ride list --all --json",
      after: """
        A ride that a service and a recording know is listed once, as it counts once; --all lists \
        both. Metres and seconds are in --plain, --output csv and --json.
        """))

  /// The sort orders of a list.
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case id, date, modified
  }

  @Option(
    help: ArgumentHelp("The order: id, or date or modified for newest first.", valueName: "order"))
  var sort: Order = .id
  @Option(help: ArgumentHelp("Only this bike, by id or name.", valueName: "bike"))
  var bike: String?
  @Flag(help: "List a ride once for each source that knows it.") var all = false
  @Flag(help: "Include deleted rides.") var deleted = false
  @Option(help: ArgumentHelp("The collection; by default the rides.", valueName: "name"))
  var collection: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let collections = try StravaRegistration.domain.collections(collection)
    let garage = try session.garage()
    let wanted = try bike.map { Set(garage.gears(of: try garage.bike(named: $0).id)) }
    let counted = Dictionary(
      garage.rides.map { ($0.id, $0.gear) }, uniquingKeysWith: { first, _ in first })
    let units = try session.units
    let columns = columns(of: collections, counted, units)
    var records: [Record] = []
    for type in collections {
      records += try session.rides().records(type.name, includingDeleted: deleted).filter {
        record in
        guard record.key.collection == "activity" else { return true }
        if let wanted, !wanted.contains(Self.gear(of: record, counted) ?? "") { return false }
        return all || record.isDeleted || Ride(record) == nil
          || counted[record.key.id.text] != nil
      }.sorted { $0.key.id < $1.key.id }
    }
    switch sort {
    case .id: break
    case .modified: records.sort { ($0.modified, $1.key.id) > ($1.modified, $0.key.id) }
    case .date:
      records.sort {
        ($0["startDate"].instant ?? 0, $1.key.id) > ($1["startDate"].instant ?? 0, $0.key.id)
      }
    }
    var listing = context.listing(
      "cloudsync.strava.list/1", records: "records", columns: columns.map(\.column))
    for record in records where !listing.isAbandoned {
      listing.add(StravaRegistration.json(record), columns.map { $0.cell(record) })
    }
    listing.finish()
    if records.isEmpty, garage.rides.isEmpty { context.note(Garage.noRides) }
  }

  /// The gear of a ride: its own, or that of the recording which it stands for.
  private static func gear(of record: Record, _ counted: [String: String?]) -> String? {
    record["gearId"].string ?? counted[record.key.id.text] ?? nil
  }

  private func columns(
    of collections: [RecordType], _ counted: [String: String?], _ units: UnitSystem
  ) -> [RecordColumn] {
    guard collections.count == 1, collections[0].name == "activity" else {
      return collections.count == 1
        ? StravaRegistration.listColumns(of: collections[0])
        : [.collection, .id(), .modified, .device]
    }
    return [
      .id(), .field("startDate", "start", type: .instant), .field("name"),
      .field("sportType", "type"),
      .text("bike") { Self.gear(of: $0, counted) ?? "" },
      RecordColumn(units.distanceUnit, numeric: true) { record in
        let metres = record["distance"].rideNumber
        let text = metres.map { Amount.number($0 / units.metresPerDistance, digits: 1) }
        return ReportTable.Cell(text ?? "", raw: record["distance"].text)
      },
      RecordColumn("hours", numeric: true) { record in
        let hours = record["movingTime"].int.map { Amount.number(Double($0) / 3600, digits: 2) }
        return ReportTable.Cell(hours ?? "", raw: record["movingTime"].text)
      },
      .field("source"),
      RecordColumn("climb (\(units.heightUnit))", numeric: true) { record in
        let metres = record["elevationGain"].rideNumber
        let text = metres.map { Amount.number(units.height(metres: $0), digits: 0) }
        return ReportTable.Cell(text ?? "", raw: record["elevationGain"].text)
      },
      .modified, .device,
    ] + (deleted ? [.deleted] : [])
  }
}

extension Value {
  /// The number, whole or not.
  fileprivate var rideNumber: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
