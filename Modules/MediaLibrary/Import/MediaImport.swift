public import SyncKitFormats
import SyncKit

/// Reads files of other services and apps into one form.
public enum MediaImport {
  /// The origin of a file.
  public enum Format: String, CaseIterable, Sendable {
    /// Letterboxd.
    case letterboxd
    /// Trakt.
    case trakt
    /// IMDb.
    case imdb
    /// The Movie Database.
    case tmdb
    /// Simkl.
    case simkl
    /// TV Time.
    case tvtime
    /// Netflix.
    case netflix
    /// Prime Video.
    case primevideo
    /// Yamtrack.
    case yamtrack
    /// MyAnimeList.
    case myanimelist
    /// MovieLens.
    case movielens
    /// SeriesGuide.
    case seriesguide
    /// The app's own file.
    case app
    /// A table of any other origin, as CSV.
    case csv

    /// The default list for its titles.
    public var list: String {
      switch self {
      case .letterboxd: "Letterboxd"
      case .trakt: "Trakt"
      case .imdb: "IMDb"
      case .tmdb: "TMDB"
      case .simkl: "Simkl"
      case .tvtime: "TV Time"
      case .netflix: "Netflix"
      case .primevideo: "Prime Video"
      case .yamtrack: "Yamtrack"
      case .myanimelist: "MyAnimeList"
      case .movielens: "MovieLens"
      case .seriesguide: "SeriesGuide"
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
    /// The best possible rating, for a table that does not say; nil for that of the service, else 10.
    public var scale: Int64?
    /// Whether the day or the month is first in dates of numbers; nil to find it from the column.
    public var dateOrder: DateColumn.Order?
    /// The person whose viewings to take, in a file of several.
    public var viewer: String?
    /// The name of the file, which tells what some tables are; nil when unknown.
    public var fileName: String?

    /// Makes the default options.
    public init() {}
  }

  /// Reads an archive of files, or a folder to which it was unpacked.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when it has no known file, or a file is broken.
  public static func read(_ files: ExportFiles, _ options: Options) throws -> ImportedLibrary {
    switch options.format ?? format(of: files) {
    case .letterboxd?:
      return try LetterboxdImport.read(files, list: options.list ?? Format.letterboxd.list)
    case .trakt?: return try TraktImport.read(files, list: options.list ?? Format.trakt.list)
    case .tvtime?: return try readTVTime(files, options)
    case .netflix?:
      return try NetflixImport.read(files, list: options.list ?? Format.netflix.list, options)
    default: break
    }
    let known = files.paths.filter { path in
      [".csv", ".json", ".xml", ".gz", ".txt", ".tsv"].contains { path.lowercased().hasSuffix($0) }
        && !path.contains("__MACOSX/")
    }
    if known.count == 1 {
      var options = options
      options.fileName = known[0]
      if let only = try read(files.read(known[0]), options) { return only }
    }
    throw SyncError(
      .inputInvalid, "it is not an export of Letterboxd, Trakt, TV Time or Netflix",
      hint: "import one of its files by itself, or name the format with --format")
  }

  /// The service that writes tables with these columns, in any case; nil if none is known for certain.
  public static func service(ofColumns header: [String]) -> Format? {
    if IMDbImport.recognizes(header: header) { return .imdb }
    if TVTimeImport.recognizes(header: header) { return .tvtime }
    guard let format = TableLayout.recognize(header)?.format, format != .csv else { return nil }
    return format
  }

  private static func format(of files: ExportFiles) -> Format? {
    if TraktImport.recognizes(files) { return .trakt }
    if TVTimeImport.recognizes(files) { return .tvtime }
    if NetflixImport.recognizes(files) { return .netflix }
    if LetterboxdImport.recognizes(files) { return .letterboxd }
    return files.path("activity_history.csv") == nil ? nil : .tvtime
  }

  /// What TV Time sent, or what a program has saved from it.
  private static func readTVTime(_ files: ExportFiles, _ options: Options) throws -> ImportedLibrary
  {
    guard !TVTimeImport.recognizes(files), let path = files.path("activity_history.csv") else {
      return try TVTimeImport.read(files, list: options.list ?? Format.tvtime.list)
    }
    var options = options
    options.format = nil
    options.fileName = path
    return try read(files.read(path), options) ?? ImportedLibrary(Format.tvtime.rawValue)
  }

  /// Reads a single file; nil when it is not from a service, such as a document of this program.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the whole file cannot be read.
  public static func read(_ bytes: [UInt8], _ options: Options) throws -> ImportedLibrary? {
    if Gzip.isGzip(bytes) {
      let plain: [UInt8]
      do { plain = try Gzip.decompress(bytes, limit: 1 << 28) } catch {
        throw SyncError(.inputInvalid, "could not unpack the file: \(error)")
      }
      return try read(plain, options)
    }
    if options.format == .app { return try AppBackup(bytes).library() }
    if AnimeListImport.recognizes(bytes) {
      return try AnimeListImport.read(bytes, list: options.list ?? Format.myanimelist.list)
    }
    if opensJSON(bytes) { return try readJSON(bytes, options) }
    return try readTable(bytes, options)
  }

  private static func readJSON(_ bytes: [UInt8], _ options: Options) throws -> ImportedLibrary? {
    if options.format == nil, AppBackup.recognizes(bytes) { return try AppBackup(bytes).library() }
    guard let json = try? JSON(parsing: bytes) else {
      guard options.format == nil else { throw SyncError(.inputInvalid, "not valid JSON") }
      return nil
    }
    let name = options.fileName ?? "file"
    let single = ExportFiles(paths: [name]) { _ in bytes }
    if options.format ?? .trakt == .trakt {
      if TraktImport.recognizes(single) {
        return try TraktImport.read(single, list: options.list ?? Format.trakt.list)
      }
      if let known = TraktImport.name(of: json) {
        let files = ExportFiles(paths: [known]) { _ in bytes }
        return try TraktImport.read(files, list: options.list ?? Format.trakt.list)
      }
    }
    if let format = NestedImport.format(of: json), options.format ?? format == format {
      return NestedImport.read(
        json, file: options.fileName, format: format, list: options.list ?? format.list)
    }
    guard let format = options.format, format != .csv else { return nil }
    throw SyncError(
      .inputInvalid, "it is no export of \(format.list)",
      hint: "leave --format out, and the content decides")
  }

  private static func readTable(_ bytes: [UInt8], _ options: Options) throws -> ImportedLibrary? {
    let name = options.fileName ?? "file.csv"
    func files(named name: String) -> ExportFiles { ExportFiles(paths: [name]) { _ in bytes } }
    if options.map.isEmpty, options.format ?? .letterboxd == .letterboxd,
      let known = LetterboxdImport.file(of: bytes, named: options.fileName)
    {
      return try LetterboxdImport.read(
        files(named: known), list: options.list ?? Format.letterboxd.list)
    }
    let header = try ImportTable(bytes).header
    // The general import reads tables of records, which the general export writes.
    let names = Set(header.map { $0.lowercased() })
    if options.format == nil, options.map.isEmpty, names.contains("id"), names.contains("parent") {
      return nil
    }
    if let refusal = refusal(of: names) { throw refusal }
    let isOpen = options.map.isEmpty
    func isWanted(_ format: Format, _ isRecognized: Bool) -> Bool {
      options.format == format || (options.format == nil && isOpen && isRecognized)
    }
    if isWanted(.imdb, IMDbImport.recognizes(header: header)) {
      return try IMDbImport.read(bytes, list: options.list ?? Format.imdb.list)
    }
    if isWanted(.tvtime, TVTimeImport.recognizes(header: header)),
      TVTimeImport.recognizes(header: header)
    {
      return try TVTimeImport.read(
        files(named: name), list: options.list ?? Format.tvtime.list)
    }
    if isWanted(.netflix, NetflixImport.recognizes(header: header)) {
      return try NetflixImport.read(
        files(named: name.lowercased().hasSuffix(".csv") ? name : "\(name).csv"),
        list: options.list ?? Format.netflix.list, options)
    }
    let layout =
      options.format == .csv || !isOpen ? TableLayout.any : TableLayout.recognize(header) ?? .any
    if let format = options.format, format != .csv, format != layout.format {
      throw SyncError(
        .inputInvalid, "it is no export of \(format.list)",
        hint: "leave --format out, and the columns decide; they are "
          + header.joined(separator: ", "))
    }
    var library = TableLibrary(
      layout.format.rawValue, list: options.list ?? layout.format.list)
    try TableReader.read(bytes, as: layout, options, into: &library)
    return library.finish()
  }

  /// Why a table of a known service is none of titles; nil for any other.
  private static func refusal(of columns: Set<String>) -> SyncError? {
    if columns.isSuperset(of: ["const", "name", "known for"]) {
      return SyncError(
        .inputInvalid, "this is a list of people at IMDb", hint: "lists hold films and series only")
    }
    if columns.isSuperset(of: ["date joined", "username"]) {
      return SyncError(
        .inputInvalid, "this is the profile of a Letterboxd account, which has no films",
        hint: "import the whole archive, or its diary.csv")
    }
    if columns.isSuperset(of: ["date", "content", "comment"]) {
      return SyncError(
        .inputInvalid, "these are the comments of a Letterboxd account",
        hint: "import the whole archive, or its diary.csv")
    }
    return nil
  }

  private static func opensJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { !($0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
