import ArgumentParser
import CommandFoundation
import SyncKitFormats

/// The command `cloudsync config show`.
struct ConfigShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the settings in force.",
    discussion: examples(
      "cloudsync config show", "cloudsync config show --resolved",
      "cloudsync config show --resolved --json"))

  @Flag(help: "Also print defaults, and where each value comes from.") var resolved = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) throws {
    let all = try context.configuration().settings
    let settings = resolved ? all : all.filter { $0.origin != .builtIn }
    let columns = [ReportTable.Column("key"), ReportTable.Column("value", flexible: true)]
    let origin = resolved ? [ReportTable.Column("origin", flexible: true)] : []
    context.print(
      Report(
        "cloudsync.config/1", ["settings": .array(settings.map { .object($0.record) })],
        records: "settings",
        table: ReportTable(
          columns + origin,
          rows: settings.map { setting in
            let cells = [
              ReportTable.Cell(setting.path.description), ReportTable.Cell(setting.shown),
            ]
            return cells
              + (resolved ? [ReportTable.Cell(setting.origin.description, style: .dim)] : [])
          })))
  }
}
