/// The positions of the columns in an export's `activities.csv`.
///
/// The header repeats names: a first block in the account's display units, a second one in SI
/// units. Of a repeated name the last is taken, and the first where that is empty, as in old exports.
/// Names are in the language of the account; where they are not known, the first block is bound by
/// its positions, which are the same in all languages.
struct ExportColumns {
  /// The values read from a row.
  enum Column: CaseIterable {
    case id, date, name, type, elapsed, distance, gear, file, moving, bike, elevation, commute
  }

  private var positions: [Column: [Int]] = [:]
  /// Whether the names of the header are known.
  let isNamed: Bool

  /// Finds the columns; nil when the header is not of such a file.
  init?(_ header: [String]) {
    var named: [String: [Int]] = [:]
    for (index, name) in header.enumerated() {
      named[name.folded, default: []].append(index)
    }
    for column in Column.allCases {
      if let found = named[Self.names[column] ?? ""] { positions[column] = found }
    }
    isNamed = positions[.id] != nil && positions[.date] != nil
    if isNamed { return }
    // In another language: at least the first block and the beginning of the second one.
    guard header.count >= 18 else { return nil }
    positions = [:]
    for (column, places) in Self.places {
      positions[column] = places.filter { $0 < header.count }
    }
  }

  /// The cells of a row for a column, the preferred one first, empty ones left out.
  ///
  /// `isDisplay` marks a cell of the first block, in display units.
  func cells(_ column: Column, of row: [String]) -> [(text: String, isDisplay: Bool)] {
    let found = positions[column] ?? []
    return found.reversed().compactMap { index in
      guard index < row.count else { return nil }
      let text = row[index].trimmed
      return text.isEmpty ? nil : (text, index < Self.firstBlock)
    }
  }

  /// The first cell of a row for a column.
  func cell(_ column: Column, of row: [String]) -> String? { cells(column, of: row).first?.text }

  /// The number of columns in the first block.
  private static let firstBlock = 15

  private static let names: [Column: String] = [
    .id: "activity id", .date: "activity date", .name: "activity name", .type: "activity type",
    .elapsed: "elapsed time", .distance: "distance", .gear: "activity gear", .file: "filename",
    .moving: "moving time", .bike: "bike", .elevation: "elevation gain", .commute: "commute",
  ]

  private static let places: [Column: [Int]] = [
    .id: [0], .date: [1], .name: [2], .type: [3], .elapsed: [5, 15], .distance: [6, 17],
    .gear: [11], .file: [12], .moving: [16], .commute: [9],
  ]
}
