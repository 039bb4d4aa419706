import ArgumentParser
import CommandFoundation
import SyncKitFormats

/// The command `cloudsync config path`.
struct ConfigPathCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the configuration file.",
    discussion: examples(
      "cloudsync config path", "$EDITOR \"$(cloudsync config path)\"",
      after: "The file need not exist. The other folders: cloudsync help directories"))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) throws {
    let directories = try context.directories()
    let path = directories.configFile
    context.print(
      Report(
        "cloudsync.config/1",
        [
          "path": .string(path),
          "dropIns": directories.isConfigFileNamed ? .null : .string(directories.dropIns),
          "system": .string(Directories.systemConfigFile),
        ],
        table: ReportTable([ReportTable.Column("path")], rows: [[ReportTable.Cell(path)]]),
        text: Sanitized.line(path) + "\n"))
  }
}
