import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server accounts`.
struct ServerAccounts: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List the accounts, their usage and their limits.",
    discussion: examples("\(program) server accounts", "\(program) server accounts --json"))

  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let accounts = try await folder.work(context) { try await $0.accounts() }
    context.print(
      Report(
        "cloudsync.server.accounts/1",
        ["accounts": .array(accounts.map { .object($0.document) })],
        records: "accounts",
        table: ReportTable(
          [
            ReportTable.Column("id"), ReportTable.Column("name", flexible: true),
            ReportTable.Column("devices", numeric: true),
            ReportTable.Column("bytes", numeric: true),
            ReportTable.Column("changes", numeric: true), ReportTable.Column("locked"),
          ],
          rows: accounts.map { item in
            [
              ReportTable.Cell(item.account.id), ReportTable.Cell(item.account.name),
              ReportTable.Cell(item.devices), ReportTable.Cell(item.usedBytes),
              ReportTable.Cell(item.usedRecords),
              ReportTable.Cell(item.locked == nil ? "" : "locked", style: .bad),
            ]
          })))
    if accounts.isEmpty {
      context.note("there are no accounts; create one with '\(program) server invite NAME'")
    }
  }
}
