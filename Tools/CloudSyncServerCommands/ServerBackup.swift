import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server backup FILE`.
struct ServerBackup: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back everything up into one file, even while the server runs.",
    discussion: examples(
      "\(program) server backup /backup/server.sqlite",
      "\(program) server backup \"/backup/server-$(date +%F).sqlite\" --data /var/lib/cloudsync/server",
      after: """
        The file is a consistent copy. It is on the disk when the command ends, and only its owner can \
        read it. An existing file is not replaced (65).
        A PostgreSQL database is backed up with pg_dump.
        Bodies that the server keeps in a bucket are not in the copy, which the command says (outside in --json): the \
        bucket has to keep them for as long as the copy is to be of use.
        """))

  @Argument(help: "The file to write.", completion: .file()) var file: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = try context.directoryRequest.absolute(file)
    let outside = try await folder.work(context) { administration in
      try await administration.backup(to: path)
      return try await administration.bodiesOutside()
    }
    let size = LocalFile.size(path)
    context.print(
      Report(
        "cloudsync.server.backup/1",
        [
          "file": .string(path), "bytes": .int(size),
          "outside": ["bodies": .int(outside.count), "bytes": .int(outside.bytes)],
        ],
        table: ReportTable(
          [ReportTable.Column("file"), ReportTable.Column("bytes", numeric: true)],
          rows: [[ReportTable.Cell(path), ReportTable.Cell(size)]]), text: ""))
    if outside.count > 0 {
      context.warn(
        "the copy lacks \(Plural(Int(outside.count), "body", "bodies")) (\(Plural(Int(outside.bytes), "byte"))) that are "
          + "in the bucket; keep what is removed there for as long as the copy")
    }
    context.note("wrote \(Plural(Int(size), "byte")) to \(Sanitized.line(path))")
  }
}
