import ArgumentParser
import CommandFoundation

/// `cloudsync token`.
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ServerProgram.token.name, abstract: ServerProgram.token.abstract,
    discussion: examples(
      "cloudsync token list", "TOKEN=$(cloudsync token create backup --scope read --expires 90d)",
      "cloudsync token revoke ID",
      after: """
        These commands work on the data folder, whether the server runs or not; a server that runs \
        hears of it within a second.
        """),
    subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self],
    defaultSubcommand: TokenList.self)
}
