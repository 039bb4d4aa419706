import ArgumentParser
import CommandFoundation

/// The command `cloudsync conflicts`.
struct ConflictsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "See what devices disagree about, and decide.",
    discussion: examples(
      "cloudsync conflicts", "cloudsync conflicts show airports/mapping/ABC/code",
      "cloudsync conflicts resolve airports/mapping/ABC/code --mine",
      after: """
        All values stay until you decide or one is written again. Most conflicts are settled by a rule \
        and only listed; 'needed' asks for a decision. A value that gave way was edited here or elsewhere \
        before its device had seen the one that shows; 'resolve --mine' brings your own back.
        """),
    subcommands: [ConflictList.self, ConflictShow.self, ConflictResolve.self],
    defaultSubcommand: ConflictList.self)
}
