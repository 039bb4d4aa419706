import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit

/// The airports domain on the command line.
enum AirportsRegistration: DomainRegistration {
  static let domain: any SyncDomain = AirportsDomain()
  static let localStores: [any SyncDomain] = [AirportUsageDomain()]
  static let abstract = "Airport codes: IATA to ICAO, learned and looked up."
  static let verbs: [any ParsableCommand.Type] = [
    AirportsAdd.self, AirportsImport.self, AirportsExport.self, AirportsLookup.self,
    AirportsLearn.self, AirportsReject.self, AirportsResolve.self, AirportsNearest.self,
    AirportsDistance.self, AirportsUsed.self,
  ]

  static let example = DomainExample(id: "JFK", fields: "icao=KJFK", add: "add JFK KJFK")
  static let countedFields: [Name] = ["source", "verifiedByCoordinates"]

  static func groupFields(_ group: Name, from text: String) -> [Name: Value]? {
    group == "code" ? ["icao": .string(text)] : nil
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

  static func steadyFields(of collection: Name) -> [Name] {
    collection == "mapping"
      ? ["icao", "source", "learnedAutomatically", "verifiedByCoordinates"] : []
  }

  /// The objection of the reference to a pair.
  static func concerns(about draft: RecordDraft) -> [Concern] {
    guard draft.collection == "mapping", let iata = draft.id?.text,
      let icao = draft.fields["icao"]?.string,
      let check = try? MappingCheck(iata: iata, icao: icao), check.standing != .confirmed
    else { return [] }
    return [Concern(check)]
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
