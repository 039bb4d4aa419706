import ArgumentParser
import CommandFoundation

/// `cloudsync account`.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "Show your account on a server: storage, tokens and audit log.",
    discussion: examples(
      "cloudsync account show", "cloudsync account tokens", "cloudsync account audit --limit 20",
      after: "Use 'cloudsync device' to add and revoke devices."),
    subcommands: [AccountShow.self, AccountTokens.self, AccountAudit.self],
    defaultSubcommand: AccountShow.self)
}
