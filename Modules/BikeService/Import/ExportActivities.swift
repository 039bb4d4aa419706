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
  /// The activities by what their types say.
  private(set) var census = KindCensus()

  private let columns: ExportColumns
  private let dates: DateColumn
  private let options: RideImport.Options
  /// The folded names of bikes in `bikes.csv`; they identify rides where the types are in unknown
  /// words.
  private let bikes: Set<String>

  /// Reads a whole file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the whole file cannot be read.
  init(
    _ bytes: [UInt8], names: inout GearNames, bikes: Set<String>, options: RideImport.Options,
    progress: (Int) -> Void
  ) throws {
    var table: [CSVRow] = []
    do {
      let text = try Self.text(bytes)
      var reader = CSVReader(text, dialect: CSVDialect(of: text))
      guard let header = try reader.next() else {
        throw SyncError(.inputInvalid, "activities.csv is empty.")
      }
      guard let columns = ExportColumns(header.cells) else {
        throw SyncError(
          .inputInvalid,
          "activities.csv, row \(header.line): these are not the columns of a Strava export.")
      }
      self.columns = columns
      while let row = try reader.next() { table.append(row) }
    } catch let error as CSVError {
      throw SyncError(.inputInvalid, "activities.csv, \(error).")
    }
    self.options = options
    self.bikes = bikes
    let columns = columns
    dates =
      options.dateOrder.map { DateColumn(order: $0) }
      ?? DateColumn(table.lazy.compactMap { columns.cell(.date, of: $0.cells) })
    var seen: [String: Int] = [:]
    for row in table {
      do {
        guard let found = try read(row, names: &names) else { continue }
        let id = found.draft.id?.text ?? ""
        if let first = seen.updateValue(row.line, forKey: id) {
          throw SyncError(.inputInvalid, "The activity \(id) is already in row \(first).")
        }
        rows.append(found)
      } catch let error as SyncError {
        faults.append(.init(row: row.line, message: error.message))
      }
      if rows.count % 1000 == 0 { progress(rows.count) }
    }
  }

  /// Whether a file has the columns of such an export.
  static func isExport(_ bytes: [UInt8]) -> Bool {
    // Its first name is in every language a word with a number behind it.
    guard bytes.count > 20, let text = try? text(Array(bytes.prefix(1 << 16))) else { return false }
    var reader = CSVReader(text, dialect: CSVDialect(of: text))
    guard let header = try? reader.next() else { return false }
    return ExportColumns(header.cells)?.isNamed ?? false
  }

  /// The table in UTF-8: a program that saved it again may have taken another encoding.
  private static func text(_ bytes: [UInt8]) throws -> [UInt8] {
    do throws(DecodedTextError) { return try DecodedText(bytes).utf8 } catch {
      throw SyncError(.inputInvalid, "activities.csv: \(error)", hint: DecodedTextError.hint)
    }
  }

  private mutating func read(_ row: CSVRow, names: inout GearNames) throws -> Row? {
    let cells = row.cells
    let gear = columns.cell(.gear, of: cells)
    let type = columns.cell(.type, of: cells) ?? ""
    guard let (sport, isIndoors) = census.ride(type, options, isKnownBike: isKnownBike(gear)) else {
      return nil
    }
    guard let id = columns.cell(.id, of: cells), id.utf8.allSatisfy(\.isDigit), id.utf8.count <= 40
    else { throw SyncError(.inputInvalid, "The activity's id is not a number.") }
    var fields: [FieldName: Value] = [
      "startDate": .instant(try date(cells)), "type": .string(type.isEmpty ? sport : type),
      "sportType": .string(sport), "source": "export",
    ]
    if isIndoors, sport != "VirtualRide" { fields["trainer"] = true }
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
      row: row.line, draft: RecordDraft(.activity, id: RecordID(id), fields: fields),
      file: isComplete ? nil : columns.cell(.file, of: cells))
  }

  private func isKnownBike(_ gear: String?) -> Bool {
    gear.map { bikes.contains($0.folded) } ?? false
  }

  /// The start: an export has the time in UTC, in the language of the account.
  private func date(_ cells: [String]) throws -> Int64 {
    let text = columns.cell(.date, of: cells) ?? ""
    let shown = DisplayWidth.sanitized(text)
    switch dates.read(text) {
    case .time(let time):
      let start = time.milliseconds()
      try options.refuseFuture(start)
      return start
    case .doubtful:
      throw SyncError(
        .inputInvalid,
        "'\(shown)' may be two dates: --date-format d/m/y or m/d/y says which.")
    case .unreadable:
      throw SyncError(.inputInvalid, "Could not read the date '\(shown)'.")
    }
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
    let metres = isDisplay ? number * (options.usesMiles ? 1609.344 : 1000) : number
    guard 0...RecordedRide.farthest ~= metres else {
      throw SyncError(
        .inputInvalid, "'\(DisplayWidth.sanitized(text))' is not a plausible distance.")
    }
    return .double(metres)
  }
}
