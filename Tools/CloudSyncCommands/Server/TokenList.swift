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
      let accounts = try await administration.accounts().map(\.account)
      if let account, !accounts.contains(where: { $0.name == account || $0.id == account }) {
        throw SyncError.unknownName("account", account, among: accounts.map(\.name))
      }
      var tokens: [(WireName, WireToken)] = []
      for owner in accounts where account == nil || account == owner.name || account == owner.id {
        tokens += try await administration.tokens(of: owner.id).map { (owner, $0) }
      }
      return tokens
    }
    let columns = ["id", "name", "account", "scope", "expires", "lastUsed"]
    context.print(
      Report(
        "cloudsync.tokens/1",
        ["tokens": .array(tokens.map { .object($1.document(of: $0)) })], records: "tokens",
        table: Table(
          columns.map { Table.Column($0, flexible: $0 == "name") },
          rows: tokens.map { owner, token in
            let document = token.document(of: owner)
            return columns.map { column in
              column == "account"
                ? Table.Cell(owner.name)
                : Table.Cell(document[column]?.string ?? (column == "expires" ? "never" : ""))
            }
          })))
  }
}
