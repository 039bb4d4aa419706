import SyncKitFormats
import SyncKit

/// Reads the app's map of codes, documents with records, and other programs' lists of airports.
struct JSONImport {
  private var rows: ImportedRows
  private let reference: AirportReference
  /// The meaning of the keys of the objects so far.
  private var layouts: [[String]: AirportLayout] = [:]

  init(rows: ImportedRows, reference: AirportReference) {
    self.rows = rows
    self.reference = reference
  }

  /// Reads a whole file.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for bytes that are not JSON, or neither an
  ///   object nor an array.
  mutating func read(_ bytes: [UInt8], isLines: Bool = false) throws -> ImportedRecords {
    if isLines { return try readLines(bytes) }
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      if JSONLines.isOne(bytes) { return try readLines(bytes) }
      throw SyncError(.inputInvalid, "The file is not valid JSON: \(error).")
    }
    if let records = document["records"]?.array ?? document.array {
      try add(list: records)
    } else if document["schema"]?.string == AirportImport.communitySchema {
      add(maps: document["pairs"]?.object.map { [$0] } ?? [], or: [:])
    } else if let object = document.object {
      let maps = AirportImport.mapKeys.compactMap { object[$0]?.object }
      if maps.isEmpty, let records = Self.records(in: object) {
        try add(list: records)
      } else {
        try addMembers(maps, or: object)
      }
    } else {
      throw SyncError(
        .inputInvalid, "The file must contain an object of codes or an array of records.")
    }
    return try rows.finish()
  }

  private mutating func readLines(_ bytes: [UInt8]) throws -> ImportedRecords {
    let lines = JSONLines(bytes)
    for fault in lines.faults { rows.fail(fault.line, "The line is not JSON: \(fault.message).") }
    for (line, value) in lines.values { try add(value, row: line) }
    return try rows.finish()
  }

  /// The only list of objects or rows within an object, such as the features of a map.
  private static func records(in object: JSONObject, depth: Int = 0) -> [JSON]? {
    let lists = object.members.compactMap { member -> [JSON]? in
      guard let list = member.value.array, let first = list.first else { return nil }
      return first.object != nil || first.array != nil ? list : nil
    }
    if lists.count == 1 { return lists[0] }
    guard lists.isEmpty, depth < 3 else { return nil }
    let isList = object.members.contains { $0.value.array != nil }
    let objects = object.members.compactMap(\.value.object)
    guard objects.count == 1, !isList else { return nil }
    return records(in: objects[0], depth: depth + 1)
  }

  // MARK: Maps

  private mutating func addMembers(_ maps: [JSONObject], or object: JSONObject) throws {
    if maps.isEmpty {
      let isOfAirports = object.members.contains { $0.value.object != nil }
      for (index, member) in object.members.enumerated() where isOfAirports {
        try add(member, row: index + 1)
      }
      if isOfAirports { return }
    }
    add(maps: maps, or: object)
  }

  private mutating func add(maps: [JSONObject], or object: JSONObject) {
    // The app's two keys hold the same map from different versions, so a pair may stand in both.
    var pairs: [(key: String, value: JSON)] = []
    for member in maps.isEmpty ? object.members : maps.flatMap(\.members)
    where maps.count < 2 || !pairs.contains(where: { $0 == member }) {
      pairs.append(member)
    }
    let isSwapped = Self.isSwapped(pairs)
    for (index, pair) in pairs.enumerated() {
      addPair(pair, row: index + 1, isSwapped: isSwapped)
    }
  }

  /// Whether most pairs have the ICAO code as their key.
  private static func isSwapped(_ pairs: [(key: String, value: JSON)]) -> Bool {
    func count(_ isPair: (String, String) -> Bool) -> Int {
      pairs.count { pair in pair.value.string.map { isPair(pair.key, $0) } ?? false }
    }
    func isPair(_ iata: String, _ icao: String) -> Bool {
      (try? AirportCode.iata(iata)) != nil && (try? AirportCode.icao(icao)) != nil
    }
    return count { isPair($1, $0) } > count { isPair($0, $1) }
  }

  private mutating func addPair(
    _ pair: (key: String, value: JSON), row: Int, isSwapped: Bool = false
  ) {
    guard isSwapped else {
      return rows.add(
        ImportedRows.Airport(
          row: row, iata: (pair.key, .string(pair.key)), icao: [(pair.key, pair.value)]))
    }
    rows.add(
      ImportedRows.Airport(
        row: row, iata: (pair.key, pair.value), icao: [(pair.key, .string(pair.key))]))
  }

  /// Adds a member of an object of airports: the key is one of the codes, or some other name.
  private mutating func add(_ member: (key: String, value: JSON), row: Int) throws {
    guard let object = member.value.object else { return addPair(member, row: row) }
    let isIATA = (try? AirportCode.iata(member.key)) != nil
    let isICAO = (try? AirportCode.icao(member.key)) != nil
    for var airport in try airports(object, row: row) {
      if isIATA, airport.iata.value.isNull {
        airport.iata = (member.key, .string(member.key))
      } else if isICAO, airport.icao.isEmpty {
        airport.icao = [(member.key, .string(member.key))]
      }
      rows.add(airport)
    }
  }

  // MARK: Lists

  private mutating func add(list: [JSON]) throws {
    // A list of lists is a table.
    if list.allSatisfy({ $0.array != nil }), let first = list.first?.array {
      return try add(table: list.compactMap(\.array), first: first)
    }
    for (index, record) in list.enumerated() { try add(record, row: index + 1) }
  }

  private mutating func add(table: [[JSON]], first: [JSON]) throws {
    let names = first.map { $0.string ?? "" }
    if AirportLayout.isHeader(names) {
      let layout = try AirportLayout(names)
      for (index, cells) in table.enumerated().dropFirst() {
        rows.add(
          layout.airport(row: index + 1, reference) { $0 < cells.count ? cells[$0] : .null })
      }
      return
    }
    let texts = table.prefix(200).map { $0.map { $0.string ?? "" } }
    guard let columns = CodeColumns(of: texts, reference) else {
      throw SyncError(.inputInvalid, "The lists of the file hold no pairs of codes.")
    }
    for (index, cells) in table.enumerated() {
      func cell(_ place: Int) -> JSON { place < cells.count ? cells[place] : .null }
      rows.add(
        ImportedRows.Airport(
          row: index + 1, iata: ("iata", cell(columns.iata)), icao: [("icao", cell(columns.icao))],
          isOfWorld: columns.isOfWorld))
    }
  }

  /// Reads a record of a listing, or an object with the names of the columns of a CSV.
  private mutating func add(_ record: JSON, row: Int) throws {
    guard let record = record.object else {
      return rows.fail(row, "A record must be an object.")
    }
    if record["deleted"]?.bool == true { return }
    if record["collection"] != nil || record["fields"]?.object.map(Self.namesNoCode) ?? false {
      return addListed(record, row: row)
    }
    for airport in try airports(record, row: row) { rows.add(airport) }
  }

  /// Whether an object has no key for an IATA code, as the fields of a mapping have none.
  private static func namesNoCode(_ fields: JSONObject) -> Bool {
    (try? AirportLayout(fields.keys))?.iata == nil
  }

  /// Reads a record as `list` prints it.
  private mutating func addListed(_ record: JSONObject, row: Int) {
    let collection = CollectionName(record["collection"]?.string ?? "mapping")
    guard let known = DomainSchema.airports[collection] else {
      return rows.fail(row, column: "collection", "There is no collection with that name.")
    }
    let key = record["id"] == nil ? "iata" : "id"
    let id = (column: key, text: record[key]?.string ?? "")
    guard let fields = record["fields"]?.object else {
      return rows.add(row, collection, id: id, known.flatCells(record))
    }
    var cells = fields.members.map { name, value in
      ImportedRows.Cell(column: name, content: .field(FieldName(name)), value: value)
    }
    if known.name == .mapping, fields["icao"] == nil {
      cells.append(ImportedRows.Cell(column: "icao", content: .field(.icao), value: .null))
    }
    if known.field(.created) != nil, fields["created"] == nil, let created = record["created"] {
      cells.append(
        ImportedRows.Cell(column: "created", content: .field(.created), value: created))
    }
    if let modified = record["modified"] {
      cells.append(ImportedRows.Cell(column: "modified", content: .modified, value: modified))
    }
    rows.add(row, collection, id: id, cells)
  }

  /// Reads an object with the names of the columns of a CSV, its own or those of objects within.
  private mutating func airports(
    _ record: JSONObject, row: Int
  ) throws -> [ImportedRows.Airport] {
    let layout = try layout(record.keys)
    if layout.iata == nil, layout.icao.isEmpty {
      var found: [ImportedRows.Airport] = []
      for inner in record.members.compactMap(\.value.object) {
        let layout = try self.layout(inner.keys)
        guard layout.iata != nil || !layout.icao.isEmpty else { continue }
        found.append(layout.airport(row: row, reference) { inner.members[$0].value })
        // What stands beside the codes describes the airport.
        found[found.count - 1].isOfWorld = true
      }
      if !found.isEmpty { return found }
    }
    var airport = layout.airport(row: row, reference) { record.members[$0].value }
    if layout.iata == nil, let id = record["id"]?.string { airport.iata = ("id", .string(id)) }
    return [airport]
  }

  private mutating func layout(_ keys: [String]) throws -> AirportLayout {
    if let known = layouts[keys] { return known }
    let layout = try AirportLayout(keys)
    if layouts.count < 1_000 { layouts[keys] = layout }
    return layout
  }
}

extension RecordType {
  /// The cells of an object without `fields`, for a record of this collection.
  fileprivate func flatCells(_ record: JSONObject) -> [ImportedRows.Cell] {
    var cells = record.members.compactMap { name, value -> ImportedRows.Cell? in
      guard let content = ImportColumn(name) else { return nil }
      if case .field(let field) = content, self.field(field) == nil { return nil }
      return ImportedRows.Cell(column: name, content: content, value: value)
    }
    if name == .mapping, !cells.contains(where: { $0.content == .field(.icao) }) {
      cells.append(ImportedRows.Cell(column: "icao", content: .field(.icao), value: .null))
    }
    return cells
  }
}
