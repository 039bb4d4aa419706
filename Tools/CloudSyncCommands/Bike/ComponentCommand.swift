import ArgumentParser
import CommandFoundation

/// The command `cloudsync bike component`.
struct ComponentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "component",
    abstract: "Components, where they are mounted, and how far they were ridden.",
    discussion: examples(
      "cloudsync bike component tree", "cloudsync bike component add \"Front wheel\" --on b1",
      "cloudsync bike component swap \"Summer wheels\" \"Winter wheels\""),
    subcommands: [
      ComponentTree.self, ComponentAdd.self, ComponentInstall.self, ComponentRemove.self,
      ComponentSwap.self,
    ], defaultSubcommand: ComponentTree.self)
}
