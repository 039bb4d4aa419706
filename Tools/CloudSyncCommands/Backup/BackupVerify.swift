import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync backup verify FILE`.
struct BackupVerify: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Unpack and read a whole backup, to check that it is sound.",
    discussion: examples(
      "cloudsync backup verify backup.zip.age", "cloudsync backup verify backup.zip --json",
      after: """
        An encrypted backup takes its passphrase, as 'backup create' does.
        Exit status: 0 it can be restored; 65 it is damaged, or not a backup; 77 the passphrase \
        does not open it.
        """))

  @Argument(help: "The file; - for standard input.", completion: .file()) var file: String
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let backup = try BackupFile(file, PassphraseSource(.backup, passphrase, session))
    let archive = backup.archive
    let problems = try scratch(session) { try archive.problems(unpackingTo: $0) }
    context.print(
      Report(
        "cloudsync.backup/1",
        [
          "file": .string(file), "encrypted": .bool(backup.isEncrypted),
          "made": archive.document["made"] ?? .null,
          "device": archive.document["device"] ?? .null,
          "stores": .array(
            archive.stores.map { ["name": .string($0.name), "bytes": .int(Int64($0.bytes))] }),
          "problems": .array(
            problems.map { ["store": .string($0.store), "message": .string($0.text)] }),
        ], records: "stores", table: BackupTable.table(archive.stores, problems)))
    try problems.throwFirst()
  }
}

extension [BackupArchive.Problem] {
  /// - Throws: ``SyncError`` `input.invalid` when there is a problem.
  func throwFirst() throws {
    guard let first else { return }
    let more = count > 1 ? " (and \(count - 1) more)" : ""
    throw SyncError(
      .inputInvalid,
      "the backup is damaged: \(first.store.isEmpty ? "" : "\(first.store): ")\(first.text)\(more)",
      hint: "use another backup; nothing was changed")
  }
}
