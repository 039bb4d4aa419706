import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync token revoke ID`.
struct TokenRevoke: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a token, also in a server that runs.",
    discussion: examples(
      "cloudsync token revoke 0123456789abc", "cloudsync token revoke 0123456789abc --json",
      after:
        "The ID is the one that 'cloudsync token list' shows. Ending it again is 66. What was made with it ends, too."
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
