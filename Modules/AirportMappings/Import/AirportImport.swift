import SyncKitFormats
import SyncKit

/// Reads files of airport codes.
///
/// | Format | Shape |
/// |---|---|
/// | JSON | the app's map `{"JFK": "KJFK"}`, or an object with it under one of ``mapKeys`` |
/// | | a community export, ``communitySchema``, with the pairs under `pairs` |
/// | | a document with `records`, as a listing writes it, or an array of such records |
/// | | objects with the names of the columns below, in an array, by key, or as GeoJSON |
/// | JSON lines | such an object or record on each line |
/// | table | columns for the IATA and the ICAO code, found by their names (``AirportLayout``) |
/// | | without a header, two columns, or those with the codes of airports (``CodeColumns``) |
///
/// Tables are parted by commas, semicolons, tabs, bars or carets. Texts may be UTF-8, UTF-16 or
/// Windows-1252. Every bad row is a separate fault; what makes no mapping is passed over and counted,
/// see ``ImportedRows``. A row is numbered by its line in a table, by its place among the pairs or
/// records in JSON.
struct AirportImport {
  /// The formats by name or extension.
  private enum Format {
    case json, lines, table
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
  /// Without a format, the first character that is not a space decides.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it is not clear how the text is encoded.
  init?(_ bytes: [UInt8], format: String?, reference: AirportReference) throws {
    guard FileContent(of: bytes) == .text else { return nil }
    let wanted: Format?
    switch format {
    case "json", "geojson": wanted = .json
    case "jsonl", "ndjson": wanted = .lines
    case "csv", "tsv", "tab", "psv": wanted = .table
    case nil, "txt", "dat": wanted = nil
    default: return nil
    }
    do throws(DecodedTextError) { self.bytes = try DecodedText(bytes).utf8 } catch {
      throw SyncError(.inputInvalid, "\(error)", hint: DecodedTextError.importHint)
    }
    let first = Self.firstByte(of: self.bytes)
    let opensJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    self.format = wanted ?? (opensJSON ? .json : .table)
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
    case .json, .lines:
      var source = JSONImport(rows: rows, reference: reference)
      return try source.read(bytes, isLines: format == .lines)
    case .table:
      var source = CSVImport(rows: rows, reference: reference)
      return try source.read(bytes)
    }
  }

  /// The first byte that is neither white space nor part of a byte order mark.
  private static func firstByte(of bytes: [UInt8]) -> UInt8? {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
