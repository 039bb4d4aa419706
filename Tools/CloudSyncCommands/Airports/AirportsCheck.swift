import AirportMappings
import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitFormats

/// The command `cloudsync airports check`.
struct AirportsCheck: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "List the mappings that the reference does not confirm.",
    discussion: examples(
      "cloudsync airports check", "cloudsync airports check --json",
      after: """
        Contradictions come first, then pairs that the reference does not know. It may be older than \
        the mapping; nothing is changed.
        """))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let mappings = try Session(context).store(AirportsRegistration.domain.name).sortedMappings()
    let doubts = mappings.compactMap { mapping -> MappingCheck? in
      guard
        let check = try? MappingCheck(
          iata: mapping.iata, icao: mapping.icao, allowingLocal: true)
      else { return nil }
      return check.standing == .confirmed ? nil : check
    }
    // A contradiction is more likely a mistake than a gap of the reference is.
    let sorted =
      doubts.filter { $0.verdict == .contradicts } + doubts.filter { $0.verdict != .contradicts }
    context.print(
      Report(
        "cloudsync.airports.check/1",
        [
          "referenceDate": .string(AirportReference.shared.releaseDate),
          "checked": .int(Int64(mappings.count)), "doubts": .array(sorted.map(\.json)),
        ],
        records: "doubts",
        table: ReportTable(
          [
            ReportTable.Column("iata"), ReportTable.Column("icao"), ReportTable.Column("verdict"),
            ReportTable.Column("reference"), ReportTable.Column("message", flexible: true),
          ], rows: sorted.map(\.cells))))
  }
}

extension MappingCheck {
  fileprivate var json: JSON {
    [
      "iata": .string(iata), "icao": .string(icao), "verdict": .string(verdict.name),
      "reference": airport?.icao.map { .string($0) } ?? .null, "message": .string("\(self)"),
    ]
  }

  fileprivate var cells: [ReportTable.Cell] {
    [
      ReportTable.Cell(iata), ReportTable.Cell(icao),
      ReportTable.Cell(verdict.name, style: verdict == .contradicts ? .warning : .plain),
      ReportTable.Cell(airport?.icao ?? ""), ReportTable.Cell("\(self)"),
    ]
  }
}

extension MappingCheck.Verdict {
  /// Its name in documents.
  fileprivate var name: String {
    switch self {
    case .matches: "matches"
    case .contradicts: "contradicts"
    case .unknownIATA: "unknown"
    case .cityCode: "city"
    case .noReferenceICAO: "no-icao"
    }
  }
}
