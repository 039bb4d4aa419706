import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync account tokens`.
struct AccountTokens: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens", abstract: "List and revoke the tokens of your account.",
    discussion: examples(
      "cloudsync account tokens", "cloudsync account tokens revoke 0123456789abc"),
    subcommands: [AccountTokenList.self, AccountTokenRevoke.self],
    defaultSubcommand: AccountTokenList.self)
}

/// `cloudsync account tokens list`.
struct AccountTokenList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens of your account, without their secrets.",
    discussion: examples(
      "cloudsync account tokens list", "cloudsync account tokens list --json",
      after: "'by' is the device that made the token, directly or by another token, or the host."))

  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let server = try session.server(server.remote, for: "a list of tokens")
    let account = try await server.client.account().account
    let tokens = try await server.client.tokens()
    context.print(
      Report(
        "cloudsync.tokens/1",
        ["tokens": .array(tokens.map { .object($0.document(of: account)) })], records: "tokens",
        table: ReportTable(
          [
            ReportTable.Column("id"), ReportTable.Column("name", flexible: true),
            ReportTable.Column("scope"),
            ReportTable.Column("expires"), ReportTable.Column("last used"),
            ReportTable.Column("by"),
          ],
          rows: tokens.map { token in
            [
              ReportTable.Cell(token.id), ReportTable.Cell(token.name),
              ReportTable.Cell(token.scope.rawValue),
              token.end(at: context.terminal.now()),
              token.lastUsed.map { ReportTable.Cell(time: $0) } ?? ReportTable.Cell(""),
              ReportTable.Cell(token.origin),
            ]
          })))
  }
}

/// `cloudsync account tokens revoke ID`.
struct AccountTokenRevoke: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token of your account and everything made with it.",
    discussion: examples(
      "cloudsync account tokens revoke 0123456789abc",
      "cloudsync account tokens revoke backup --dry-run",
      after: """
        Tokens, codes and invitations made with it are revoked as well. Devices and people that \
        joined through them stay, and the output names them.
        """))

  @Argument(help: "The token: its id, the start of it, or its name.") var id: String
  @OptionGroup var server: ServerOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let server = try session.server(server.remote, for: "revoking a token")
    let tokens = NameResolver<WireToken>(
      id: { $0.id }, name: { $0.name }, plural: "tokens", list: "cloudsync account tokens")
    let token = try tokens.one(id, of: try await server.client.tokens()) {
      "the account has no token '\($0)'"
    }
    let ended =
      change.dryRun
      ? try await server.client.made(byToken: token.id)
      : try await server.client.revoke(token: token.id)
    context.print(
      Report(
        "cloudsync.token-revoke/1",
        [
          "id": .string(token.id), "name": .string(token.name), "ended": ended.document,
          "dryRun": .bool(change.dryRun),
        ],
        table: ReportTable(
          [ReportTable.Column("id"), ReportTable.Column("name")],
          rows: [[ReportTable.Cell(token.id), ReportTable.Cell(token.name)]]), text: ""))
    let name = Sanitized.line(token.name)
    context.note("\(change.dryRun ? "would revoke" : "revoked") the token '\(name)'")
    context.tell(ended, of: name, isRehearsal: change.dryRun)
  }
}
