/// The positions of the columns in an export's `activities.csv`.
///
/// The header repeats names: a first block in the account's display units, a second one in SI
/// units. Of a repeated name the last is taken, and the first where that is empty, as in old exports.
/// Names are in the language of the account; where they are not known, the first block is bound by
/// its positions, which are the same in all languages. Exports before July 2019 have one block, in SI
/// units, with names such as `elapsed_time`.
struct ExportColumns {
  /// The values read from a row.
  enum Column: CaseIterable {
    case id, date, name, type, elapsed, distance, gear, file, moving, bike, elevation, commute
  }

  private var positions: [Column: [Int]] = [:]
  /// Whether the names of the header are known.
  let isNamed: Bool
  /// Whether it has one block, in SI units.
  let isOld: Bool

  /// Finds the columns; nil when the header is not of such a file.
  init?(_ header: [String]) {
    var named: [String: [Int]] = [:]
    for (index, name) in header.enumerated() {
      named[name.folded, default: []].append(index)
    }
    let old = named["id"] != nil && named["date"] != nil && named["type"] != nil
    for column in Column.allCases {
      let name = old ? Self.oldNames[column] : Self.names[column]
      if let found = named[name ?? ""] { positions[column] = found }
    }
    isOld = old
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
  /// `isDisplay` marks a cell of the first block, in display units: of a name that comes twice the first,
  /// wherever the columns stand.
  func cells(_ column: Column, of row: [String]) -> [(text: String, isDisplay: Bool)] {
    let found = positions[column] ?? []
    return found.indices.reversed().compactMap { number in
      let index = found[number]
      guard index < row.count else { return nil }
      let text = row[index].trimmed
      let isFirst = isNamed && found.count > 1 ? number == 0 : index < Self.firstBlock
      return text.isEmpty ? nil : (text, !isOld && isFirst)
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

  private static let oldNames: [Column: String] = [
    .id: "id", .date: "date", .name: "name", .type: "type", .elapsed: "elapsed_time",
    .distance: "distance", .gear: "gear", .file: "filename", .moving: "moving_time",
    .commute: "commute",
  ]

  private static let places: [Column: [Int]] = [
    .id: [0], .date: [1], .name: [2], .type: [3], .elapsed: [5, 15], .distance: [6, 17],
    .gear: [11], .file: [12], .moving: [16], .commute: [9], .elevation: [20],
  ]
}
