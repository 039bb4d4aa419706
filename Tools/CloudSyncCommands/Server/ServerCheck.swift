import ArgumentParser
import Formats
import SyncKit
import SyncServer
import SyncWire

/// `cloudsync server check`.
struct ServerCheck: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Read all that the server has, and say whether it is whole.",
    discussion: examples(
      "cloudsync server check", "cloudsync server check --data /var/lib/cloudsync/server --json",
      after: "Exit status: 0 all is well; 65 something is damaged. Nothing is changed."))

  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let findings = try await folder.work(context) { try await $0.check() }
    context.print(
      Report(
        "cloudsync.server.check/1",
        [
          "segments": .int(Int64(findings.segments)), "bytes": .int(findings.bytes),
          "problems": .array(findings.problems.map { .string($0) }),
        ],
        table: Table(
          [
            Table.Column("segments", numeric: true), Table.Column("bytes", numeric: true),
            Table.Column("problems", flexible: true),
          ],
          rows: [
            [
              Table.Cell(findings.segments), Table.Cell(findings.bytes),
              Table.Cell(
                findings.problems.isEmpty ? "none" : findings.problems.joined(separator: " "),
                raw: findings.problems.joined(separator: " "),
                style: findings.problems.isEmpty ? .good : .bad),
            ]
          ])))
    if let first = findings.problems.first {
      let more = findings.problems.count > 1 ? " (and \(findings.problems.count - 1) more)" : ""
      throw SyncError(
        .storeDamaged, first + more,
        hint: "stop the server and put a backup back with 'cloudsync server restore FILE'")
    }
  }
}
