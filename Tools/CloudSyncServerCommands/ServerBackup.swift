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
        """))

  @Argument(help: "The file to write.", completion: .file()) var file: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = try context.directoryRequest.absolute(file)
    try await folder.work(context) { try await $0.backup(to: path) }
    let size = LocalFile.size(path)
    context.print(
      Report(
        "cloudsync.server.backup/1", ["file": .string(path), "bytes": .int(size)],
        table: ReportTable(
          [ReportTable.Column("file"), ReportTable.Column("bytes", numeric: true)],
          rows: [[ReportTable.Cell(path), ReportTable.Cell(size)]]), text: ""))
    context.note("wrote \(Plural(Int(size), "byte")) to \(Sanitized.line(path))")
  }
}
