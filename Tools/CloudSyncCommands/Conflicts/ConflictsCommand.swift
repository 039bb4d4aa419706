import ArgumentParser
import CommandFoundation

/// The command `cloudsync conflicts`.
struct ConflictsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "List conflicting edits and resolve them.",
    discussion: examples(
      "cloudsync conflicts", "cloudsync conflicts show airports/mapping/ABC/code",
      "cloudsync conflicts resolve airports/mapping/ABC/code --mine",
      after: """
        All values stay until you resolve the conflict or one is written again. A rule settles \
        most conflicts, and they are only listed; 'needed' asks you to decide. An overridden value \
        was written on its device before that device had seen the value that shows; 'resolve \
        --mine' brings your own back.
        """),
    subcommands: [ConflictList.self, ConflictShow.self, ConflictResolve.self],
    defaultSubcommand: ConflictList.self)
}
