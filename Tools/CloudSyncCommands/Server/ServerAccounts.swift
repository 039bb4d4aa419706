import ArgumentParser
import Formats
import SyncKit
import SyncServer
import SyncWire

/// `cloudsync server accounts`.
struct ServerAccounts: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List the accounts, what they have and may have.",
    discussion: examples("cloudsync server accounts", "cloudsync server accounts --json"))

  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let accounts = try await folder.work(context) { try await $0.accounts() }
    context.print(
      Report(
        "cloudsync.server.accounts/1",
        ["accounts": .array(accounts.map { .object($0.document) })],
        records: "accounts",
        table: Table(
          [
            Table.Column("id"), Table.Column("name", flexible: true),
            Table.Column("devices", numeric: true), Table.Column("bytes", numeric: true),
            Table.Column("changes", numeric: true), Table.Column("locked"),
          ],
          rows: accounts.map { item in
            [
              Table.Cell(item.account.id), Table.Cell(item.account.name),
              Table.Cell(item.devices), Table.Cell(item.usedBytes), Table.Cell(item.usedRecords),
              Table.Cell(item.locked == nil ? "" : "locked", style: .bad),
            ]
          })))
    if accounts.isEmpty {
      context.note("there is no account; make one with 'cloudsync server invite NAME'")
    }
  }
}
