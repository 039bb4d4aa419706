import ArgumentParser
import CommandFoundation

/// `cloudsync timer`.
struct TimerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timer", abstract: "Have the system sync at regular times.",
    discussion: examples(
      "cloudsync timer install --every 15m", "cloudsync timer show", "cloudsync timer remove"),
    subcommands: [TimerInstall.self, TimerShow.self, TimerRemove.self])
}

/// Whose timers they are.
enum TimerScope: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// One person's, with that person's configuration and stores.
  case user
  /// The machine's, with a user of their own.
  case system

  static let allValueStrings = allCases.map { $0.rawValue }
}
