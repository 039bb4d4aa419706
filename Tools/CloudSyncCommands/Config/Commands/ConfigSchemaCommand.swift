import ArgumentParser
import CommandFoundation
import SyncKitFormats

/// The command `cloudsync config schema`.
struct ConfigSchemaCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of the configuration, for editors.",
    discussion: examples(
      "cloudsync config schema > ~/.config/cloudsync/config.schema.json",
      "cloudsync config schema --json",
      after: """
        Editors with YAML support find it by a first line such as
          # yaml-language-server: $schema=config.schema.json
        """))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) {
    let schema = ConfigSchema.jsonSchema
    let pretty = context.format == .table
    context.terminal.output.write(JSON.object(schema).text(pretty: pretty) + "\n")
  }
}
