import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media export [FILE|-]`.
struct MediaExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write lists to a file or to standard output.",
    discussion: examples(
      "cloudsync media export backup.records", "cloudsync media export lists.md --list Weekend",
      "cloudsync media export letterboxd.csv --format letterboxd",
      "cloudsync media export - --format csv",
      after: """
        records has everything, of all collections, private notes too, and can be imported again; \
        json has lists with their items, csv one row per item, markdown a page to show; letterboxd \
        is the form that Letterboxd imports, in files of at most a megabyte: letterboxd.csv, \
        letterboxd-2.csv and so on. All formats but records leave out private notes unless \
        --private is given.
        """))

  /// The export formats.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case records, json, csv, markdown, letterboxd
  }

  @Argument(help: "The file; - or no file is standard output.", completion: .file())
  var file: String = "-"
  @Option(help: "The format; by default from the file's name: json, csv, markdown, records.")
  var format: Format?
  @Option(help: ArgumentHelp("Only this list, by name or id.", valueName: "list"))
  var list: [String] = []
  @Option(
    help: ArgumentHelp("With records or csv: only this collection.", valueName: "name"),
    completion: .list(DomainSchema.media.collections.map(\.name.text)))
  var collection: [String] = []
  @Flag(name: .customLong("private"), help: "Include private notes.") var withPrivate = false
  @OptionGroup var unsent: UnsentOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    if unsent.unsent { return try exportUnsent(context) }
    let media = try MediaSession(context)
    let lists = try list.isEmpty ? media.library.lists : list.map { try media.list($0) }
    let format = format ?? defaultFormat(context)
    let (parts, count) = try content(format, lists, media)
    guard file != "-" else {
      guard parts.count == 1 else {
        throw SyncError(
          .usage, "the tables need \(parts.count) files", hint: "name a file instead of -")
      }
      return context.terminal.output.write(bytes: parts[0])
    }
    let names = parts.indices.map { partName($0) }
    for (name, bytes) in zip(names, parts) {
      do throws(SystemError) { try LocalFile.replace(name, with: bytes) } catch {
        throw SyncError(error)
      }
    }
    context.print(
      Report(
        "cloudsync.media.export/1",
        [
          "file": .string(names[0]), "files": .array(names.map { .string($0) }),
          "format": .string(format.rawValue), "count": .int(Int64(count)),
          "bytes": .int(Int64(parts.reduce(0) { $0 + $1.count })),
        ],
        table: ReportTable(
          ["file", "format"].map { ReportTable.Column($0) },
          rows: names.map { [ReportTable.Cell($0), ReportTable.Cell(format.rawValue)] }),
        text: ""))
    context.note("wrote \(Plural(count, "record")) to \(names.joined(separator: ", "))")
  }

  /// Writes the records with unsent edits, in a form that an import reads back.
  private func exportUnsent(_ context: CommandContext) throws {
    let domain = MediaRegistration.domain
    guard format == nil || format == .records || format == .csv, list.isEmpty else {
      throw SyncError(
        .usage, "--unsent writes records or csv, of all lists", hint: "omit --list")
    }
    let run = ExportRun<MediaRegistration>(
      file: file, format: (format ?? .records).rawValue, context: context)
    try run.writeUnsent(
      collection.isEmpty
        ? domain.schema.collections : collection.map { try domain.collection($0) })
  }

  private func content(
    _ format: Format, _ lists: [Record], _ media: MediaSession
  ) throws -> (parts: [[UInt8]], count: Int) {
    let items = lists.flatMap { media.library.items(of: $0.key) }
    switch format {
    case .json:
      return (
        [LibraryDocument.json(lists, media.library, withPrivateNotes: withPrivate)], items.count
      )
    case .markdown:
      return (
        [MarkdownExport.page(lists, media.library, withPrivateNotes: withPrivate)], items.count
      )
    case .letterboxd: return (LetterboxdExport.tables(items, media.library), items.count)
    case .csv where collection.isEmpty:
      return ([LibraryTable.csv(lists, media.library)], items.count)
    case .csv, .records:
      let domain = MediaRegistration.domain
      let types =
        collection.isEmpty
        ? domain.schema.collections : try collection.map { try domain.collection($0) }
      let zones = Set(lists.map(\.key.zone))
      let records = try types.flatMap { type in
        try media.store.records(type.name).filter {
          list.isEmpty || type.placement == .local || zones.contains($0.key.zone)
        }
      }
      let writer = RecordFileWriter<MediaRegistration>(records: records, collections: types)
      return ([try writer.bytes(format == .csv ? "csv" : "records")], records.count)
    }
  }

  private func defaultFormat(_ context: CommandContext) -> Format {
    switch ImportedFile.suffix(of: file)?.lowercased() {
    case "md", "markdown": return .markdown
    case "csv": return .csv
    case "records": return .records
    case "json": return .json
    default: break
    }
    guard file == "-" else { return .json }
    switch context.format {
    case .csv: return .csv
    case .json, .jsonl: return .records
    case .table, .plain: return .json
    }
  }

  /// The name of a part: `films-2.csv` for the second one where the first is `films.csv`.
  private func partName(_ index: Int) -> String {
    guard index > 0 else { return file }
    guard let suffix = ImportedFile.suffix(of: file) else { return "\(file)-\(index + 1)" }
    return "\(file.dropLast(suffix.count + 1))-\(index + 1).\(suffix)"
  }
}
