import AirportMappings
import CommandFoundation
import SyncKitFormats

/// An airport as the answer to a query, with the origin of the answer.
struct AirportAnswer {
  var iata: String?
  var icao: String?
  /// The mapping's source, or `reference`.
  var source: String
  var airport: Airport?

  init(_ airport: Airport) {
    self.airport = airport
    iata = airport.iata
    icao = airport.icao
    source = AirportLookup.Origin.reference.rawValue
  }

  init(_ lookup: AirportLookup) {
    iata = lookup.iata
    icao = lookup.icao
    source = lookup.mapping?.source?.rawValue ?? lookup.origin.rawValue
    airport = lookup.airport
  }

  /// An answer with only its reason, or only the code.
  init(iata: String? = nil, noneFrom reason: String = "unknown") {
    self.iata = iata
    source = reason
  }

  /// Whether another answer says the same.
  func isSame(as other: AirportAnswer) -> Bool { iata == other.iata && icao == other.icao }

  var json: JSONObject {
    func text(_ value: String?) -> JSON {
      value.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }
    return [
      "iata": text(iata), "icao": text(icao), "name": text(airport?.name),
      "city": text(airport?.city), "country": text(airport?.country),
      "coordinates": airport.map {
        ["latitude": .double($0.latitude), "longitude": .double($0.longitude)]
      } ?? .null,
      "source": .string(source),
    ]
  }

  static let columns = [
    ReportTable.Column("iata"), ReportTable.Column("icao"),
    ReportTable.Column("name", flexible: true),
    ReportTable.Column("city", flexible: true), ReportTable.Column("country"),
    ReportTable.Column("source"),
  ]

  var cells: [ReportTable.Cell] {
    [
      ReportTable.Cell(iata ?? ""), ReportTable.Cell(icao ?? ""),
      ReportTable.Cell(airport?.name ?? ""),
      ReportTable.Cell(airport?.city ?? ""), ReportTable.Cell(airport?.country ?? ""),
      ReportTable.Cell(source),
    ]
  }
}
