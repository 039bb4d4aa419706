import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitEncryption

/// `cloudsync backup create FILE`.
struct BackupCreate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Write all stores of this device to one encrypted file.",
    discussion: examples(
      "cloudsync backup create ~/backup-$(date +%F).zip.age",
      "cloudsync backup create - | ssh nas 'cat > cloudsync.zip.age'",
      "cloudsync backup create --passphrase-file ~/.backup-passphrase backup.zip.age",
      "cloudsync backup create --unencrypted backup.zip",
      after: """
        Each store is copied as it was at one moment; other commands may write meanwhile. The \
        backup includes data that never leaves this device, such as rides and private notes, so \
        it is encrypted with a passphrase of yours: that of --passphrase-file, else of \
        backup.passphrase in the configuration, else you are asked for it twice. It has at least 8 \
        characters. Keep it elsewhere too: nothing else opens the backup. The file is one \
        of age, which opens it without cloudsync: age -d backup.zip.age > backup.zip. \
        --unencrypted writes the zip itself, and anyone who has that has everything.
        The backup contains no tokens and no keys: pair a restored device again. An existing file \
        is not replaced (65) without --force, and with it only once the new file is complete.
        """))

  @Argument(help: "The file; - for standard output.", completion: .file()) var file: String
  @Flag(help: "Replace an existing file.") var force = false
  @Flag(help: "Do not encrypt it: anyone who has the file can read everything.")
  var unencrypted = false
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard !unencrypted || passphrase.passphraseFile == nil else {
      throw ValidationError("--unencrypted takes no --passphrase-file.")
    }
  }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    if (try? Self.isEmpty(session)) == true { try session.requireSetUp() }
    let path = file == "-" ? nil : try context.directoryRequest.absolute(file)
    if let path, !force, FileSignature(path) != nil { throw Self.isThere(path) }
    let passphrase = unencrypted ? nil : try PassphraseSource(.backup, passphrase, session).new()
    let made = try scratch(session) { try BackupArchive.make(of: session, in: $0) }
    guard !made.stores.isEmpty else {
      throw SyncError(
        .inputMissing, "there is nothing to back up: this device has no store yet",
        hint: "see 'cloudsync help directories'")
    }
    let bytes =
      try passphrase.map {
        try AgeFile.seal(made.bytes, passphrase: $0, from: session.environment)
      } ?? made.bytes
    guard let path else {
      context.terminal.output.write(bytes: bytes)
      return
    }
    do throws(SystemError) {
      if force {
        try LocalFile.replace(path, with: bytes)
      } else {
        try LocalFile.create(path, with: bytes)
      }
    } catch {
      throw error.isTaken ? Self.isThere(path) : SyncError(error)
    }
    var keys = made.document
    keys["schema"] = nil
    keys["file"] = .string(path)
    keys["encrypted"] = .bool(!unencrypted)
    keys["problems"] = []
    context.print(
      Report(
        "cloudsync.backup/1", keys, records: "stores", table: BackupTable.table(made.stores, []),
        text: ""))
    context.note(
      "wrote \(Plural(bytes.count, "byte")) to \(Sanitized.line(path)), "
        + (unencrypted
          ? "not encrypted: anyone who has the file can read everything"
          : "encrypted: only the passphrase opens it"))
  }

  /// Whether no store has a record: with another HOME a backup would seem fine and contain nothing.
  private static func isEmpty(_ session: Session) throws -> Bool {
    try session.enabledStores.allSatisfy { name in
      guard FileSignature(session.storePath(name)) != nil else { return true }
      return try session.store(name).counts().values.allSatisfy { $0 == 0 }
    }
  }

  private static func isThere(_ path: String) -> SyncError {
    SyncError(
      .inputInvalid, "the file \(Sanitized.line(path)) already exists; nothing was written",
      hint: "name another file, or use --force to replace it")
  }
}

/// Runs a function with a temporary folder.
func scratch<Value>(_ session: Session, _ body: (String) throws -> Value) throws -> Value {
  do {
    let folder = try ScratchFolder(in: session.directories.data)
    return try withExtendedLifetime(folder) { try body(folder.path) }
  } catch let error as SystemError {
    throw SyncError(error)
  }
}

/// The content of a backup, as rows.
enum BackupTable {
  static func table(
    _ stores: [BackupArchive.Store], _ problems: [BackupArchive.Problem]
  ) -> ReportTable {
    ReportTable(
      [
        ReportTable.Column("store"), ReportTable.Column("bytes", numeric: true),
        ReportTable.Column("problems", flexible: true),
      ],
      rows: stores.map { store in
        let own = problems.filter { $0.store == store.name }.map(\.text).joined(separator: "; ")
        return [
          ReportTable.Cell(store.name), ReportTable.Cell(store.bytes),
          ReportTable.Cell(own.isEmpty ? "none" : own, raw: own, style: own.isEmpty ? .good : .bad),
        ]
      })
  }
}

extension CommandContext {
  /// The bytes of a file given as input, `-` for standard input.
  ///
  /// - Throws: ``SyncError`` `input.missing`.
  func source(_ file: String) throws -> any ByteSource {
    do {
      guard file != "-" else { return MemoryBytes(try terminal.readAll()) }
      return try FileBytes(try directoryRequest.absolute(file))
    } catch let error as SystemError {
      throw SyncError(.inputMissing, error.description)
    }
  }
}
