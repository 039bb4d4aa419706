import SyncKitFormats
import SyncKit

/// Reads files of other services and apps into one form.
public enum MediaImport {
  /// Where a file is from.
  public enum Format: String, CaseIterable, Sendable {
    case letterboxd, trakt, imdb, app, csv

    /// The list that its titles go to unless another one is named.
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

  /// How a file is to be read.
  public struct Options: Sendable {
    /// The format; nil to tell it from the content.
    public var format: Format?
    /// The list that titles go to that name none; nil for the format's own.
    public var list: String?
    /// For fields the columns that hold them.
    public var map: [String: String] = [:]
    /// The best rating of a table that does not say.
    public var scale: Int64 = 10

    /// Reads everything as it is.
    public init() {}
  }

  /// Reads an archive of files.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when nothing in it is known, or a file is broken.
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
        .inputInvalid, "the archive is neither an export of Letterboxd nor one of Trakt",
        hint: "import a table of it by itself, or say what it is with --format")
    }
  }

  /// Reads a single file; nil when it is none of a service's, as with documents of this program.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the file as a whole cannot be read.
  public static func read(_ bytes: [UInt8], _ options: Options) throws -> ImportedLibrary? {
    if let format = options.format, format == .app || format == .trakt || format == .letterboxd {
      guard format == .app else {
        throw SyncError(
          .inputInvalid, "an export of \(format.list) is an archive, and this is none")
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
      throw SyncError(.inputInvalid, "no valid CSV: \(error)")
    }
    // A table of records, as the general export writes it, is read by the general import.
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
