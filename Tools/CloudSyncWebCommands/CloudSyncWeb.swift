import ArgumentParser
import CommandFoundation

/// The root of the command line of `cloudsync-web`.
///
/// `cloudsync` hands the words of `web` over, under its own name.
public struct CloudSyncWeb: AsyncParsableCommand {
  public static var configuration: CommandConfiguration {
    let program = SeparateProgram.web.called
    return CommandConfiguration(
      commandName: program, abstract: "Look at your data and your devices in a browser.",
      discussion: examples(
        "\(program) web",
        after: "Where cloudsync is installed too, 'cloudsync web' does the same."),
      version: Version.text(of: program), subcommands: [WebCommand.self])
  }

  public init() {}
}

/// Runs the command line as a process of its own: the one thing the executable does.
///
/// - Parameter arguments: All of them, the program's name first.
/// - Returns: The exit status; see `cloudsync help exit-codes`.
@MainActor public func run(arguments: [String]) async -> Int32 {
  await CommandRun(CloudSyncWeb.self).process(arguments)
}
