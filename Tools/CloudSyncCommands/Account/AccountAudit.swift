import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync account audit`.
struct AccountAudit: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Show the audit log of your account: devices, tokens, codes, shares, erasures.",
    discussion: examples(
      "cloudsync account audit", "cloudsync account audit --limit 500 --json",
      after: """
        The newest line comes first. 'by' names the device that acted, directly or through a token \
        that it made; 'the host' runs the server, and 'the guest' takes part in a share. The log \
        never contains records.
        """))

  @Option(help: ArgumentHelp("Maximum number of lines, 1 to 1000.", valueName: "number"))
  var limit = 100
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard 1...1_000 ~= limit else { throw ValidationError("--limit must be between 1 and 1000") }
  }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let server = try session.server(server.remote, for: "the audit log of an account")
    let entries = try await server.client.audit(limit: limit)
    context.print(
      Report(
        "cloudsync.account.audit/1",
        [
          "remote": .string(server.name),
          "entries": .array(entries.map(Self.document)),
        ], records: "entries",
        table: ReportTable(
          [
            ReportTable.Column("at"), ReportTable.Column("action"),
            ReportTable.Column("what", flexible: true),
            ReportTable.Column("by"), ReportTable.Column("address"),
          ], rows: entries.map(Self.row))))
  }

  private static func document(_ entry: AuditEntry) -> JSON {
    [
      "at": .string(Timestamp.format(milliseconds: entry.at)), "action": .string(entry.action),
      "subject": .string(entry.subject), "name": entry.name.map { .string($0) } ?? .null,
      "device": entry.device.map {
        ["id": .string($0), "name": entry.deviceName.map { .string($0) } ?? .null]
      } ?? .null,
      "token": entry.token.map { .string($0) } ?? .null,
      "tokenName": entry.tokenName.map { .string($0) } ?? .null, "address": .string(entry.address),
    ]
  }

  private static func row(_ entry: AuditEntry) -> [ReportTable.Cell] {
    let device = entry.deviceName ?? entry.device
    let token = entry.token.map { id in
      entry.tokenName.map { "the token '\($0)'" } ?? "the token \(id)"
    }
    let by: String
    switch (device, token) {
    case (let device?, nil): by = device
    case (let device?, let token?): by = "\(device) by \(token)"
    case (nil, let token?): by = token
    case (nil, nil): by = ["local": "the host", "guest": "the guest"][entry.address] ?? ""
    }
    return [
      ReportTable.Cell(time: entry.at), ReportTable.Cell(entry.action),
      ReportTable.Cell(entry.name ?? entry.subject, raw: entry.subject), ReportTable.Cell(by),
      ReportTable.Cell(entry.address),
    ]
  }
}
