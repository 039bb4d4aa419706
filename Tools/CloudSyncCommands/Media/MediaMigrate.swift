import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import MediaLibrary
import SyncKit

/// The command `cloudsync media migrate [FILE]`.
struct MediaMigrate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Import the backup of the app MediaWatch, once.",
    discussion: examples(
      "cloudsync media migrate MediaWatch-backup.json --dry-run",
      "cloudsync media migrate MediaWatch-backup.json", "cloudsync media migrate --status",
      "cloudsync media migrate --back", "cloudsync media migrate --disable",
      after: """
        Existing records are saved to a backup first; then the whole file becomes one batch. \
        Migrating the same file again changes nothing. Notes for the owner alone become private \
        notes. --back takes the batch back. --disable keeps media on this device from now on: \
        nothing is sent or fetched, and nothing is lost; --enable ends that.
        """))

  @Argument(help: "The backup file that the app wrote.", completion: .file()) var file: String?
  @Flag(help: "Show the state of the migration.") var status = false
  @Flag(help: "Take the migration back.") var back = false
  @Flag(help: "Keep media on this device only.") var disable = false
  @Flag(help: "Sync media again.") var enable = false
  @Flag(help: "Leave bad rows out and write the others.") var skipBad = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let wishes = [file != nil, status, back, disable, enable].filter { $0 }
    guard wishes.count == 1 else {
      throw SyncError(
        .usage, "name a file, or one of --status, --back, --disable and --enable")
    }
    if let file { return try migrate(file, context) }
    if back { return try takeBack(context) }
    if disable || enable { try await setEnabled(enable, context) }
    try showStatus(context)
  }

  // MARK: Forward

  private func migrate(_ file: String, _ context: CommandContext) throws {
    try context.write("cloudsync.media.migrate/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      var options = MediaImport.Options()
      options.format = .app
      let reader = MediaReader(
        library: media.library, device: media.device, options: options)
      var state = try MigrationState(media.session)
      if !change.dryRun, state.backup == nil, !media.library.lists.isEmpty {
        state.backup = try backUp(media)
      }
      let run = try ImportRun<MediaRegistration>(
        file: ImportedFile(file, format: "app", context), skipBad: skipBad,
        isRehearsal: change.dryRun, context: context)
      do {
        let result = try run.result(media.session, reading: reader)
        try note(result, in: &state, media)
        return result
      } catch let failure as WriteFailure where failure.result.batch != nil {
        // Some rows were left out; the rows written are still the migration.
        try note(failure.result, in: &state, media)
        throw failure
      }
    }
  }

  private func note(
    _ result: WriteResult, in state: inout MigrationState, _ media: MediaSession
  ) throws {
    guard !change.dryRun else { return }
    if let batch = result.batch { state.batches.append("\(batch)") }
    if result.batch != nil || state.name != .done { state.at = media.now }
    state.name = .done
    try state.save()
  }

  /// Writes all records to a backup beside the store, so that there is always a way back.
  private func backUp(_ media: MediaSession) throws -> String {
    let folder = LocalFolder.path(media.session.directories.data, "backups")
    let stamp = String(Timestamp.format(milliseconds: media.now).prefix(19))
      .filter { $0 != ":" && $0 != "-" }
    let path = LocalFolder.path(folder, "media-\(stamp).records")
    let types = DomainSchema.media.collections
    let records = try types.flatMap { try media.store.records($0.name) }
    let bytes = try RecordFileWriter<MediaRegistration>(records: records, collections: types)
      .bytes("records")
    do throws(SystemError) {
      try LocalFolder.create(folder)
      try LocalFile.replace(path, with: bytes)
    } catch {
      throw SyncError(error)
    }
    return path
  }

  // MARK: Back

  private func takeBack(_ context: CommandContext) throws {
    try context.write("cloudsync.media.migrate/1", isRehearsal: change.dryRun) {
      let media = try MediaSession(context, isRehearsal: change.dryRun)
      var state = try MigrationState(media.session)
      guard state.name == .done else {
        throw SyncError(.notFound, "there is no migration to take back")
      }
      var result = WriteResult()
      var skipped: [String] = []
      for text in state.batches.reversed() {
        guard let batch = BatchID(text) else { continue }
        let undone = try media.store.undo(batch)
        skipped += undone.skipped
        let part = WriteResult(undone.summary, isRehearsed: change.dryRun)
        result.batch = part.batch ?? result.batch
        result.added += part.added
        result.changed += part.changed
        result.deleted += part.deleted
        result.plan = part.plan
      }
      if !change.dryRun {
        state.name = .takenBack
        state.batches = []
        state.at = media.now
        try state.save()
      }
      guard !skipped.isEmpty else { return result }
      result.errors = skipped.map {
        WriteResult.Fault(row: nil, message: "\($0) has been changed since; it was left as it is")
      }
      throw WriteFailure.partial(result, "records changed since were left as they are")
    }
  }

  // MARK: Status

  private func setEnabled(_ isEnabled: Bool, _ context: CommandContext) async throws {
    guard !change.dryRun else { return }
    var file = try ConfigFile(context)
    try file.set(["domains", "media", "enabled"], to: isEnabled ? "true" : "false")
    try await file.save()
  }

  private func showStatus(_ context: CommandContext) throws {
    let session = try Session(context)
    let state = try MigrationState(session)
    let isEnabled = session.configuration[domain: "media"]?.isEnabled ?? true
    let at = state.at.map { JSON.string(Timestamp.format(milliseconds: $0)) } ?? .null
    let rows: [[ReportTable.Cell]] = [
      [
        "state",
        ReportTable.Cell(
          state.name == .takenBack ? "taken back" : state.name.rawValue, raw: state.name.rawValue),
      ],
      ["at", state.at.map { ReportTable.Cell(time: $0) } ?? ""],
      ["backup", ReportTable.Cell(state.backup ?? "")],
      ["synced", ReportTable.Cell(isEnabled ? "true" : "false")],
    ]
    context.print(
      Report(
        "cloudsync.media.migration/1",
        [
          "state": .string(state.name.rawValue), "at": at,
          "batches": .array(state.batches.map { .string($0) }),
          "backup": state.backup.map { .string($0) } ?? .null, "synced": .bool(isEnabled),
        ],
        table: ReportTable(
          [ReportTable.Column("key"), ReportTable.Column("value")], rows: rows)))
  }
}

/// The state of the migration from the app; kept beside the store.
struct MigrationState {
  /// The steps.
  enum Name: String {
    case pending, done, takenBack
  }

  var name = Name.pending
  /// Milliseconds since 1970 of the last step.
  var at: Int64?
  /// The batches that it has written.
  var batches: [String] = []
  /// The path of the backup from before.
  var backup: String?
  private let path: String

  /// Reads the state; without a file there was no migration.
  ///
  /// - Throws: ``SyncError`` `store.io` when the file cannot be read.
  init(_ session: Session) throws {
    path = LocalFolder.path(session.directories.data, "media.migration")
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try LocalFile.read(path, limit: 1 << 20) } catch {
      if error.isMissing { return }
      throw SyncError(error)
    }
    guard let json = try? JSON(parsing: bytes), let text = json["state"]?.string,
      let name = Name(rawValue: text)
    else {
      throw SyncError(
        .storeDamaged, "\(path) is damaged", hint: "remove it; that does not touch the records")
    }
    self.name = name
    at = json["at"]?.int
    batches = json["batches"]?.array?.compactMap(\.string) ?? []
    backup = json["backup"]?.string
  }

  /// Writes the state.
  func save() throws {
    let json: JSON = [
      "state": .string(name.rawValue), "at": at.map { .int($0) } ?? .null,
      "batches": .array(batches.map { .string($0) }),
      "backup": backup.map { .string($0) } ?? .null,
    ]
    do throws(SystemError) {
      try LocalFile.replace(path, with: json.serialized() + [UInt8(ascii: "\n")])
    } catch {
      throw SyncError(error)
    }
  }
}
