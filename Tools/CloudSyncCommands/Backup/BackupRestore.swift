import ArgumentParser
import CommandFoundation
import Formats
import SQLiteStorage
import SyncKit

/// `cloudsync backup restore FILE`.
struct BackupRestore: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put the stores of a backup in the place of those that are there.",
    discussion: examples(
      "cloudsync backup restore backup.zip", "cloudsync backup restore backup.zip --yes",
      "cloudsync backup restore backup.zip --dry-run",
      "cloudsync backup restore backup.zip --keep-unsent",
      after: """
        The whole backup is checked first. Edits that neither a remote nor the backup has stop the \
        command (77) until you say whether to take them over (--keep-unsent) or to leave them in the \
        stores that are put aside (--discard-unsent). What was there is kept beside, as \
        NAME.sqlite.replaced-1. The \
        device is one of its own from then on, so that nothing it did since the backup is written twice; \
        the next sync brings what others have done meanwhile. The configuration is put back only where \
        there is none. A token is not in a backup: pair the device with its servers again.
        To bring one record back as it was, see 'cloudsync restore --at'.
        """))

  @Argument(help: "The file; - for standard input.", completion: .file()) var file: String
  @Flag(exclusivity: .exclusive) var unsent: UnsentChoice?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let archive = try BackupArchive(try context.source(file))
    try session.keepDevice()
    let folder: ScratchFolder
    do throws(SystemError) {
      folder = try ScratchFolder(in: session.directories.data)
    } catch {
      throw SyncError(error)
    }
    try archive.problems(unpackingTo: folder.path).throwFirst()
    let names = archive.stores.map(\.name)
    var edits = try UnsavedEdits(of: names, besides: folder.path, session)
    if unsent == nil { try edits.refuse() }
    var kept: [String] = []
    if !change.dryRun {
      guard try context.confirm("Replace what this device has by the backup \(file)?") else {
        throw SyncError(.usage, "nothing was restored")
      }
      // All locks before the first change, so that it is not stopped half way.
      var locks: [StoreLock] = []
      defer { for lock in locks { lock.release() } }
      for name in names { locks.append(try await session.lock(name, wait: .zero)) }
      (edits, kept) = try exchange(names, in: folder.path, session)
    }
    let isConfigured = FileSignature(session.directories.configFile) != nil
    let config = isConfigured ? nil : try archive.configuration()
    if let config, !change.dryRun { try write(config, to: session.directories.configFile) }
    report(archive, edits, kept, hasConfig: config != nil, context)
  }

  /// Exchanges the stores for those in a folder.
  ///
  /// - Returns: What only the old ones had, and where they are kept.
  private func exchange(
    _ names: [String], in folder: String, _ session: Session
  ) throws -> (edits: UnsavedEdits, kept: [String]) {
    // From here on nobody writes to them, so that what is counted is what there is.
    let exchanges = try names.map { try StoreExchange(session.storePath($0), as: .replaced) }
    let edits = try UnsavedEdits(of: names, besides: folder, session)
    if unsent == nil { try edits.refuse() }
    let merged = unsent == .keepUnsent ? edits.stores : []
    var witnesses: [String: NewWitness] = [:]
    for name in merged {
      let witness = NewWitness()
      try StoreRepair(session, name).takeOver(
        into: LocalFolder.path(folder, "\(name).sqlite"), witness)
      witnesses[name] = witness
    }
    var kept: [String] = []
    for (name, exchange) in zip(names, exchanges) {
      let aside = try exchange.finish(with: LocalFolder.path(folder, "\(name).sqlite"))
      if let aside { kept.append(aside) }
      if let made = witnesses[name]?.made { try session.witness(name).save(made) }
    }
    return (edits, kept)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(SyncError) {
    do throws(SystemError) {
      try LocalFolder.create(LocalFolder.parent(of: path))
      try LocalFile.replace(path, with: bytes)
    } catch {
      throw SyncError(error)
    }
  }

  private func report(
    _ archive: BackupArchive, _ edits: UnsavedEdits, _ kept: [String], hasConfig: Bool,
    _ context: CommandContext
  ) {
    context.print(
      Report(
        "cloudsync.backup/1",
        [
          "file": .string(file), "made": archive.document["made"] ?? .null,
          "device": archive.document["device"] ?? .null,
          "stores": .array(
            archive.stores.map { ["name": .string($0.name), "bytes": .int(Int64($0.bytes))] }),
          "problems": [], "kept": .array(kept.map { .string($0) }), "unsent": edits.json,
          "configured": .bool(hasConfig), "dryRun": .bool(change.dryRun),
        ], records: "stores", table: BackupTable.table(archive.stores, []), text: ""))
    let names = archive.stores.map(\.name).joined(separator: ", ")
    let made =
      archive.document["made"]?.string.map { text in
        " of \(Timestamp.parse(text).map(LocalTime.text) ?? Sanitized.line(text))"
      } ?? ""
    context.note("\(change.dryRun ? "would restore" : "restored") \(names)\(made)")
    for path in kept { context.note("what was there is kept as \(path)") }
    if let fate = fate(of: edits) { context.note(fate) }
    if !change.dryRun { context.note("next: cloudsync sync, which brings what was done since") }
  }

  /// What becomes of the edits that only the old stores had.
  private func fate(of edits: UnsavedEdits) -> String? {
    guard !edits.counts.isEmpty else { return nil }
    return switch (unsent, change.dryRun) {
    case (.keepUnsent, false): "\(edits.sentence) taken over from what was there"
    case (.keepUnsent, true): "\(edits.sentence) only here and would be taken over"
    case (_, false): "\(edits.sentence) only in what is kept"
    case (_, true): "\(edits.sentence) only here and would stay in what is kept"
    }
  }
}
