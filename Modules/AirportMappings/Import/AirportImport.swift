import SyncKitFormats
import SyncKit

/// Reads files of airport codes.
///
/// | Format | Shape |
/// |---|---|
/// | JSON | the app's map `{"JFK": "KJFK"}`, or an object with it under one of ``mapKeys`` |
/// | | a community export, ``communitySchema``, with the pairs under `pairs` |
/// | | a document with `records`, as a listing writes it, or an array of such records |
/// | CSV | two columns without a header: IATA, ICAO |
/// | | columns `iata` and `icao`, with any of the names in ``ImportColumn`` |
/// | | OurAirports' `airports.csv`: `iata_code`, and `icao_code` or `gps_code` |
///
/// Every bad row is a separate fault. A row is numbered by its line in a CSV, by its place among the
/// pairs or records in JSON. Two rows about one code are a fault that names both.
struct AirportImport {
  /// The formats by name or extension.
  private enum Format {
    case json, csv
  }

  /// Where the app keeps its map, by its documentation and by its code.
  static let mapKeys = ["UserAirportMappings", "UserAirportCodeMappings"]

  /// The document of pairs without a person, see ``MappingExport/community(_:)``.
  static let communitySchema = "cloudsync.airports.community/1"

  private let bytes: [UInt8]
  private let format: Format
  private let reference: AirportReference

  /// Takes a file; nil if its format is none of these.
  ///
  /// Without a format, the first byte that is not a space decides.
  init?(_ bytes: [UInt8], format: String?, reference: AirportReference) {
    switch format {
    case "json": self.format = .json
    case "csv", "tsv": self.format = .csv
    case nil, "txt":
      let first = Self.firstByte(of: bytes)
      self.format = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
    default: return nil
    }
    self.bytes = bytes
    self.reference = reference
  }

  /// The rows and the faults.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the file is empty or cannot be read at all.
  func records() throws -> ImportedRecords {
    guard Self.firstByte(of: bytes) != nil else {
      throw SyncError(.inputInvalid, "The file is empty.")
    }
    let rows = ImportedRows(reference: reference)
    switch format {
    case .json:
      var source = JSONImport(rows: rows)
      return try source.read(bytes)
    case .csv:
      var source = CSVImport(rows: rows)
      return try source.read(bytes)
    }
  }

  /// The first byte that is neither white space nor part of a byte order mark.
  private static func firstByte(of bytes: [UInt8]) -> UInt8? {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
