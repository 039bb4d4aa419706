import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server backup FILE`.
struct ServerBackup: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy everything into one file, while the server runs.",
    discussion: examples(
      "cloudsync server backup /backup/server.sqlite",
      "cloudsync server backup \"/backup/server-$(date +%F).sqlite\" --data /var/lib/cloudsync/server",
      after: """
        The file is one moment of the server, whole and on the disk when the command ends, and 0600. \
        A file that is there is not replaced (65).
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
