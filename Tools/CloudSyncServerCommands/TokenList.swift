import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync token list`.
struct TokenList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens of the server, without their secrets.",
    discussion: examples("\(program) token list", "\(program) token list --account anna --json"))

  @Option(help: ArgumentHelp("Only this account's tokens.", valueName: "name"))
  var account: String?
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let tokens = try await folder.work(context) { administration in
      var owners = try await administration.accounts().map(\.account)
      if let account { owners = [try await administration.known(account)] }
      var tokens: [(WireName, WireToken)] = []
      for owner in owners {
        tokens += try await administration.tokens(of: owner.id).map { (owner, $0) }
      }
      return tokens
    }
    let now = context.terminal.now()
    context.print(
      Report(
        "cloudsync.tokens/1",
        ["tokens": .array(tokens.map { .object($1.document(of: $0)) })], records: "tokens",
        table: ReportTable(
          [
            ReportTable.Column("id"), ReportTable.Column("name", flexible: true),
            ReportTable.Column("account"),
            ReportTable.Column("scope"), ReportTable.Column("expires"),
            ReportTable.Column("last used"),
            ReportTable.Column("by"),
          ],
          rows: tokens.map { owner, token in
            [
              ReportTable.Cell(token.id), ReportTable.Cell(token.name),
              ReportTable.Cell(owner.name),
              ReportTable.Cell(token.scope.rawValue), token.end(at: now),
              token.lastUsed.map { ReportTable.Cell(time: $0) } ?? ReportTable.Cell(""),
              ReportTable.Cell(token.origin),
            ]
          })))
  }
}
