import SyncKit

/// The meanings of a table's columns, from its header and the user's options.
struct MeasurementColumns {
  enum Meaning: Equatable {
    case date, time, comment, pressure
    case weight(MassUnit?)
    case systolic(PressureUnit), diastolic(PressureUnit)
    case ignored
  }

  /// The columns with a meaning, with their headers.
  private(set) var columns: [(index: Int, header: String, meaning: Meaning)] = []

  /// Reads a header.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when a column is unknown, occurs twice, or
  ///   no column holds measurements.
  init(_ header: [String], mapped: [String: String]) throws {
    let mapped = Dictionary(
      mapped.map { ($0.key.folded, $0.value) }, uniquingKeysWith: { first, _ in first })
    var unknown: [Int] = []
    for (index, cell) in header.enumerated() {
      let text = mapped[cell.folded] ?? cell
      guard let meaning = Self.meaning(of: text) else {
        unknown.append(index + 1)
        continue
      }
      if meaning != .ignored { columns.append((index, cell, meaning)) }
    }
    guard unknown.isEmpty else {
      let places = unknown.map { "\($0)" }.joined(separator: ", ")
      throw SyncError(
        .inputInvalid, "Could not understand the header of column \(places).",
        hint: "say what a column holds with --column 'HEADER=weight kg', or skip it with 'HEADER='")
    }
    for (place, column) in columns.enumerated()
    where columns[..<place].contains(where: { $0.meaning.isLike(column.meaning) }) {
      throw SyncError(
        .inputInvalid, "Column \(column.index + 1) means the same as an earlier one.",
        hint: "skip one of them with --column 'HEADER='")
    }
    guard columns.contains(where: { $0.meaning.isMeasured }) else {
      throw SyncError(
        .inputInvalid, "No column holds a weight or a blood pressure.",
        hint: "say what a column holds with --column 'HEADER=weight kg'")
    }
    let hasUpper = columns.contains { if case .systolic = $0.meaning { true } else { false } }
    let hasLower = columns.contains { if case .diastolic = $0.meaning { true } else { false } }
    guard hasUpper == hasLower else {
      throw SyncError(.inputInvalid, "The columns 'systolic' and 'diastolic' belong together.")
    }
  }

  /// The meaning of a header: words, and a unit after them, in brackets or not.
  static func meaning(of header: String) -> Meaning? {
    let separators: Set<Character> = [" ", "(", ")", "[", "]", "_", "/", ",", ":"]
    // The brackets of `mm[Hg]` belong to the unit.
    let text = header.folded.replacing("mm[hg]", with: "mmhg")
    let words = text.split(whereSeparator: separators.contains).map(String.init)
    guard let first = words.first else { return .ignored }
    let rest = words.dropFirst()
    let unit = rest.joined(separator: " ")
    switch first {
    case "-", "ignore": return .ignored
    case "date", "day", "datetime", "timestamp": return .date
    case "time": return .time
    case "comment", "comments", "note", "notes", "remark": return .comment
    case "weight", "mass", "weightkg", "bodyweight":
      if first == "weightkg" { return .weight(.kilogram) }
      if rest.isEmpty { return .weight(nil) }
      return MassUnit(named: unit).map { .weight($0) }
    case "systolic", "sys": return pressure(unit).map { .systolic($0) }
    case "diastolic", "dia": return pressure(unit).map { .diastolic($0) }
    case "bp": return .pressure
    case "blood" where rest.first == "pressure": return .pressure
    case "bloodpressure": return .pressure
    default: return nil
    }
  }

  private static func pressure(_ unit: String) -> PressureUnit? {
    unit.isEmpty ? .millimetresOfMercury : PressureUnit(named: unit)
  }
}

extension MeasurementColumns.Meaning {
  var isMeasured: Bool {
    switch self {
    case .weight, .systolic, .diastolic, .pressure: true
    case .date, .time, .comment, .ignored: false
    }
  }

  /// Whether both have the same meaning, whatever the unit.
  func isLike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.weight, .weight), (.systolic, .systolic), (.diastolic, .diastolic): true
    default: self == other
    }
  }
}
