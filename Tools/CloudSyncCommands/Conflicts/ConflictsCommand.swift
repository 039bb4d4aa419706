import ArgumentParser

/// The command `cloudsync conflicts`.
struct ConflictsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "See what devices disagree about, and decide.",
    discussion: examples(
      "cloudsync conflicts", "cloudsync conflicts show airports/mapping/ABC/code",
      "cloudsync conflicts resolve airports/mapping/ABC/code --mine",
      after: """
        All values stay until somebody decides or writes again. Most conflicts are settled by a rule \
        and only listed; 'needed' asks for a decision.
        """),
    subcommands: [ConflictList.self, ConflictShow.self, ConflictResolve.self],
    defaultSubcommand: ConflictList.self)
}
