import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitFormats

/// The airports domain on the command line.
enum AirportsRegistration: DomainRegistration {
  static let domain: any SyncDomain = AirportsDomain()
  static let abstract = "Airport codes: IATA to ICAO, learned and looked up."
  static let commands = DomainCommands(
    verbs: [
      AirportsAdd.self, AirportsImport.self, AirportsExport.self, AirportsLookup.self,
      AirportsLearn.self, AirportsReject.self, AirportsResolve.self, AirportsNearest.self,
      AirportsDistance.self, AirportsUsed.self, AirportsCheck.self,
    ], localStores: [AirportUsageDomain()])

  static let records: DomainRecords = {
    var records = DomainRecords(
      display: RecordDisplay(
        example: DomainExample(id: "JFK", fields: "icao=KJFK", add: "add JFK KJFK"),
        columns: { columns(of: $0) },
        steadyFields: [
          "mapping": ["icao", "source", "learnedAutomatically", "verifiedByCoordinates"]
        ],
        countedFields: ["source", "verifiedByCoordinates"]),
      input: RecordInput(group: { groupFields($0, from: $1) }, recognize: { recognize($0) }))
    records.input.concerns = { concerns(about: $0) }
    return records
  }()

  static func groupFields(_ group: FieldName, from text: String) -> [FieldName: Value]? {
    group == "code" ? ["icao": .string(text)] : nil
  }

  /// Tables and lists with IATA and ICAO codes.
  static func recognize(_ sample: FileSample) -> RecognizedFile? {
    if AirportsDomain.namesCodes(sample.header) { return RecognizedFile("a table of airports") }
    let outline = sample.outline
    if AirportsDomain.namesCodes(outline.keys)
      || AirportsDomain.namesCodes(Array(outline.innerKeys))
    {
      return RecognizedFile("a list of airports")
    }
    let keys = ["UserAirportMappings", "UserAirportCodeMappings"]
    return keys.contains { outline.keys.contains($0) }
      ? RecognizedFile("a map of airport codes") : nil
  }

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    guard collection.name == "mapping" else { return nil }
    return [
      .id("iata"),
      RecordColumn("icao") { record in
        ReportTable.Cell(record["icao"].text, style: record.conflicts.isEmpty ? .plain : .warning)
      },
      .field("source"), .field("verifiedByCoordinates", "verified", type: .bool),
    ]
  }

  /// The objection of the reference to a pair.
  static func concerns(about draft: RecordDraft) -> [Concern] {
    guard draft.collection == "mapping", let iata = draft.id?.text,
      let icao = draft.fields["icao"]?.string,
      let check = try? MappingCheck(iata: iata, icao: icao), check.standing != .confirmed
    else { return [] }
    return [Concern(check)]
  }

  static var tables: PlugInTables {
    PlugInTables(
      documents: [
        (
          "cloudsync.airports.lookup/1",
          "code, iata, icao, name, city, country, coordinates, source, matches"
        ),
        (
          "cloudsync.airports.resolve/1",
          "codes: code, line, count, iata, icao, name, …, source; unresolved; batch, added, …"
        ),
        (
          "cloudsync.airports.nearest/1", "latitude, longitude, airports: iata, icao, …, kilometres"
        ),
        ("cloudsync.airports.distance/1", "from, to, kilometres, nauticalMiles, bearing"),
        ("cloudsync.airports.used/1", "airports: iata, icao, …, count, lastUsed"),
        (
          "cloudsync.airports.check/1",
          "referenceDate, checked, doubts: iata, icao, verdict, reference, message"
        ),
        ("cloudsync.airports.community/1", "pairs"),
      ],
      files: [
        ("json, jsonl, csv", "Pairs of codes, and tables of airports; jsonl is import only"),
        ("geojson", "Pairs with where their airports are, for maps"),
        ("community", "Pairs for a list that others use; export only"),
      ])
  }
}

extension Concern {
  /// The objection of the reference to a pair.
  init(_ check: MappingCheck) {
    self.init(message: "\(check)", weight: check.verdict == .contradicts ? .contradiction : .doubt)
  }

  /// Why a pair was not learned.
  init(_ refusal: LearningResult.Refusal) {
    self.init(message: "\(refusal)")
    switch refusal {
    case .doubtful(let check): weight = Concern(check).weight
    case .position, .kept: weight = .contradiction
    case .rejected, .removed: break
    }
  }
}
