import ArgumentParser
import CommandFoundation

/// `cloudsync token`.
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ServerProgram.token.name, abstract: ServerProgram.token.abstract,
    discussion: examples(
      "\(program) token list", "TOKEN=$(\(program) token create backup --scope read --expires 90d)",
      "\(program) token revoke ID",
      after: """
        These commands work on the data folder, whether the server is running or not; a running \
        server notices within a second.
        """),
    subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self],
    defaultSubcommand: TokenList.self)
}
