public import SyncKitFormats
public import SyncKit

/// Rides out of files: a bulk export, recordings, the app's data.
///
/// Reading the same files again gives the same records. Rows with faults are listed and do not stop
/// the reading of others; the caller decides whether anything is then written.
public struct RideImport: Sendable {
  /// The caller's choices.
  public struct Options: Sendable {
    /// The gear of all recordings; nil to leave them without.
    public var gear: String?
    /// Whether display distances are in miles, for old exports that have no others.
    public var usesMiles = false
    /// Whether activities of an unknown type are rides.
    public var takesUnknown = false
    /// The types that stand for others, by their folded names.
    public private(set) var types: [String: String] = [:]
    /// The order of day and month in the dates of an export; nil for that of the column.
    public var dateOrder: DateColumn.Order?
    /// The time now, in milliseconds since 1970: no ride begins later.
    public var now: Int64 = .max
    /// The point in time for a clock on the wall, for times without a zone.
    public var zone: @Sendable (Int64) -> Int64 = { $0 }
    /// Rides that are already stored.
    public var known: [Ride] = []
    /// Which gear ids are one bike.
    public var bikes = BikeNames()

    /// Makes options.
    public init() {}

    /// Says what a name of a type means, as in `Radfahrt` and `Ride`.
    public mutating func setType(_ name: String, to type: String) { types[name.folded] = type }

    /// Refuses a ride that begins in the future.
    func refuseFuture(_ start: Int64) throws {
      guard start > now, start - now > Ride.leeway else { return }
      let date = Timestamp.format(milliseconds: start).prefix(10)
      throw SyncError(.inputInvalid, "The ride is dated \(date), in the future.")
    }
  }

  /// The records of the local store.
  public private(set) var records = ImportedRecords(rows: [])
  /// Bikes and components that the files name, as defaults for the synced store.
  public private(set) var garage: [RecordDraft] = []
  /// What became of the activities, by their types.
  public private(set) var census = KindCensus()
  /// The number of recordings of rides that are already stored.
  public private(set) var doubles = 0
  /// What to know of the rides that were read, each with its file, without full stops.
  public private(set) var warnings: [String] = []

  /// The number of activities left out because they are not rides.
  public var skipped: Int { census.leftOut }

  private var names: GearNames
  private let options: Options
  private var known: RideTimes
  private var knownIDs: [String: Ride]
  private let isSingle: Bool

  /// Reads files.
  ///
  /// - Parameters:
  ///   - files: All files of the folder or archive, or the one.
  ///   - names: The gear of the names in exports.
  ///   - options: The caller's choices.
  ///   - progress: Called now and then with the number of rides read so far.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the files have no rides or cannot be read
  ///   at all.
  public init(
    _ files: [RideFile], names: GearNames, options: Options = Options(),
    progress: (Int) -> Void = { _ in }
  ) throws {
    self.names = names
    self.options = options
    known = RideTimes(options.known, bikes: options.bikes)
    knownIDs = Dictionary(options.known.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    isSingle = files.count == 1
    if let export = Self.export(among: files) {
      try readExport(export, files, progress)
    } else {
      try readRecordings(files, progress)
    }
    records.passedOver = census.passedOver
    for index in records.rows.indices where records.rows[index].draft.collection == .activity {
      records.rows[index].kind = records.rows[index].draft.fields["sportType"]?.string
    }
  }

  /// The table of activities of an export, which a browser may have given another name.
  private static func export(among files: [RideFile]) -> RideFile? {
    let tables = files.filter { $0.name.lowercased().hasSuffix(".csv") }
    if let found = tables.filter({ $0.name.lowercased() == "activities.csv" })
      .min(by: { $0.path.utf8.count < $1.path.utf8.count })
    {
      return found
    }
    guard files.count == 1 || tables.count == 1, let table = tables.first else { return nil }
    guard let bytes = try? table.contents() else { return nil }
    return ExportActivities.isExport(bytes) ? table : nil
  }

  // MARK: Exports

  private mutating func readExport(
    _ export: RideFile, _ files: [RideFile], _ progress: (Int) -> Void
  ) throws {
    let folder = String(export.path.dropLast(export.name.count))
    let byPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { _, last in last })
    func contents(_ name: String) throws -> [UInt8]? { try byPath[folder + name].map(read) }
    var parts = ExportGarage()
    if let bytes = try contents("bikes.csv") { try parts.readBikes(bytes) }
    let bikes = Set(parts.bikes.map { $0.name.folded })
    let activities = try ExportActivities(
      try read(export), names: &names, bikes: bikes, options: options, progress: progress)
    if let bytes = try contents("components.csv") {
      try parts.readComponents(bytes, names: &names)
    }
    census = activities.census
    records.faults = parts.faults + activities.faults
    for row in activities.rows {
      var draft = row.draft
      if let path = row.file, let file = byPath[folder + path] {
        fill(&draft, from: file, row: row.row)
      }
      settle(&draft, row: row.row)
      records.rows.append(.init(row: row.row, draft: draft))
    }
    for bike in parts.bikes {
      addBike(names.id(of: bike.name), bike.name, brand: bike.brand, model: bike.model)
    }
    for (id, name) in names.unknown.sorted(by: { $0.key < $1.key })
    where !parts.bikes.contains(where: { $0.name.folded == name.folded }) {
      addBike(id, name)
    }
    garage += parts.components
  }

  private mutating func addBike(
    _ id: String, _ name: String, brand: String? = nil, model: String? = nil
  ) {
    var fields: [FieldName: Value] = ["name": .string(name)]
    if let brand { fields["brand"] = .string(brand) }
    if let model { fields["model"] = .string(model) }
    garage.append(RecordDraft(.bike, id: RecordID(id), fields: fields, weight: .touch))
    fields["source"] = "export"
    records.rows.append(
      .init(row: nil, draft: RecordDraft(.gear, id: RecordID(id), fields: fields)))
  }

  /// Fills in from a recording what a row lacks.
  ///
  /// A recording that cannot be read leaves the row as it is: the export has nothing more of the ride.
  private mutating func fill(_ draft: inout RecordDraft, from file: RideFile, row: Int) {
    guard let format = TrackFile.format(of: file.path) else { return }
    do {
      let recording = try TrackFile.read(
        try read(file), format: format, time: RecordingTime(zone: options.zone))
      warnings += recording.warnings.map { "row \(row), \(file.path): \($0)" }
      guard let ride = recording.rides.first else { return }
      let recorded = try ride.draft(gear: nil, source: "export").fields
      for name in ["movingTime", "elapsedTime", "distance"] as [FieldName]
      where draft.fields[name] == nil {
        draft.fields[name] = recorded[name]
      }
    } catch {
      let message = (error as? SyncError)?.message ?? "\(error)"
      warnings.append(
        "row \(row) has no distance or time, and its recording \(file.path) cannot be read: \(message)"
      )
    }
  }

  /// Counts the whole time where the moving time makes the ride faster than any bike is, as in recordings.
  private mutating func settle(_ draft: inout RecordDraft, row: Int) {
    let elapsed = draft.fields["elapsedTime"]?.number
    guard let metres = draft.fields["distance"]?.number,
      let moving = draft.fields["movingTime"]?.number ?? elapsed,
      let found = RecordedRide.slower(than: moving, metres: metres, among: [elapsed])
    else { return }
    if found.time != nil { draft.fields["movingTime"] = draft.fields["elapsedTime"] }
    warnings.append("row \(row): \(found.warning)")
  }

  // MARK: Recordings and the app's data

  private mutating func readRecordings(_ files: [RideFile], _ progress: (Int) -> Void) throws {
    var ids: Set<RecordID> = []
    var isAnything = false
    for file in files {
      if let format = format(of: file) {
        isAnything = true
        readRecording(file, format, &ids)
        progress(records.rows.count)
      } else if let found = try recordsOfJSON(file) {
        isAnything = true
        records.rows += found.rows
        records.faults += found.faults
      }
    }
    guard isAnything else {
      throw SyncError(
        .inputInvalid, "There are no rides here: no activities.csv and no FIT, GPX or TCX file.",
        hint:
          "Supported are Strava's bulk export, FIT, GPX and TCX (also as .gz), what 'ride export'"
          + " writes, and the app's JSON.")
    }
    // Of a single file the caller expects a ride.
    if isSingle, let content = census.contents.keys.first, records.faults.isEmpty {
      throw SyncError(
        .inputInvalid, "There is no ride in the file: it is \(content).",
        hint: "A folder of files may have such ones: they are passed over.")
    }
  }

  /// The format of a file by its name, or by its content where the name says nothing.
  private func format(of file: RideFile) -> TrackFile.Format? {
    if let format = TrackFile.format(of: file.path) { return format }
    let hasExtension = file.name.dropFirst().contains(".")
    guard isSingle || !hasExtension, !file.name.lowercased().hasSuffix(".json") else { return nil }
    guard let bytes = try? file.contents(), let plain = try? TrackFile.unpacked(bytes) else {
      return nil
    }
    return TrackFile.format(of: plain)
  }

  /// The records of a JSON file: rides that were exported, or the app's data; nil for others.
  private func recordsOfJSON(_ file: RideFile) throws -> ImportedRecords? {
    guard file.name.lowercased().hasSuffix(".json") else { return nil }
    let bytes = try read(file)
    if let document = (try? JSON(parsing: bytes)).flatMap({ RideDocument($0) }) {
      return document.imported()
    }
    return try AppData(bytes, format: "json")?.ridesAndGear()
  }

  private mutating func readRecording(
    _ file: RideFile, _ format: TrackFile.Format, _ ids: inout Set<RecordID>
  ) {
    do {
      let recording = try TrackFile.read(
        try read(file), format: format, time: RecordingTime(zone: options.zone))
      warn(recording.warnings, of: file)
      if let content = recording.content { census.add(content: content) }
      for ride in recording.rides { try take(ride, format, of: file, &ids) }
    } catch {
      let message = (error as? SyncError)?.message ?? "\(error)"
      records.faults.append(
        .init(row: nil, column: isSingle ? nil : file.path, message: message))
    }
  }

  private mutating func warn(_ sentences: [String], of file: RideFile) {
    warnings += sentences.map { isSingle ? $0 : "\(file.path): \($0)" }
  }

  private mutating func take(
    _ ride: RecordedRide, _ format: TrackFile.Format, of file: RideFile, _ ids: inout Set<RecordID>
  ) throws {
    guard !ride.isEmpty else { return census.addEmpty() }
    guard let (kind, isIndoors) = census.ride(ride.type ?? "Ride", options) else { return }
    try options.refuseFuture(ride.start)
    if let warning = ride.warning { warn([warning], of: file) }
    var draft = try ride.draft(
      gear: options.gear, source: format.rawValue, kind: kind, isIndoors: isIndoors)
    let seconds = draft.fields["movingTime"]?.int ?? 0
    var isDouble = false
    if let same = same(as: ride, seconds: seconds) {
      let isItself = RecordID(same.id) == draft.id || isCopy(same, of: ride, seconds: seconds)
      if !isItself || same.origin == .service {
        isDouble = true
        doubles += 1
        // The ride is stored from another source; only its bike may be new.
        guard let gear = options.gear, same.gear == nil else { return }
        draft = RecordDraft(.activity, id: RecordID(same.id), fields: ["gearId": .string(gear)])
      } else {
        draft.id = RecordID(same.id)
        if let gear = options.gear, let before = same.gear,
          options.bikes.bike(of: before) != options.bikes.bike(of: gear)
        {
          warn(["the ride was one of the bike \(before), and now is one of \(gear)"], of: file)
        }
      }
    } else if let id = draft.id, knownIDs[id.text] != nil, let gear = options.gear {
      // Another rider began in the same second.
      draft.id = RecordID("\(id)-\(gear)")
    }
    guard let id = draft.id, ids.insert(id).inserted else {
      if !isDouble { doubles += 1 }
      return
    }
    // The next recording may be of the same ride, by another device.
    let stored = Ride(
      id: id.text, gear: options.gear, start: ride.start, seconds: seconds,
      metres: ride.metres ?? 0, origin: .recording)
    known.insert(stored)
    knownIDs[id.text] = stored
    records.rows.append(.init(row: nil, draft: draft))
  }

  /// The stored ride that a recording is of: one on its bike, or else a copy of it on another.
  private func same(as ride: RecordedRide, seconds: Int64) -> Ride? {
    let gear = options.gear
    if let same = known.match(start: ride.start, seconds: seconds, gear: gear) { return same }
    guard let other = known.other(start: ride.start, seconds: seconds, gear: gear),
      other.origin == .recording, isCopy(other, of: ride, seconds: seconds)
    else { return nil }
    return other
  }

  /// Whether a stored ride has all numbers of a recording: two devices never agree so far.
  private func isCopy(_ stored: Ride, of ride: RecordedRide, seconds: Int64) -> Bool {
    stored.start == ride.start && stored.seconds == seconds
      && abs(stored.metres - (ride.metres ?? 0)) < 0.01
  }

  private func read(_ file: RideFile) throws -> [UInt8] {
    do { return try file.contents() } catch let error as ArchiveError {
      throw SyncError(.inputInvalid, isSingle ? "\(error)" : "\(file.path): \(error)")
    }
  }
}
