import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync help [TOPIC | COMMAND…]`.
struct HelpCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Explain a topic or a command.",
    discussion: examples(
      "cloudsync help exit-codes", "cloudsync help config set", "cloudsync help --json",
      after: "With --json, a command's page is one document with all commands below it, their "
        + "arguments and their options.\n\nTOPICS:\n"
        + HelpTopic.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")))

  @Argument(
    help: "A topic, or the name of a command.",
    completion: .list(HelpTopic.all.map(\.name) + CommandTree.commandNames))
  var subject: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) throws {
    if let topic = try topic() {
      context.print(try topic.report(context))
    } else {
      try CommandRun(CloudSync.self).printHelp(
        of: subject, on: context.terminal, isJSON: context.format.isJSON)
    }
  }

  /// The topic for the words; if a topic and a command share a name, further words mean the command.
  private func topic() throws(SyncError) -> HelpTopic? {
    guard subject.count == 1, let name = subject.first else { return nil }
    if let topic = HelpTopic.all.first(where: { $0.name == name }) { return topic }
    if CommandTree.commandNames.contains(name) { return nil }
    throw SyncError(
      .usage, "there is no topic or command '\(Sanitized.line(name))'",
      hint: NearestName.hint(
        for: name, among: HelpTopic.all.map(\.name) + CommandTree.commandNames)
        ?? "the topics are \(HelpTopic.names)")
  }
}

/// The names of the top-level commands.
enum CommandTree {
  static var commandNames: [String] {
    CloudSync.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { $0._commandName }
  }
}
