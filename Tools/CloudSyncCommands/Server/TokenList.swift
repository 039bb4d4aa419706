import ArgumentParser
import Formats
import SyncKit
import SyncServer
import SyncWire

/// `cloudsync token list`.
struct TokenList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens of the server, without their secrets.",
    discussion: examples("cloudsync token list", "cloudsync token list --account anna --json"))

  @Option(help: ArgumentHelp("Only those of this account.", valueName: "name"))
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
        table: Table(
          [
            Table.Column("id"), Table.Column("name", flexible: true), Table.Column("account"),
            Table.Column("scope"), Table.Column("expires"), Table.Column("last used"),
            Table.Column("by"),
          ],
          rows: tokens.map { owner, token in
            [
              Table.Cell(token.id), Table.Cell(token.name), Table.Cell(owner.name),
              Table.Cell(token.scope.rawValue), token.end(at: now),
              token.lastUsed.map { Table.Cell(time: $0) } ?? Table.Cell(""),
              Table.Cell(token.origin),
            ]
          })))
  }
}
