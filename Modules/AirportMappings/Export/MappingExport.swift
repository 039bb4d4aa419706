import SyncKitFormats
import SyncKit

/// Writes mappings as files for people and for the app; the same mappings always give the same bytes.
///
/// Deleted records and other collections are left out. Rows are in the order of the IATA codes.
enum MappingExport {
  /// The columns of the CSV.
  static let header = [
    "iata", "icao", "source", "learnedAutomatically", "verifiedByCoordinates", "referenceDate",
    "created", "modified", "lastUsed", "device",
  ]

  /// The app's map, `{"JFK": "KJFK"}`, a line for each pair.
  static func json(_ records: [Record]) -> [UInt8] {
    let map = JSONObject(mappings(records).map { ($0.iata, JSON.string($0.icao)) })
    return JSON.object(map).serialized(pretty: true) + [0x0A]
  }

  /// A table with all columns that an import can read back, and the device that wrote last.
  static func csv(_ records: [Record]) -> [UInt8] {
    var writer = CSVWriter()
    writer.write(header)
    for mapping in mappings(records) {
      writer.write([
        mapping.iata, mapping.icao, mapping.source?.rawValue ?? "",
        "\(mapping.learnedAutomatically)", "\(mapping.verifiedByCoordinates)",
        mapping.referenceDate ?? "", Timestamp.format(milliseconds: mapping.created),
        Timestamp.format(milliseconds: mapping.modified),
        mapping.lastUsed.map(Timestamp.format) ?? "", mapping.device.name ?? mapping.device.id,
      ])
    }
    return writer.output
  }

  /// Points on a map (RFC 7946): one feature per mapping, its id the IATA code, placed where the
  /// reference has the ICAO code; one that it does not know has no geometry.
  static func geoJSON(_ records: [Record], reference: AirportReference) -> [UInt8] {
    let features = mappings(records).map { mapping -> JSON in
      let airport = reference.airport(ident: mapping.icao)
      var properties: JSONObject = ["iata": .string(mapping.iata), "icao": .string(mapping.icao)]
      for (key, text) in [
        ("name", airport?.name), ("city", airport?.city), ("country", airport?.country),
        ("source", mapping.source?.rawValue),
      ] {
        properties[key] = text.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
      }
      return [
        "type": "Feature", "id": .string(mapping.iata),
        "geometry": airport.map {
          [
            "type": "Point",
            "coordinates": [.double($0.longitude), .double($0.latitude)],
          ]
        } ?? .null,
        "properties": .object(properties),
      ]
    }
    let document: JSON = ["type": "FeatureCollection", "features": .array(features)]
    return document.serialized(pretty: true) + [0x0A]
  }

  /// The community export: the verified pairs and nothing else, no device and no time.
  ///
  /// See ``AirportMapping/isVerified``.
  static func community(_ records: [Record]) -> [UInt8] {
    let pairs = mappings(records).filter(\.isVerified)
    let document: JSON = [
      "schema": .string(AirportImport.communitySchema),
      "pairs": .object(JSONObject(pairs.map { ($0.iata, JSON.string($0.icao)) })),
    ]
    return document.serialized(pretty: true) + [0x0A]
  }

  private static func mappings(_ records: [Record]) -> [AirportMapping] {
    records.compactMap { AirportMapping($0) }
      .sorted { $0.iata.utf8.lexicographicallyPrecedes($1.iata.utf8) }
  }
}
