import ArgumentParser
import CommandFoundation
import SyncKitFormats

/// The command `cloudsync version`.
struct VersionCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.",
    discussion: examples("cloudsync version", "cloudsync version --json"))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) {
    context.print(
      Report(
        "cloudsync.version/1", ["version": .string(Version.number)],
        table: ReportTable(
          [ReportTable.Column("version")], rows: [[ReportTable.Cell(Version.number)]]),
        text: Version.text + "\n"))
  }
}
