import ArgumentParser
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
      after: """
        The whole backup is checked first. What was there is kept beside, as NAME.sqlite.replaced-1. The \
        device is one of its own from then on, so that nothing it did since the backup is written twice; \
        the next sync brings what others have done meanwhile. The configuration is put back only where \
        there is none. A token is not in a backup: pair the device with its servers again.
        To bring one record back as it was, see 'cloudsync restore --at'.
        """))

  @Argument(help: "The file; - for standard input.", completion: .file()) var file: String
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let archive = try BackupArchive(try context.source(file))
    _ = try session.device()
    let folder: ScratchFolder
    do throws(SystemError) {
      folder = try ScratchFolder(in: session.directories.data)
    } catch {
      throw SyncError(error)
    }
    try archive.problems(unpackingTo: folder.path).throwFirst()
    if !change.dryRun {
      guard try context.confirm("Replace what this device has by the backup \(file)?") else {
        throw SyncError(.usage, "nothing was restored")
      }
    }
    // All locks before the first change, so that it is not stopped half way.
    var locks: [StoreLock] = []
    defer { for lock in locks { lock.release() } }
    if !change.dryRun {
      for store in archive.stores { locks.append(try await session.lock(store.name, wait: .zero)) }
    }
    var kept: [String] = []
    for store in archive.stores where !change.dryRun {
      if let aside = try put(store, from: folder.path, session) { kept.append(aside) }
    }
    let isConfigured = FileSignature(session.directories.configFile) != nil
    let config = isConfigured ? nil : try archive.configuration()
    if let config, !change.dryRun { try write(config, to: session.directories.configFile) }
    report(archive, kept, hasConfig: config != nil, context)
  }

  /// Exchanges one store.
  ///
  /// - Returns: Where the old one is kept.
  private func put(
    _ store: BackupArchive.Store, from folder: String, _ session: Session
  ) throws -> String? {
    let exchange = try StoreExchange(session.storePath(store.name), as: .replaced)
    return try exchange.finish(with: LocalFolder.path(folder, "\(store.name).sqlite"))
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
    _ archive: BackupArchive, _ kept: [String], hasConfig: Bool, _ context: CommandContext
  ) {
    context.print(
      Report(
        "cloudsync.backup/1",
        [
          "file": .string(file), "made": archive.document["made"] ?? .null,
          "device": archive.document["device"] ?? .null,
          "stores": .array(
            archive.stores.map { ["name": .string($0.name), "bytes": .int(Int64($0.bytes))] }),
          "problems": [], "kept": .array(kept.map { .string($0) }),
          "configured": .bool(hasConfig), "dryRun": .bool(change.dryRun),
        ], records: "stores", table: BackupTable.table(archive.stores, []), text: ""))
    let names = archive.stores.map(\.name).joined(separator: ", ")
    let made = archive.document["made"]?.string.map { " of \(Sanitized.line($0))" } ?? ""
    context.note("\(change.dryRun ? "would restore" : "restored") \(names)\(made)")
    for path in kept { context.note("what was there is kept as \(path)") }
    if !change.dryRun { context.note("next: cloudsync sync, which brings what was done since") }
  }
}
