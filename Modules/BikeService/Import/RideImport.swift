import SyncKitFormats
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
    /// Rides that are already stored.
    public var known: [Ride] = []

    /// Makes options.
    public init() {}
  }

  /// The records of the local store.
  public private(set) var records = ImportedRecords(rows: [])
  /// Bikes and components that the files name, as defaults for the synced store.
  public private(set) var garage: [RecordDraft] = []
  /// The number of activities left out because they are not rides.
  public private(set) var skipped = 0
  /// The number of recordings of rides that are already stored.
  public private(set) var doubles = 0

  private var names: GearNames
  private let options: Options
  private var known: RideTimes

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
    known = RideTimes(options.known)
    let export = files.filter { $0.name.lowercased() == "activities.csv" }
      .min { $0.path.utf8.count < $1.path.utf8.count }
    if let export {
      try readExport(export, files, progress)
    } else {
      try readRecordings(files, progress)
    }
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
      try read(export), names: &names, bikes: bikes, usesMiles: options.usesMiles,
      progress: progress)
    if let bytes = try contents("components.csv") {
      try parts.readComponents(bytes, names: &names)
    }
    skipped = activities.skipped
    records.faults = parts.faults + activities.faults
    for row in activities.rows {
      var draft = row.draft
      if let path = row.file, let file = byPath[folder + path] {
        fill(&draft, from: file, row: row.row)
      }
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
    var fields: [Name: Value] = ["name": .string(name)]
    if let brand { fields["brand"] = .string(brand) }
    if let model { fields["model"] = .string(model) }
    garage.append(RecordDraft(.bike, id: Name(id), fields: fields, weight: .touch))
    fields["source"] = "export"
    records.rows.append(.init(row: nil, draft: RecordDraft(.gear, id: Name(id), fields: fields)))
  }

  /// Fills in from a recording what a row lacks.
  private mutating func fill(_ draft: inout RecordDraft, from file: RideFile, row: Int) {
    guard let format = TrackFile.format(of: file.path) else { return }
    do {
      guard let ride = try TrackFile.rides(try read(file), format: format).first else { return }
      let recorded = try ride.draft(gear: nil, source: "export").fields
      for name in ["movingTime", "elapsedTime", "distance"] as [Name]
      where draft.fields[name] == nil {
        draft.fields[name] = recorded[name]
      }
    } catch let error as SyncError {
      records.faults.append(.init(row: row, column: file.path, message: error.message))
    } catch {
      records.faults.append(.init(row: row, column: file.path, message: "\(error)"))
    }
  }

  // MARK: Recordings and the app's data

  private mutating func readRecordings(_ files: [RideFile], _ progress: (Int) -> Void) throws {
    var ids: Set<Name> = []
    var isAnything = false
    for file in files {
      if let format = TrackFile.format(of: file.path) {
        isAnything = true
        readRecording(file, format, &ids)
        progress(records.rows.count)
      } else if let data = try appData(file) {
        isAnything = true
        let found = try data.ridesAndGear()
        records.rows += found.rows
        records.faults += found.faults
      }
    }
    guard isAnything else {
      throw SyncError(
        .inputInvalid, "There are no rides here: no activities.csv and no FIT, GPX or TCX file.",
        hint:
          "Supported are Strava's bulk export, FIT, GPX and TCX (also as .gz), and the app's JSON.")
    }
  }

  private func appData(_ file: RideFile) throws -> AppData? {
    guard file.name.lowercased().hasSuffix(".json") else { return nil }
    return try AppData(try read(file), format: "json")
  }

  private mutating func readRecording(
    _ file: RideFile, _ format: TrackFile.Format, _ ids: inout Set<Name>
  ) {
    do {
      for ride in try TrackFile.rides(try read(file), format: format) {
        guard ride.isRide else {
          skipped += 1
          continue
        }
        var draft = try ride.draft(gear: options.gear, source: format.rawValue)
        let seconds = draft.fields["movingTime"]?.int ?? 0
        var isDouble = false
        if let id = known.ride(near: ride.start, seconds: seconds), Name(id) != draft.id {
          isDouble = true
          doubles += 1
          // The ride is stored from another source; only its bike may be new.
          guard let gear = options.gear else { continue }
          draft = RecordDraft(.activity, id: Name(id), fields: ["gearId": .string(gear)])
        }
        guard let id = draft.id, ids.insert(id).inserted else {
          if !isDouble { doubles += 1 }
          continue
        }
        // The next recording may be of the same ride, by another device.
        known.insert(
          Ride(
            id: id.text, gear: options.gear, start: ride.start, seconds: seconds,
            metres: ride.metres ?? 0))
        records.rows.append(.init(row: nil, draft: draft))
      }
    } catch let error as SyncError {
      records.faults.append(.init(row: nil, column: file.path, message: error.message))
    } catch {
      records.faults.append(.init(row: nil, column: file.path, message: "\(error)"))
    }
  }

  private func read(_ file: RideFile) throws -> [UInt8] {
    do { return try file.contents() } catch let error as ArchiveError {
      throw SyncError(.inputInvalid, "\(file.path): \(error)")
    }
  }
}
