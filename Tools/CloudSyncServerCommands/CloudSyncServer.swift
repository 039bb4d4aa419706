import ArgumentParser
import CommandFoundation

/// What a person types before these commands, for examples and hints.
let program = SeparateProgram.server.called

/// The root of the command line of `cloudsync-server`.
///
/// `cloudsync` hands the words of these commands over, under its own name: help then names the program that was
/// called.
public struct CloudSyncServer: AsyncParsableCommand {
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: program, abstract: "Run and manage the server that devices sync with.",
      discussion: examples(
        "\(program) serve", "\(program) server invite anna",
        after:
          "Where cloudsync is installed too, 'cloudsync serve' does the same as 'cloudsync-server serve'."
      ),
      version: Version.text(of: program),
      subcommands: [ServeCommand.self, TokenCommand.self, ServerCommand.self])
  }

  public init() {}
}

/// Runs the command line as a process of its own: the one thing the executable does.
///
/// - Parameter arguments: All of them, the program's name first.
/// - Returns: The exit status; see `cloudsync help exit-codes`.
@MainActor public func run(arguments: [String]) async -> Int32 {
  await CommandRun(CloudSyncServer.self).process(arguments)
}
