import ArgumentParser
import CommandFoundation

/// The command `cloudsync history`.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was done, on any device.",
    discussion: examples(
      "cloudsync history", "cloudsync history list --since 7d", "cloudsync history show 4f7k"),
    subcommands: [HistoryList.self, HistoryShow.self], defaultSubcommand: HistoryList.self)
}
