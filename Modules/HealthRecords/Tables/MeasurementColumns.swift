import SyncKitFormats
import SyncKit

/// The meanings of a table's columns, from its header and the user's options.
struct MeasurementColumns {
  enum Meaning: Equatable {
    case date, time, zone, comment, pressure
    /// Words about a measurement, with the label under which they become part of its remark.
    case remark(String)
    case weight(MassUnit?)
    case systolic(PressureUnit?), diastolic(PressureUnit?)
    case vital(VitalSign, Part)
    case ignored
  }

  /// Which number of a kind a column has.
  enum Part: Equatable { case value, minimum, maximum }

  struct Column {
    var index: Int
    var header: String
    var meaning: Meaning
    /// The unit of a vital sign, from the header.
    var unit: String?
    /// Whether an option named the meaning.
    var isMapped = false
  }

  /// The columns with a meaning.
  private(set) var columns: [Column] = []
  /// The other columns, by position, with their headers.
  private(set) var unknown: [(index: Int, header: String)] = []
  /// The columns that are known and not read.
  private(set) var passed: [String] = []
  let count: Int

  init(_ header: [String], mapped: [String: String]) {
    let mapped = Dictionary(
      mapped.map { ($0.key.folded, $0.value) }, uniquingKeysWith: { first, _ in first })
    count = header.count
    for (index, cell) in header.enumerated() {
      let option = mapped[cell.folded] ?? mapped[ColumnHeader(cell).text.folded]
      guard let (meaning, unit) = Self.meaning(of: option ?? cell) else {
        unknown.append((index, ColumnHeader(cell).text))
        continue
      }
      guard meaning != .ignored else {
        if !cell.trimmed.isEmpty { passed.append(ColumnHeader(cell).text) }
        continue
      }
      columns.append(
        Column(
          index: index, header: ColumnHeader(cell).text, meaning: meaning, unit: unit,
          isMapped: option != nil))
    }
  }

  /// Whether the cells can be the header of such a table: a time and a measurement.
  var isHeader: Bool {
    hasMeasurement
      && columns.contains { $0.meaning == .date || $0.meaning == .time }
  }

  var hasMeasurement: Bool { columns.contains { $0.meaning.isMeasured } }

  /// Refuses columns that are not understood, that mean the same, or that hold no measurement.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  mutating func check(ignoringOthers: Bool) throws {
    guard unknown.isEmpty || ignoringOthers else {
      // Only a real header is repeated: the first line of another file may be data.
      let places = unknown.map { isHeader ? "\($0.index + 1) ('\($0.header)')" : "\($0.index + 1)" }
      throw SyncError(
        .inputInvalid,
        "Could not understand the header of column \(places.joined(separator: ", ")).",
        hint: """
          say what a column holds with --column 'HEADER=weight kg', skip it with 'HEADER=', or skip \
          all of them with --ignore-other-columns
          """)
    }
    for (place, column) in columns.enumerated() {
      let isTwice = columns[..<place].contains { $0.meaning.isLike(column.meaning) }
      guard !isTwice else {
        throw SyncError(
          .inputInvalid, "Column \(column.index + 1) means the same as an earlier one.",
          hint: "skip one of them with --column 'HEADER='")
      }
    }
    guard hasMeasurement else {
      throw SyncError(
        .inputInvalid, "No column holds a measurement, such as a weight or a blood pressure.",
        hint: "say what a column holds with --column 'HEADER=weight kg'")
    }
    let hasUpper = columns.contains { if case .systolic = $0.meaning { true } else { false } }
    let hasLower = columns.contains { if case .diastolic = $0.meaning { true } else { false } }
    guard hasUpper == hasLower else {
      throw SyncError(.inputInvalid, "The columns 'systolic' and 'diastolic' belong together.")
    }
  }

  /// Passes over a column that turned out not to be needed.
  mutating func pass(_ index: Int) {
    guard let place = columns.firstIndex(where: { $0.index == index }) else { return }
    passed.append(columns[place].header)
    columns.remove(at: place)
  }

  /// Treats a column as not understood, since nothing says its unit.
  mutating func doubt(_ index: Int) {
    guard let place = columns.firstIndex(where: { $0.index == index }) else { return }
    unknown.append((index, columns[place].header))
    columns.remove(at: place)
  }

  /// What was used and what was not.
  var report: ColumnReport {
    var report = ColumnReport()
    for column in columns { report.use(column.header, as: column.meaning.words) }
    for header in passed + unknown.map(\.header) { report.pass(header) }
    return report
  }

  // MARK: Headers

  /// The meaning of a header: words in one of several languages, and a unit after them.
  static func meaning(of header: String) -> (Meaning, String?)? {
    // The brackets of `mm[Hg]` belong to the unit.
    let header = header.replacing("mm[Hg]", with: "mmHg")
    let folded = ColumnHeader.folded(header)
    if folded.isEmpty || folded == "ignore" || folded == "-" { return (.ignored, nil) }
    if folded == "weightkg" { return (.weight(.kilogram), nil) }
    guard let found = ColumnHeader(header).find(in: ColumnNames.all, isUnit: VitalSign.isUnit)
    else { return nil }
    switch found.meaning {
    case .weight:
      guard let unit = found.unit else { return (.weight(nil), nil) }
      return MassUnit(named: unit).map { (.weight($0), nil) }
    case .systolic:
      guard let unit = found.unit else { return (.systolic(nil), nil) }
      return PressureUnit(named: unit).map { (.systolic($0), nil) }
    case .diastolic:
      guard let unit = found.unit else { return (.diastolic(nil), nil) }
      return PressureUnit(named: unit).map { (.diastolic($0), nil) }
    case .pressure:
      return found.unit.map { PressureUnit(named: $0) == .millimetresOfMercury } ?? true
        ? (.pressure, nil) : nil
    case .vital(let sign, let part):
      let unit = found.unit ?? (isShare(folded) ? "%" : nil)
      guard let unit else { return (.vital(sign, part), nil) }
      // 40 is a value in the range of every kind, whatever its unit.
      return sign.stored(40, unit) == nil ? nil : (.vital(sign, part), unit)
    default: return (found.meaning, nil)
    }
  }

  /// Whether a name says that its numbers are a share of the whole.
  private static func isShare(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    return words.contains {
      ["percentage", "percent", "ratio", "pct", "procent", "prozent"].contains($0)
    }
      || ["anteil", "prozent", "prosentti", "percentage", "率"].contains(where: name.hasSuffix)
  }
}

extension MeasurementColumns.Meaning {
  var isMeasured: Bool {
    switch self {
    case .weight, .systolic, .diastolic, .pressure, .vital: true
    case .date, .time, .zone, .comment, .remark, .ignored: false
    }
  }

  /// Whether two columns of these meanings cannot both be read; several remarks and series can.
  func isLike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.weight, .weight), (.systolic, .systolic), (.diastolic, .diastolic): true
    case (.pressure, .pressure), (.time, .time): true
    default: false
    }
  }

  /// The meaning in the report.
  var words: String {
    switch self {
    case .date: "date"
    case .time: "time"
    case .zone: "time zone"
    case .comment, .remark: "comment"
    case .pressure: "blood pressure"
    case .weight: "weight"
    case .systolic: "systolic"
    case .diastolic: "diastolic"
    case .vital(let sign, .value): sign.rawValue.lowercased()
    case .vital(let sign, .minimum): "least \(sign.rawValue.lowercased())"
    case .vital(let sign, .maximum): "greatest \(sign.rawValue.lowercased())"
    case .ignored: "nothing"
    }
  }
}
