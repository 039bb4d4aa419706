import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media import FILE|-`.
struct MediaImportCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read an export of another service, a table, or records.",
    discussion: examples(
      "cloudsync media import letterboxd-export.zip --dry-run",
      "cloudsync media import trakt-export.zip",
      "cloudsync media import ratings.csv --list Rated",
      #"cloudsync media import films.csv --map title=Film --map "rating=My score" --scale 5"#,
      after: """
        Reads the archives of Letterboxd, Trakt, TV Time and Netflix, also unpacked to a folder, and \
        each of their tables alone; the tables of IMDb, TMDB, Simkl, Yamtrack, Prime Video and \
        MovieLens; the lists of MyAnimeList; the backups of Simkl, SeriesGuide and MediaWatch (for \
        that, 'cloudsync media migrate' is better); any table with a column of titles; and what \
        'export' writes. --dry-run says what becomes of each kind of row. An import overwrites no values, except that a newer rating replaces \
        an older one; importing the same file again changes nothing. If any row is bad, nothing is \
        written, and all bad rows are listed: 65. An import is one batch; 'cloudsync undo' takes \
        it back.
        """))

  @Argument(
    help: "The file, or the folder of an archive; - is standard input.", completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp(
      "The format, such as letterboxd, trakt, imdb, csv, json; by default detected.",
      valueName: "format"),
    completion: .list(MediaImport.Format.allCases.map(\.rawValue) + ["json"]))
  var format: String?
  @Option(help: ArgumentHelp("The list for titles that name none.", valueName: "name"))
  var list: String?
  @Option(
    help: ArgumentHelp(
      "The column of a field, in a table with other names.", valueName: "field=column"))
  var map: [String] = []
  @Option(
    help:
      "The best rating possible, in a table that does not say; 10 unless its service has another.")
  var scale: Int64?
  @Option(
    help: ArgumentHelp(
      "The order of numbers in dates, such as d/m/y; by default found from the column.",
      valueName: "pattern"))
  var dateFormat: String?
  @Option(
    help: ArgumentHelp(
      "The profile whose viewings to take, in a file of several.", valueName: "name"))
  var viewer: String?
  @OptionGroup var encoding: EncodingOption
  @Flag(help: "Leave bad rows out and write the others.") var skipBad = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.media.import/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      let reader = MediaReader(
        library: media.library, device: media.device, options: try options(),
        isRehearsal: change.dryRun)
      return try ImportRun<MediaRegistration>(
        file: ImportedFile(file, format: format, encoding: encoding.named(), context),
        skipBad: skipBad,
        isRehearsal: change.dryRun, context: context
      ).result(media.session, reading: reader)
    }
  }

  private func options() throws -> MediaImport.Options {
    var options = MediaImport.Options()
    options.list = list
    options.fileName = file == "-" ? nil : file
    options.viewer = viewer
    if let scale {
      guard (1...100).contains(scale) else {
        throw SyncError(.usage, "--scale takes 1 to 100")
      }
      options.scale = scale
    }
    if let dateFormat {
      guard let order = DateColumn.Order(pattern: dateFormat) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(dateFormat))' does not order day, month and year",
          hint: "write a pattern such as d/m/y or m/d/y")
      }
      options.dateOrder = order
    }
    if let format = format?.lowercased(), format != "json", format != "records" {
      guard let known = MediaImport.Format(rawValue: format) else {
        throw SyncError.unknownName(
          "format", format, among: MediaImport.Format.allCases.map(\.rawValue) + ["json"])
      }
      // A table of IMDb is CSV too: with --format csv, the header decides.
      options.format = known == .csv && map.isEmpty ? nil : known
    }
    for word in map {
      guard let assignment = FieldAssignment(word) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(word))' maps nothing", hint: "write FIELD=COLUMN")
      }
      options.map[assignment.name] = assignment.text
    }
    return options
  }
}

/// The media domain for an import, with the existing lists to compare titles with.
struct MediaReader: ImportingDomain {
  let library: LibraryView
  let device: String
  let options: MediaImport.Options
  var isRehearsal = false

  var schema: DomainSchema { .media }

  func normalize(_ draft: inout RecordDraft) throws { try MediaLibraryDomain().normalize(&draft) }

  func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    try MediaLibraryDomain().complete(&draft, over: record)
  }

  func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? {
    guard let imported = try imported(bytes) else { return nil }
    return records(of: imported)
  }

  func importFolder(
    _ paths: [String], _ read: @escaping (String) throws -> [UInt8]
  ) throws -> ImportedRecords? {
    records(of: try MediaImport.read(ExportFiles(paths: paths, contents: read), options))
  }

  private func records(of imported: ImportedLibrary) -> ImportedRecords {
    let plan = ImportPlan(imported, into: library, device: device)
    var records = ImportedRecords(
      rows: plan.drafts.map { ImportedRecords.Row(row: nil, draft: $0) }, faults: plan.faults)
    records.passedOver = imported.passedOver
    records.notes = (isRehearsal ? imported.outcomes : []) + imported.notes
    records.warnings =
      plan.warnings
      + plan.doubts.map { doubt in
        let place = [doubt.file, doubt.row.map { "row \($0)" }].compactMap { $0 }
        return "\(place.joined(separator: ", ")): '\(doubt.title)' may be "
          + doubt.candidates.map(\.id.text).joined(separator: " or ")
          + "; it was added as another title, and 'cloudsync media match' merges them"
      }
    return records
  }

  private func imported(_ bytes: [UInt8]) throws -> ImportedLibrary? {
    guard ZipArchive.isZip(bytes) else { return try MediaImport.read(bytes, options) }
    let archive: ZipArchive
    do { archive = try ZipArchive(MemoryBytes(bytes)) } catch {
      throw SyncError(.inputInvalid, "could not read the archive: \(error)")
    }
    if archive.entries.contains(where: \.isEncrypted) {
      throw SyncError(
        .inputInvalid, "the archive is locked with a password",
        hint: "unpack it with the password that was sent with it, then import the folder")
    }
    let files = ExportFiles(paths: archive.entries.map(\.path)) { path in
      guard let entry = archive[path] else { return [] }
      do { return try archive.contents(of: entry, limit: Self.largestFile) } catch {
        throw SyncError(.inputInvalid, "\(path): \(error)")
      }
    }
    return try MediaImport.read(files, options)
  }

  private static let largestFile = 1 << 28
}
