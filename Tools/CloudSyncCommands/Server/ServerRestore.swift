import ArgumentParser
import Formats
import SyncKit
import SyncServer
import SyncWire

/// `cloudsync server restore FILE`.
struct ServerRestore: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of all that a server has.",
    discussion: examples(
      "cloudsync server restore /backup/server.sqlite --yes",
      "cloudsync server restore /backup/server.sqlite --data /srv/new --yes",
      after: """
        The server must not run (75). The backup is checked first (65 when it is damaged), and what \
        was there is kept beside it. Devices notice that the server is an older one, read everything \
        again, and bring back what it has lost.
        """))

  @Argument(help: "The file that 'cloudsync server backup' has written.", completion: .file())
  var file: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = try context.directoryRequest.absolute(file)
    let restore = try ServerRestoration(
      of: path, in: DataFolder(folder.path(context)), environment: context.serverEnvironment)
    if restore.replacesSomething, !change.dryRun {
      guard try context.confirm("Put the backup in the place of all that the server has?") else {
        throw SyncError(.usage, "the server's data stay as they are")
      }
    }
    let outcome = try await restore.run(isRehearsal: change.dryRun)
    context.print(
      Report(
        "cloudsync.server.restore/1",
        [
          "file": .string(path), "segments": .int(Int64(outcome.segments)),
          "bytes": .int(outcome.bytes), "kept": outcome.kept.map { .string($0) } ?? .null,
          "dryRun": .bool(change.dryRun),
        ],
        table: Table(
          [Table.Column("file"), Table.Column("segments", numeric: true), Table.Column("kept")],
          rows: [
            [Table.Cell(path), Table.Cell(outcome.segments), Table.Cell(outcome.kept ?? "")]
          ]), text: ""))
    context.note(
      change.dryRun
        ? "would restore \(outcome.segments) segments"
        : "restored \(outcome.segments) segments; start the server again")
  }
}
