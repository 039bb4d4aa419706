import SyncKitFormats
import SyncKit

/// Reads files of other services and apps into one form.
public enum MediaImport {
  /// The origin of a file.
  public enum Format: String, CaseIterable, Sendable {
    case letterboxd, trakt, imdb, app, csv

    /// The default list for its titles.
    public var list: String {
      switch self {
      case .letterboxd: "Letterboxd"
      case .trakt: "Trakt"
      case .imdb: "IMDb"
      case .app: "MediaWatch"
      case .csv: "Imported"
      }
    }
  }

  /// The options for reading a file.
  public struct Options: Sendable {
    /// The format; nil to detect it from the content.
    public var format: Format?
    /// The list for titles that name none; nil for the format's default.
    public var list: String?
    /// The columns of fields.
    public var map: [String: String] = [:]
    /// The best possible rating, for a table that does not say.
    public var scale: Int64 = 10

    /// Makes the default options.
    public init() {}
  }

  /// Reads an archive of files.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it has no known file, or a file is broken.
  public static func read(_ files: ExportFiles, _ options: Options) throws -> ImportedLibrary {
    let format =
      options.format
      ?? (TraktImport.recognizes(files)
        ? .trakt : LetterboxdImport.recognizes(files) ? .letterboxd : nil)
    switch format {
    case .letterboxd?:
      return try LetterboxdImport.read(files, list: options.list ?? Format.letterboxd.list)
    case .trakt?: return try TraktImport.read(files, list: options.list ?? Format.trakt.list)
    default:
      throw SyncError(
        .inputInvalid, "the archive is not an export of Letterboxd or Trakt",
        hint: "import one of its tables by itself, or name the format with --format")
    }
  }

  /// Reads a single file; nil when it is not from a service, such as a document of this program.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the whole file cannot be read.
  public static func read(_ bytes: [UInt8], _ options: Options) throws -> ImportedLibrary? {
    if let format = options.format, format == .app || format == .trakt || format == .letterboxd {
      guard format == .app else {
        throw SyncError(
          .inputInvalid, "an export of \(format.list) is an archive, and this file is not one")
      }
      return try AppBackup(bytes).library()
    }
    if opensJSON(bytes) {
      guard options.format == nil, AppBackup.recognizes(bytes) else { return nil }
      return try AppBackup(bytes).library()
    }
    var reader = CSVReader(TextDecoding.utf8(bytes))
    let header: [String]
    do { header = try reader.next()?.cells ?? [] } catch let error as CSVError {
      throw SyncError(.inputInvalid, "not valid CSV: \(error)")
    }
    // The general import reads tables of records, which the general export writes.
    let names = Set(header.map { $0.trimmed.lowercased() })
    if options.format == nil, options.map.isEmpty, names.contains("id"), names.contains("parent") {
      return nil
    }
    if options.format == .imdb
      || options.format == nil && options.map.isEmpty && IMDbImport.recognizes(header: header)
    {
      return try IMDbImport.read(bytes, list: options.list ?? Format.imdb.list)
    }
    return try MappedImport.read(
      bytes, header: header, map: options.map, scale: options.scale,
      list: options.list ?? Format.csv.list)
  }

  private static func opensJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { !($0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
