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

/// The owner of timers.
enum TimerScope: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// A person, with their configuration and stores.
  case user
  /// The machine, with a separate user.
  case system

  static let allValueStrings = allCases.map { $0.rawValue }
}
