import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync token revoke ID`.
struct TokenRevoke: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token, even while the server runs.",
    discussion: examples(
      "\(program) token revoke 0123456789abc", "\(program) token revoke 0123456789abc --json",
      after:
        "'\(program) token list' shows the ids. Revoking one twice exits with 66. Whatever was created with the token ends too."
    ))

  @Argument(help: "The token's id.") var id: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let ended = try await folder.work(context) { try await $0.revoke(token: id) }
    context.print(
      Report(
        "cloudsync.token-revoke/1", ["id": .string(id), "ended": ended.document],
        table: ReportTable([ReportTable.Column("id")], rows: [[ReportTable.Cell(id)]]), text: ""))
    context.note("the token '\(Sanitized.line(id))' has ended")
    context.tell(ended, of: Sanitized.line(id), isRehearsal: false)
  }
}
