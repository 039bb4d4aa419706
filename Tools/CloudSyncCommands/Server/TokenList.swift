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
    let columns = ["id", "name", "account", "scope", "expires", "lastUsed", "by"]
    context.print(
      Report(
        "cloudsync.tokens/1",
        ["tokens": .array(tokens.map { .object($1.document(of: $0)) })], records: "tokens",
        table: Table(
          columns.map { Table.Column($0, flexible: $0 == "name") },
          rows: tokens.map { owner, token in
            let document = token.document(of: owner)
            return columns.map { column in
              switch column {
              case "account": Table.Cell(owner.name)
              case "by": Table.Cell(token.origin)
              default: Table.Cell(document[column]?.string ?? (column == "expires" ? "never" : ""))
              }
            }
          })))
  }
}
