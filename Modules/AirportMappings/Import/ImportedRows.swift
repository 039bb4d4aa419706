import SyncKitFormats
import SyncKit

/// Gathers the records of a file, each checked on its own and against the others.
///
/// In a table of a person's codes, whatever is wrong is a fault. A table of the world's airports is full
/// of rows that are right and of no use here: without one of the codes, with a local code in place of
/// one, of a city or of the past. They are passed over and counted.
struct ImportedRows {
  /// A value with its place.
  struct Cell {
    /// The column or key, as the file has it.
    var column: String
    /// The meaning of the column.
    var content: ImportColumn
    /// The content; a CSV has only texts.
    var value: JSON
  }

  /// A row of a table or an object, by the meaning of its columns.
  struct Airport {
    var row: Int
    /// The column and content of the IATA code.
    var iata: (column: String, value: JSON)
    /// The same for the ICAO code, the best first.
    var icao: [(column: String, value: JSON)]
    /// What a person's table says besides.
    var others: [Cell] = []
    /// Whether it is one of a table of the world's airports.
    var isOfWorld = false
    /// Why the row is not about an airport of today; nil if it is.
    var past: String?
  }

  private struct Candidate {
    var row: Int
    var id: (column: String, text: String)
    var draft: RecordDraft
    var isOfWorld: Bool
  }

  private let reference: AirportReference
  private var records = ImportedRecords(rows: [])
  private var candidates: [Candidate] = []
  /// Where in the candidates a record is, by collection and id.
  private var places: [String: [Int]] = [:]
  /// What was decided about rows that disagree.
  private var disagreements: [String] = []

  init(reference: AirportReference) { self.reference = reference }

  /// Records a fault of a row.
  mutating func fail(_ row: Int, column: String? = nil, _ message: String) {
    records.faults.append(ImportedRecords.Fault(row: row, column: column, message: message))
  }

  /// Counts a row that makes no pair.
  mutating func passOver(_ kind: String, row: Int) { records.passOver(kind, row: row) }

  /// Takes a row with an IATA and an ICAO code, passes it over, or records its faults.
  mutating func add(_ airport: Airport) {
    if let past = airport.past { return records.passOver(past, row: airport.row) }
    var airport = airport
    airport.iata.value = Self.plain(airport.iata.value)
    airport.icao = airport.icao.map { ($0.column, Self.plain($0.value)) }
    let codes = airport.icao.filter { !Self.isMissing($0.value) }
    let hasICAO = { (text: JSON) in text.string.map { (try? AirportCode.icao($0)) != nil } ?? false
    }
    guard !Self.isMissing(airport.iata.value) else {
      return records.passOver("no IATA code", row: airport.row)
    }
    guard let icao = codes.first(where: { hasICAO($0.value) }) ?? codes.first,
      !meansNothing(icao.value, airport.iata.value)
    else { return records.passOver("no ICAO code", row: airport.row) }
    if isNoIATA(airport.iata.value, icao.value) {
      return records.passOver("no IATA code", row: airport.row)
    }
    if airport.isOfWorld, let reason = reasonToPassOver(airport.iata.value, icao.value) {
      return records.passOver(reason, row: airport.row)
    }
    guard airport.iata.value.string != nil else {
      return fail(
        airport.row, column: airport.iata.column,
        "The value must be text, not \(airport.iata.value.shown).")
    }
    let cell = Cell(column: icao.column, content: .field(.icao), value: icao.value)
    add(
      airport.row, id: (airport.iata.column, airport.iata.value.string ?? ""),
      [cell] + airport.others, isOfWorld: airport.isOfWorld)
  }

  /// Takes a record, or records all of its faults.
  mutating func add(
    _ row: Int, _ collection: CollectionName = .mapping, id: (column: String, text: String),
    _ cells: [Cell],
    isOfWorld: Bool = false
  ) {
    let faultCount = records.faults.count
    var draft = RecordDraft(collection, fields: [:])
    do throws(MappingProblem) { draft.id = try self.id(id.text, in: collection) } catch {
      fail(row, column: id.column, error.reason)
    }
    for cell in cells {
      do throws(MappingProblem) { try Self.put(cell, into: &draft) } catch {
        fail(row, column: cell.column, error.reason)
      }
    }
    guard let name = draft.id, records.faults.count == faultCount else { return }
    places["\(collection)/\(name)", default: []].append(candidates.count)
    candidates.append(Candidate(row: row, id: id, draft: draft, isOfWorld: isOfWorld))
  }

  /// The records of the file, once all rows are there.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if all rows were passed over.
  mutating func finish() throws -> ImportedRecords {
    var isTaken = Array(repeating: true, count: candidates.count)
    for index in candidates.indices {
      let candidate = candidates[index]
      let group = places["\(candidate.draft.collection)/\(candidate.draft.id ?? "")"] ?? []
      if group.count > 1, group.first == index {
        for place in settle(group) { isTaken[place] = false }
      }
    }
    for (candidate, isTaken) in zip(candidates, isTaken) where isTaken {
      records.rows.append(ImportedRecords.Row(row: candidate.row, draft: candidate.draft))
    }
    let faults = records.faults.enumerated().sorted {
      ($0.element.row ?? 0, $0.offset) < ($1.element.row ?? 0, $1.offset)
    }
    records.faults = faults.map(\.element)
    records.warnings += disagreements.prefix(Self.shownDisagreements)
    if disagreements.count > Self.shownDisagreements {
      let rest = disagreements.count - Self.shownDisagreements
      records.warnings.append("\(Plural(rest, "more IATA code")) stands for several ICAO codes")
    }
    guard records.rows.isEmpty, records.faults.isEmpty, !records.passedOver.isEmpty else {
      return records
    }
    let kinds = records.passedOver.map { "\($0.kind) in \(Plural($0.count, "row"))" }
    throw SyncError(
      .inputInvalid, "No row has both an IATA and an ICAO code: \(kinds.joined(separator: ", ")).")
  }

  private static let shownDisagreements = 10

  /// Decides about rows with one id, and returns the places of those that are not taken.
  private mutating func settle(_ group: [Int]) -> [Int] {
    var kept = group[0]
    let first = candidates[kept]
    if let right = group.first(where: { isConfirmed(candidates[$0].draft) }) { kept = right }
    let others = group.filter { $0 != kept }
    let different = others.filter { !saysTheSame(candidates[$0], as: candidates[kept]) }
    for place in others where !different.contains(place) {
      records.passOver("repeats another row", row: candidates[place].row)
    }
    guard !different.isEmpty else { return others }
    let isDecided = isConfirmed(candidates[kept].draft)
    if first.isOfWorld {
      let all = ([kept] + different).sorted()
      let rows = all.map {
        "\(candidates[$0].row) (\(candidates[$0].draft.fields[.icao]?.string ?? ""))"
      }
      let outcome =
        isDecided
        ? "\(candidates[kept].draft.fields[.icao]?.string ?? "") was taken, as the reference has it"
        : "none was taken"
      disagreements.append(
        "\(candidates[kept].draft.id?.text ?? ""): rows \(rows.joined(separator: ", ")) disagree; "
          + outcome)
      for place in isDecided ? different : all {
        records.passOver("another row has another ICAO code", row: candidates[place].row)
      }
    } else {
      for place in isDecided ? different : ([kept] + different).sorted() {
        let other = place == group[0] ? group[1] : kept == place ? group[0] : kept
        let pair = [min(place, other), max(place, other)].map { candidates[$0] }
        let texts = pair.map { "“\(AirportCode.trimmed($0.id.text))” (\($0.row))" }
        fail(
          candidates[place].row, column: candidates[place].id.column,
          "\(texts.joined(separator: " and ")) both mean \(first.draft.id?.text ?? "").")
      }
    }
    return isDecided ? others : group
  }

  private func saysTheSame(_ one: Candidate, as other: Candidate) -> Bool {
    one.isOfWorld
      ? one.draft.fields[.icao] == other.draft.fields[.icao]
      : one.draft.fields == other.draft.fields && one.draft.at == other.draft.at
  }

  private func isConfirmed(_ draft: RecordDraft) -> Bool {
    guard let iata = draft.id?.text, let icao = draft.fields[.icao]?.string else { return false }
    return (try? MappingCheck(iata: iata, icao: icao, reference: reference))?.verdict == .matches
  }

  // MARK: Cells

  private static func plain(_ value: JSON) -> JSON {
    value.string.map { .string(CodeText.plain($0)) } ?? value
  }

  private static func isMissing(_ value: JSON) -> Bool {
    value.isNull || value.string.map(CodeText.isMissing) ?? false
  }

  /// Whether a word for nothing stands in place of an ICAO code.
  private func meansNothing(_ icao: JSON, _ iata: JSON) -> Bool {
    guard let text = icao.string, CodeText.mayMeanNothing(text) else { return false }
    return iata.string.flatMap { reference.airport(iata: $0)?.icao } != text.asciiUppercased
  }

  /// Whether a word for nothing stands in place of an IATA code.
  private func isNoIATA(_ iata: JSON, _ icao: JSON) -> Bool {
    guard let text = iata.string, CodeText.mayMeanNothing(text) else { return false }
    guard let airport = reference.airport(iata: text) else { return true }
    return airport.icao != icao.string.flatMap { try? AirportCode.icao($0) }
  }

  /// Why a row of a table of the world's airports makes no mapping; nil if it does.
  private func reasonToPassOver(_ iata: JSON, _ icao: JSON) -> String? {
    guard let text = iata.string, let code = try? AirportCode.iata(text) else {
      return "an IATA code that is not three letters"
    }
    if icao.string.flatMap({ try? AirportCode.icao($0) }) == nil {
      return "a local code in place of an ICAO code"
    }
    return reference.isOnlyCityCode(code) ? "the code of a city" : nil
  }

  private func id(_ text: String, in collection: CollectionName) throws(MappingProblem) -> RecordID
  {
    if collection == .rejection { return try MappingRules.rejection(text) }
    let code = try MappingRules.iata(text)
    if collection == .mapping { try MappingRules.refuseCity(code, reference) }
    return RecordID(code)
  }

  private static func put(_ cell: Cell, into draft: inout RecordDraft) throws(MappingProblem) {
    switch cell.content {
    case .modified:
      draft.at = try Value(importing: cell.value, as: .instant)?.instant ?? draft.at
    case .field(let name):
      guard let field = DomainSchema.airports[draft.collection]?.field(name) else {
        throw MappingProblem(name, "There is no such field.")
      }
      let value = try Value(importing: cell.value, as: field.type)
      if name == .icao {
        draft.fields[name] = try MappingRules.normalized(value ?? "", of: name)
      } else if let value {
        draft.fields[name] = try MappingRules.normalized(value, of: name)
      }
    }
  }
}
