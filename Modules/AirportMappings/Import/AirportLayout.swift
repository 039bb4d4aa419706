import SyncKit

/// The meaning of the columns of a table, or of the keys of an object, by their names.
struct AirportLayout {
  /// A column by its place and its name in the file.
  typealias Column = (index: Int, name: String)

  /// Where the IATA code stands; nil where there is none.
  let iata: Column?
  /// Where the ICAO code stands, the best first.
  let icao: [Column]
  /// The other columns that are known.
  let others: [(Column, ImportColumn)]
  /// Whether the table is one of the world's airports rather than of a person's mappings.
  let isOfWorld: Bool
  /// What kind of place a row is about.
  let type: Column?
  /// Until when a row is valid.
  let until: Column?
  /// What marks a row as one of the past.
  let envelope: Column?

  /// Takes names.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it is not clear which column is meant.
  init(_ names: [String]) throws {
    let columns = names.enumerated().map { (index: $0, name: $1) }
    let folded = names.map(ImportColumn.fold)
    func column(_ wanted: String) -> Column? {
      folded.firstIndex(of: wanted).map { columns[$0] }
    }
    let iata = try Self.column(Self.iataNames, Self.iataWords, columns, folded)
    let icao = try Self.column(Self.icaoNames, Self.icaoWords, columns, folded)
    let describes = folded.contains { Self.descriptions.contains($0) }
    let known = columns.compactMap { column in ImportColumn(column.name).map { (column, $0) } }
    let isPersons = known.contains { _, content in
      content != .field(.icao) && content != .field(.source) && content != .field(.created)
        && content != .modified
    }
    isOfWorld = describes && !isPersons
    // An identifier is the ICAO code where there is one; elsewhere a local code, or a number.
    let identifier = isOfWorld && icao == nil && column("gpscode") == nil ? column("ident") : nil
    self.iata = iata
    self.icao = [icao, column("gpscode"), identifier].compactMap { $0 }
    // The other columns of a table of airports are not a person's data.
    others = isOfWorld ? [] : known.filter { $0.1 != .field(.icao) }
    type = isOfWorld ? column("type") : nil
    until = isOfWorld ? column("dateuntil") : nil
    envelope = isOfWorld ? column("envelopeid") : nil
    for name in Set(self.icao.map(\.name) + others.map(\.0.name) + [iata?.name ?? ""])
    where !name.isEmpty && folded.count(where: { $0 == ImportColumn.fold(name) }) > 1 {
      throw SyncError(.inputInvalid, "The column '\(AirportCode.trimmed(name))' appears twice.")
    }
  }

  /// Whether a row names columns.
  static func isHeader(_ cells: [String]) -> Bool {
    let folded = cells.map(ImportColumn.fold)
    if folded.contains(where: { iataNames.contains($0) }) { return true }
    // The name of an airport may hold the letters of one of the words, but hardly of both.
    return folded.contains { name in iataWords.contains { name.contains($0) } }
      && folded.contains { name in icaoWords.contains { name.contains($0) } }
  }

  private static let iataWords = ["iata", "иата", "三字"]
  private static let icaoWords = ["icao", "oaci", "икао", "四字"]
  private static let iataNames = [
    "iata", "iatacode", "codeiata", "iatafaa", "iataairportcode", "airportiata", "codeiataairport",
  ]
  private static let icaoNames = [
    "icao", "icaocode", "codeicao", "icaoid", "icaoairportcode", "airporticao", "codeicaoairport",
    "oaci", "codeoaci",
  ]
  /// What a column is about that has such a word in its name and is no airport's code.
  private static let others = [
    "city", "metro", "country", "airline", "carrier", "region", "state", "name", "date", "type",
  ]
  /// What describes an airport, as opposed to a person's knowledge of its codes.
  private static let descriptions: Set<String> = [
    "name", "airport", "airportname", "nameairport", "city", "cityname", "municipality", "town",
    "country", "countrycode", "countryname", "isocountry", "isoregion", "region", "regionname",
    "state", "subd", "continent", "lat", "latitude", "latitudedeg", "lon", "lng", "long",
    "longitude", "longitudedeg", "coordinates", "elevation", "elevationft", "altitude", "alt",
    "tz", "timezone", "type", "ident", "gpscode", "localcode", "faa", "faacode", "lid",
    "geonameid", "locationtype",
  ]

  /// The column with one of the names, or else the only one with one of the words in its name.
  private static func column(
    _ names: [String], _ words: [String], _ columns: [Column], _ folded: [String]
  ) throws -> Column? {
    for name in names {
      if let index = folded.firstIndex(of: name) { return columns[index] }
    }
    let found = columns.filter { column in
      let name = folded[column.index]
      return words.contains { name.contains($0) } && !others.contains { name.contains($0) }
    }
    // A column that names both codes holds both, or either.
    let alone = found.filter { column in
      let name = folded[column.index]
      return !(name.contains("iata") && name.contains("icao"))
    }
    guard alone.count > 1 else { return alone.first }
    let list = alone.map { "'\(AirportCode.trimmed($0.name))'" }.joined(separator: ", ")
    throw SyncError(
      .inputInvalid, "Several columns may be the \(words[0].uppercased()) code: \(list).",
      hint: "name one of them \(words[0]), or leave the others out")
  }
}
