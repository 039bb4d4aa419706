import ArgumentParser
import CommandFoundation

/// The root of the command line of `cloudsync-server`.
///
/// `cloudsync` hands the words of these commands over, under its own name: help then names the program that was
/// called.
public struct CloudSyncServer: AsyncParsableCommand {
  public static var configuration: CommandConfiguration {
    let name = ServerProgram.isCalled("cloudsync") ? "cloudsync" : ServerProgram.name
    return CommandConfiguration(
      commandName: name, abstract: "Be the server where devices meet, and look after it.",
      discussion: examples(
        "cloudsync-server serve", "cloudsync-server server invite anna",
        after:
          "Where cloudsync is installed too, 'cloudsync serve' does the same as 'cloudsync-server serve'."
      ),
      version: Version.text(of: name),
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
