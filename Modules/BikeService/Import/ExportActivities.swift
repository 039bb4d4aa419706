import SyncKitFormats
import SyncKit

/// Reads the `activities.csv` of Strava's bulk export.
struct ExportActivities {
  /// The data of a row, with the file of the recording where the row itself has too little.
  struct Row {
    var row: Int
    var draft: RecordDraft
    var file: String?
  }

  private(set) var rows: [Row] = []
  private(set) var faults: [ImportedRecords.Fault] = []
  /// The number of activities that are not rides.
  private(set) var skipped = 0

  private let columns: ExportColumns
  private let usesMiles: Bool
  /// The folded names of bikes in `bikes.csv`; they identify rides where the types are in unknown
  /// words.
  private let bikes: Set<String>

  /// Reads a whole file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the whole file cannot be read.
  init(
    _ bytes: [UInt8], names: inout GearNames, bikes: Set<String>, usesMiles: Bool,
    progress: (Int) -> Void
  ) throws {
    var reader = CSVReader(bytes)
    do {
      guard let header = try reader.next() else {
        throw SyncError(.inputInvalid, "activities.csv is empty.")
      }
      guard let columns = ExportColumns(header.cells) else {
        throw SyncError(
          .inputInvalid,
          "activities.csv, row \(header.line): these are not the columns of a Strava export.")
      }
      self.columns = columns
      self.usesMiles = usesMiles
      self.bikes = bikes
      var seen: [String: Int] = [:]
      while let row = try reader.next() {
        do {
          if let found = try read(row, names: &names) {
            let id = found.draft.id?.text ?? ""
            if let first = seen.updateValue(row.line, forKey: id) {
              throw SyncError(.inputInvalid, "The activity \(id) is already in row \(first).")
            }
            rows.append(found)
          } else {
            skipped += 1
          }
        } catch let error as SyncError {
          faults.append(.init(row: row.line, message: error.message))
        }
        if rows.count % 1000 == 0 { progress(rows.count) }
      }
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "activities.csv, \(error).")
    }
  }

  private func read(_ row: CSVRow, names: inout GearNames) throws -> Row? {
    let cells = row.cells
    let gear = columns.cell(.gear, of: cells)
    let type = columns.cell(.type, of: cells) ?? ""
    guard let sport = sport(type, gear: gear) else { return nil }
    guard let id = columns.cell(.id, of: cells), id.utf8.allSatisfy(\.isDigit), id.utf8.count <= 40
    else { throw SyncError(.inputInvalid, "The activity's id is not a number.") }
    let dateText = columns.cell(.date, of: cells) ?? ""
    guard let date = ExportDate.parse(dateText) else {
      throw SyncError(
        .inputInvalid, "Could not read the date '\(DisplayWidth.sanitized(dateText))'.")
    }
    var fields: [Name: Value] = [
      "startDate": .instant(date), "type": .string(type.isEmpty ? sport : type),
      "sportType": .string(sport), "source": "export",
    ]
    if let name = columns.cell(.name, of: cells) { fields["name"] = .string(name) }
    if let gear {
      if let number = columns.cell(.bike, of: cells).flatMap(Self.gearNumber) {
        names.learn(gear, is: "b\(number)")
      }
      fields["gearId"] = .string(names.id(of: gear))
    }
    fields["elapsedTime"] = try seconds(.elapsed, cells)
    fields["movingTime"] = try seconds(.moving, cells)
    fields["distance"] = try distance(cells)
    if let text = columns.cell(.elevation, of: cells),
      let metres = LocalNumber.parse(text, isEnglish: columns.isNamed)
    {
      fields["elevationGain"] = .double(metres)
    }
    if columns.cell(.commute, of: cells)?.lowercased() == "true" { fields["commute"] = true }
    let isComplete = fields["distance"] != nil && fields["elapsedTime"] != nil
    return Row(
      row: row.line, draft: RecordDraft(.activity, id: Name(id), fields: fields),
      file: isComplete ? nil : columns.cell(.file, of: cells))
  }

  /// The sport in the words of the service; nil for an activity that is not a ride.
  private func sport(_ type: String, gear: String?) -> String? {
    if SportType.isRide(type) { return String(type.filter { $0 != " " && $0 != "-" }) }
    if SportType.isKnownOther(type) { return nil }
    return gear.map { bikes.contains($0.folded) } ?? false ? "Ride" : nil
  }

  /// The number of a bike; some exports write it as `12345.0`.
  private static func gearNumber(_ text: String) -> String? {
    let digits = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    return !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit) && digits != "0" ? digits : nil
  }

  private func seconds(_ column: ExportColumns.Column, _ cells: [String]) throws -> Value? {
    guard let (text, _) = columns.cells(column, of: cells).first else { return nil }
    guard let number = LocalNumber.parse(text, isEnglish: columns.isNamed),
      let whole = Int64(whole: number), 0...Ride.longest ~= whole
    else {
      throw SyncError(
        .inputInvalid, "'\(DisplayWidth.sanitized(text))' is not a number of seconds.")
    }
    return .int(whole)
  }

  private func distance(_ cells: [String]) throws -> Value? {
    guard let (text, isDisplay) = columns.cells(.distance, of: cells).first else { return nil }
    guard let number = LocalNumber.parse(text, isEnglish: columns.isNamed) else {
      throw SyncError(.inputInvalid, "'\(DisplayWidth.sanitized(text))' is not a distance.")
    }
    let metres = isDisplay ? number * (usesMiles ? 1609.344 : 1000) : number
    guard 0...RecordedRide.farthest ~= metres else {
      throw SyncError(
        .inputInvalid, "'\(DisplayWidth.sanitized(text))' is not a plausible distance.")
    }
    return .double(metres)
  }
}
