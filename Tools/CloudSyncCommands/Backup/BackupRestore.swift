import DeviceIdentity
import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SQLiteStorage
import SyncKit

/// `cloudsync backup restore FILE`.
struct BackupRestore: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the stores of this device with those of a backup.",
    discussion: examples(
      "cloudsync backup restore backup.zip.age", "cloudsync backup restore backup.zip.age --yes",
      "cloudsync backup restore backup.zip.age --dry-run",
      "cloudsync backup restore backup.zip.age --keep-unsent",
      after: """
        An encrypted backup takes its passphrase, as 'backup create' does; with a wrong one \
        nothing is changed (77).
        The whole backup is checked first. If this device has edits that are neither on a remote \
        nor in the backup, the command stops (77) until you choose to take them over \
        (--keep-unsent) or to leave them in the stores that are set aside (--discard-unsent). Each \
        previous store is kept beside the new one, as NAME.sqlite.replaced-1. From then on the \
        device counts as a new one, so that no change number is used twice; the next sync fetches \
        what others have done meanwhile. The configuration is restored only if there is none. A \
        backup contains no tokens: pair the device with its servers again.
        To bring back one record as it was, see 'cloudsync restore --at'.
        """))

  @Argument(help: "The file; - for standard input.", completion: .file()) var file: String
  @Flag(exclusivity: .exclusive) var unsent: UnsentChoice?
  @OptionGroup var change: DryRunOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let backup = try BackupFile(file, PassphraseSource(.backup, passphrase, session))
    let archive = backup.archive
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
      guard try context.confirm("Replace the data of this device with the backup \(file)?") else {
        throw SyncError(.usage, "nothing was restored")
      }
      // Takes all locks before the first change, so that it does not stop midway.
      var locks: [StoreLock] = []
      defer { for lock in locks { lock.release() } }
      for name in names { locks.append(try await session.lock(name, wait: .zero)) }
      (edits, kept) = try exchange(names, in: folder.path, session)
    }
    let isConfigured = FileSignature(session.directories.configFile) != nil
    let config = isConfigured ? nil : try archive.configuration()
    if let config, !change.dryRun { try write(config, to: session.directories.configFile) }
    report(backup, edits, kept, hasConfig: config != nil, context)
  }

  /// Replaces the stores with those in a folder.
  ///
  /// - Returns: The edits that only the old ones have, and the paths where they are kept.
  private func exchange(
    _ names: [String], in folder: String, _ session: Session
  ) throws -> (edits: UnsavedEdits, kept: [String]) {
    // From here on no process writes to them, so the count stays correct.
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
    _ backup: BackupFile, _ edits: UnsavedEdits, _ kept: [String], hasConfig: Bool,
    _ context: CommandContext
  ) {
    let archive = backup.archive
    context.print(
      Report(
        "cloudsync.backup/1",
        [
          "file": .string(file), "encrypted": .bool(backup.isEncrypted),
          "made": archive.document["made"] ?? .null,
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
    for path in kept { context.note("the previous store is kept as \(path)") }
    if let fate = fate(of: edits) { context.note(fate) }
    if !change.dryRun { context.note("next: 'cloudsync sync' fetches what has changed since") }
  }

  /// The fate of the edits that only the old stores have.
  private func fate(of edits: UnsavedEdits) -> String? {
    guard !edits.counts.isEmpty else { return nil }
    return switch (unsent, change.dryRun) {
    case (.keepUnsent, false): "\(edits.sentence) taken over from the previous store"
    case (.keepUnsent, true): "\(edits.sentence) only here and would be taken over"
    case (_, false): "\(edits.sentence) only in the previous store"
    case (_, true): "\(edits.sentence) only here and would stay in the previous store"
    }
  }
}
