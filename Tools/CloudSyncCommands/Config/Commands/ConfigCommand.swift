import ArgumentParser
import CommandFoundation

/// The command `cloudsync config`.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show, check and change the configuration.",
    discussion: examples(
      "cloudsync config show --resolved",
      "cloudsync config set defaults.stale-after 3d",
      "cloudsync config validate",
      after: "All keys and what they mean: cloudsync help config"),
    subcommands: [
      ConfigPathCommand.self, ConfigShow.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self,
      ConfigValidate.self,
      ConfigSchemaCommand.self,
    ])
}
