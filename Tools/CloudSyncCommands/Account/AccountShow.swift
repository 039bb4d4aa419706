import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync account show`.
struct AccountShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the usage and the limits of your account.",
    discussion: examples("cloudsync account show", "cloudsync account show --json"))

  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let server = try session.server(server.remote, for: "an account")
    let state = try await server.client.account()
    func number(_ value: Int64?) -> JSON { value.map { .int($0) } ?? .null }
    let rows: [(what: String, used: Int64, limit: Int64?)] = [
      ("bytes", state.usedBytes, state.maximumBytes),
      ("changes", state.usedRecords, state.maximumRecords),
      ("devices", state.usedDevices, state.maximumDevices),
    ]
    context.print(
      Report(
        "cloudsync.account/1",
        [
          "id": .string(state.account.id), "name": .string(state.account.name),
          "remote": .string(server.name),
          "scopes": .array(state.scopes.map { .string($0.rawValue) }),
          "used": [
            "bytes": .int(state.usedBytes), "records": .int(state.usedRecords),
            "devices": .int(state.usedDevices),
          ],
          "quota": [
            "bytes": number(state.maximumBytes), "records": number(state.maximumRecords),
            "devices": number(state.maximumDevices),
          ],
        ],
        table: ReportTable(
          [
            ReportTable.Column("account"), ReportTable.Column("of"),
            ReportTable.Column("used", numeric: true),
            ReportTable.Column("limit", numeric: true),
          ],
          rows: rows.map { row in
            [
              ReportTable.Cell(state.account.name), ReportTable.Cell(row.what),
              ReportTable.Cell(row.used),
              row.limit.map { ReportTable.Cell($0) } ?? ReportTable.Cell("none"),
            ]
          })))
  }
}
