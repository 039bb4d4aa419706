import Formats
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

  /// A table with all that an import can read back, and the device that wrote last.
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

  private static func mappings(_ records: [Record]) -> [AirportMapping] {
    records.compactMap { AirportMapping($0) }
      .sorted { $0.iata.utf8.lexicographicallyPrecedes($1.iata.utf8) }
  }
}
