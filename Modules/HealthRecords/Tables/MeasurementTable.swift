import SyncKitFormats
import SyncKit

/// Reads tables of measurements, as apps and devices export them.
///
/// | Part | Read as |
/// |---|---|
/// | header | names of ``ColumnNames`` in many languages, with units: `Weight (kg)`, `Blutdruck`, `体重` |
/// | lines before the header, and `#` lines | passed over, but for `#Units:kg` |
/// | a line with a date alone | the day of the lines after it |
/// | another header further down | a further table |
/// | dates | any language and order; the order of numbers follows from the column, or an option |
/// | times without a zone | local time, or that of an option |
///
/// An option can give any header a meaning, or skip it. A cell may have its unit: `72.4 kg`.
struct MeasurementTable {
  /// Whether a table is one of records in general, by its columns.
  static func isGeneral(_ bytes: [UInt8]) -> Bool {
    let dialect = CSVDialect(of: bytes)
    var reader = CSVReader(bytes, dialect: dialect)
    guard let header = try? reader.next()?.cells.map(\.folded), header.contains("id") else {
      return false
    }
    return header.contains("parent") || header.contains("collection")
      || !MeasurementColumns(header, mapped: [:]).isHeader
  }

  /// A line with measurements.
  struct Line {
    var row: CSVRow
    /// The position of its header among the sections.
    var section: Int
    /// The date and time as they are written.
    var moment: String
    /// The time zone as it is written; empty where no column has one.
    var zone: String
  }

  private let options: HealthImportOptions
  private var sections: [MeasurementColumns] = []
  private var lines: [Line] = []
  private var defaults = TableDefaults()

  static func read(_ bytes: [UInt8], into collector: inout EntryCollector) throws {
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw SyncError(.inputInvalid, "The file is empty.")
    }
    let subject = try collector.chosenSubject()
    do {
      var table = MeasurementTable(options: collector.options)
      try table.read(rows(of: bytes), into: &collector)
      try table.write(of: subject, into: &collector)
    } catch let error as CSVError {
      throw SyncError(
        .inputInvalid, "The file is not valid CSV: line \(error.line), column \(error.column).")
    }
  }

  private init(options: HealthImportOptions) { self.options = options }

  private static func rows(of bytes: [UInt8]) throws -> [CSVRow] {
    var reader = CSVReader(bytes, dialect: CSVDialect(of: bytes))
    var rows: [CSVRow] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  // MARK: Lines

  private mutating func read(_ rows: [CSVRow], into collector: inout EntryCollector) throws {
    let headers = rows.prefix(60).map { MeasurementColumns($0.cells, mapped: options.columns) }
    let first =
      headers.firstIndex(where: \.isHeader) ?? headers.firstIndex(where: \.hasMeasurement) ?? 0
    guard headers.indices.contains(first) else {
      throw SyncError(.inputInvalid, "The file is empty.")
    }
    for row in rows[..<first] { defaults.take(preamble: row.cells) }
    defaults.take(header: rows[first].cells)
    sections = [headers[first]]
    try sections[0].check(ignoringOthers: options.ignoresOtherColumns)
    var heading = ""
    for row in rows[(first + 1)...] {
      let cells = row.cells.map(\.trimmed)
      guard let start = cells.first(where: { !$0.isEmpty }) else { continue }
      if cells[0].hasPrefix("#") {
        defaults.take(preamble: row.cells)
        continue
      }
      let next = MeasurementColumns(row.cells, mapped: options.columns)
      if next.isHeader {
        sections.append(next)
        heading = ""
        continue
      }
      let layout = sections[sections.count - 1]
      let filled = cells.count { !$0.isEmpty }
      if filled == 1, layout.count > 1, Self.isDay(start) {
        heading = start
        continue
      }
      if filled == 1, layout.count > 2, cells.count <= 2, !layout.isMeasured(cells) {
        collector.leaveOut("lines that are titles", row: row.line)
        continue
      }
      guard cells.count <= layout.count || cells[layout.count...].allSatisfy(\.isEmpty) else {
        let count = Plural(cells.count, "cell")
        collector.fail(row.line, nil, "The row has \(count) where the header has \(layout.count).")
        continue
      }
      let (moment, zone) = layout.moment(of: cells, heading: heading)
      lines.append(Line(row: row, section: sections.count - 1, moment: moment, zone: zone))
    }
  }

  /// Whether a text is a day without a time, as some programs write above the times.
  private static func isDay(_ text: String) -> Bool {
    guard text.utf8.count >= 6, Double(plain: text) == nil else { return false }
    if let date = HealthDate(text) { return date.day != nil && !date.hasTime }
    let column = DateColumn([text])
    if case .doubtful = column.read(text) { return true }
    return column.read(text).time.map { $0.time == nil } ?? false
  }

  // MARK: Entries

  private mutating func write(of subject: RecordID, into collector: inout EntryCollector) throws {
    try resolveUnits()
    let dates = TableDates(
      lines.map(\.moment), order: options.dateOrder, zone: options.zone,
      isUniversal: defaults.isUniversal, zoneNamed: options.zoneNamed)
    let hasDates = sections[0].columns.contains { $0.meaning == .date || $0.meaning == .time }
    for line in lines {
      var date: HealthDate?
      if !line.moment.isEmpty {
        switch dates.read(line.moment, zone: line.zone) {
        case .date(let found): date = found
        case .doubtful:
          throw SyncError(
            .inputInvalid,
            "Line \(line.row.line): nothing in the table says whether the day or the month comes first.",
            hint: "say it with --date-format d/m/y or --date-format m/d/y")
        case .unknownZone:
          collector.fail(
            line.row.line, "time zone",
            "The zone '\(line.zone.trimmed)' is not known; write one such as +02:00 or "
              + "Europe/Berlin, or skip the column.")
          continue
        case .unreadable:
          collector.fail(line.row.line, "date", "The cell is not a date such as 2024-01-15.")
          continue
        }
      } else if hasDates {
        collector.leaveOut("rows without a date", row: line.row.line)
        continue
      }
      var row = MeasurementRow(line.row, sections[line.section], defaults)
      row.read(date, of: subject, into: &collector)
    }
    for section in sections { section.report.sentences.forEach { collector.note($0) } }
  }

  /// Refuses or skips columns of which neither the header nor the cells say the unit.
  private mutating func resolveUnits() throws {
    for section in sections.indices {
      let rows = lines.filter { $0.section == section }
      for column in sections[section].columns {
        guard case .vital(let sign, _) = column.meaning, column.unit == nil else { continue }
        if defaults.isUnclear(column.header), !column.isMapped {
          sections[section].pass(column.index)
          continue
        }
        let cells = rows.lazy.compactMap { line -> TableCell? in
          guard line.row.cells.indices.contains(column.index) else { return nil }
          let cell = TableCell(line.row.cells[column.index])
          return cell.isBlank || cell.quantity?.value == 0 ? nil : cell
        }
        guard let quantity = cells.lazy.compactMap(\.quantity).first else { continue }
        let unit = quantity.unit ?? defaults.unit(of: sign)
        if sign.stored(
          quantity.value, unit, lengths: defaults.lengths, masses: defaults.masses) == nil
        {
          sections[section].doubt(column.index)
        }
      }
      try sections[section].check(ignoringOthers: options.ignoresOtherColumns || section > 0)
    }
  }
}

extension MeasurementColumns {
  /// Whether a line has anything in a column of measurements.
  fileprivate func isMeasured(_ cells: [String]) -> Bool {
    columns.contains { column in
      column.meaning.isMeasured && cells.indices.contains(column.index)
        && !TableCell(cells[column.index]).isBlank
    }
  }

  /// The date and time of a line as written, and the time zone that it names.
  fileprivate func moment(of cells: [String], heading: String) -> (text: String, zone: String) {
    func cell(_ meaning: Meaning) -> String {
      let places = columns.filter { $0.meaning == meaning }
      // Of several columns with dates the first that has one: a day of the week is none.
      let texts = places.map { cells.indices.contains($0.index) ? cells[$0.index] : "" }
      return texts.first { $0.contains(where: \.isNumber) } ?? texts.first ?? ""
    }
    var day = cell(.date)
    let time = cell(.time)
    if day.isEmpty { day = heading }
    if day.isEmpty { return (time, cell(.zone)) }
    return (time.isEmpty || day.contains(":") ? day : "\(day) \(time)", cell(.zone))
  }
}
