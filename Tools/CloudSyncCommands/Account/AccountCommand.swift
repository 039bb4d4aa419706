import ArgumentParser
import CommandFoundation

/// `cloudsync account`.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "See your account on a server: its room, its tokens, and what was done to it.",
    discussion: examples(
      "cloudsync account show", "cloudsync account tokens", "cloudsync account audit --limit 20",
      after: "Devices are added and revoked with 'cloudsync device'."),
    subcommands: [AccountShow.self, AccountTokens.self, AccountAudit.self],
    defaultSubcommand: AccountShow.self)
}
