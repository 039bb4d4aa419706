import BikeService
import CommandFoundation
import SyncKit

extension Session {
  /// Writes bikes, intervals and components.
  func bikeWriter(isRehearsal: Bool) throws -> RecordWriter<BikeRegistration> {
    try RecordWriter(self, isRehearsal: isRehearsal)
  }

  /// The synced store of bikes, intervals and components.
  func bikes(isRehearsal: Bool = false) throws -> SyncStore {
    try store(BikeRegistration.domain.name, isRehearsal: isRehearsal)
  }

  /// The local store of rides, which never syncs.
  func rides(isRehearsal: Bool = false) throws -> SyncStore {
    try store(StravaRegistration.domain.name, isRehearsal: isRehearsal)
  }

  /// The units in which the rider reads and types amounts.
  var units: UnitSystem {
    get throws {
      let values = configuration[domain: BikeRegistration.domain.name]?.values
      return values?.text("units").flatMap { UnitSystem(rawValue: $0) } ?? .metric
    }
  }

  /// Writes what this device's rides add up to, if its owner wants that on other devices, or takes it back.
  ///
  /// Call it after rides were written, and before a sync: an undo and a bike's other gear change them too.
  func shareTotals() throws {
    let values = configuration[domain: BikeRegistration.domain.name]?.values
    let bikes = try bikes()
    guard values?.flag("share-totals") ?? false else {
      try bikes.writeTotals([])
      return
    }
    try bikes.writeTotals(
      RideTotals.drafts(
        garage().rides, bikes: BikeNames(bikes.records("bike")), device: bikes.device.id))
  }

  /// The rider's bikes with all their data.
  func garage() throws -> Garage { try Garage(bikes: bikes(), rides: rides()) }
}

extension Garage {
  /// What to say where nothing can be said, as wear follows from rides.
  static let noRides =
    "this device has no rides, so it cannot tell what is worn: 'cloudsync bike ride import' and"
    + " 'cloudsync bike strava pull' bring them; they do not sync"

  /// The bike that the command line names by id or by name.
  ///
  /// - Throws: ``SyncError`` `record.not-found` for none, `usage` for several.
  func bike(named text: String) throws -> Garage.Bike {
    var text = text
    if text.hasPrefix("bike/") { text.removeFirst(5) }
    if let bike = bikes[text] { return bike }
    let found = bikes.values.filter { $0.name?.lowercased() == text.lowercased() }
      .sorted { $0.id < $1.id }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw SyncError(
        .usage, "\(found.count) bikes are called '\(Sanitized.line(text))'",
        hint: "choose one by its id: \(found.map(\.id).joined(separator: ", "))")
    }
    let known = bikes.values.flatMap { [$0.id] + ($0.name.map { [$0] } ?? []) }.sorted()
    throw SyncError(
      .notFound, "there is no bike '\(Sanitized.line(text))'",
      hint: NearestName.hint(for: text, among: known) ?? knownBikes)
  }

  /// The bikes that may be named, or how to add one.
  private var knownBikes: String {
    guard !bikes.isEmpty, bikes.count <= 12 else {
      return "'cloudsync bike add ID name=NAME' adds one, 'cloudsync bike list' shows them"
    }
    let names = bikes.values.sorted { $0.id < $1.id }.map { bike in
      bike.name.map { "'\(Sanitized.line($0))' (\(Sanitized.line(bike.id)))" }
        ?? Sanitized.line(bike.id)
    }
    return "known: \(names.joined(separator: ", "))"
  }

  /// The component that the command line names by id, by the start of the id, or by name.
  ///
  /// - Throws: ``SyncError`` `record.not-found` for none, `usage` for several.
  func component(named text: String) throws -> Garage.Component {
    var text = text
    if text.hasPrefix("component/") { text.removeFirst(10) }
    if let component = components[text] { return component }
    let folded = text.lowercased()
    let sorted = components.sorted { $0.key < $1.key }
    var found = sorted.filter { $0.value.name.lowercased() == folded }
    if found.isEmpty, text.utf8.count >= 4 { found = sorted.filter { $0.key.hasPrefix(folded) } }
    if found.count == 1 { return found[0].value }
    guard found.isEmpty else {
      throw SyncError(
        .usage, "\(found.count) components are called '\(Sanitized.line(text))'",
        hint: "choose one by its id: \(found.map(\.key).joined(separator: ", "))")
    }
    throw SyncError(
      .notFound, "there is no component '\(Sanitized.line(text))'",
      hint: NearestName.hint(for: text, among: sorted.map(\.value.name)))
  }

  /// The interval that the command line names by id, or by its part and bike.
  ///
  /// - Throws: ``SyncError`` `record.not-found` for none, `usage` for several.
  func interval(named text: String, bike: Garage.Bike?) throws -> ServiceInterval {
    var text = text
    if text.hasPrefix("interval/") { text.removeFirst(9) }
    let here = intervals.filter { bike == nil || $0.bike == bike?.id }
    if let interval = here.first(where: { $0.key.id == RecordID(text) }) { return interval }
    func plain(_ name: String) -> String { String(name.lowercased().map { $0 == "_" ? " " : $0 }) }
    let found = here.filter {
      plain($0.part) == plain(text) || $0.key.id.text.hasSuffix("-\(text.lowercased())")
    }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw SyncError(
        .usage, "\(found.count) intervals match '\(Sanitized.line(text))'",
        hint: "add --bike, or choose one by its id: "
          + found.map { "\($0.key.id)" }.joined(separator: ", "))
    }
    throw SyncError(
      .notFound, "there is no interval '\(Sanitized.line(text))'",
      hint: NearestName.hint(for: text, among: here.map(\.part))
        ?? "'cloudsync bike due' lists them")
  }
}
