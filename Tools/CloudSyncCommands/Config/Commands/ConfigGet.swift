import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync config get K`.
struct ConfigGet: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print one setting, or all settings below a key.",
    discussion: examples(
      "cloudsync config get defaults.stale-after", "cloudsync config get domains.airports",
      after: "The exit status is 66 if the setting has no value."))

  @Argument(help: "The path of the key, such as defaults.poll.", completion: configKeyCompletion)
  var key: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) throws {
    let path = ConfigPath(key)
    _ = try ConfigSchema.key(at: path)
    let settings = try context.configuration().settings
    let found = settings.filter { $0.path.parts.starts(with: path.parts) }
    guard !found.isEmpty else {
      throw SyncError(
        .notFound, "'\(path)' is not set", hint: "set it: cloudsync config set \(path) …")
    }
    let isWhole = found.count == 1 && found.first?.path == path
    context.print(
      Report(
        "cloudsync.config/1", ["settings": .array(found.map { .object($0.record) })],
        records: "settings",
        table: isWhole
          ? ReportTable(
            [ReportTable.Column("value")], rows: found.map { [ReportTable.Cell($0.shown)] })
          : ReportTable(
            [ReportTable.Column("key"), ReportTable.Column("value", flexible: true)],
            rows: found.map { [ReportTable.Cell($0.path.description), ReportTable.Cell($0.shown)] }),
        text: isWhole ? found.map { Sanitized.line($0.shown) + "\n" }.joined() : nil))
  }
}

/// The keys without names that the user chooses, for completion.
let configKeyCompletion = CompletionKind.list(
  ConfigSchema.paths.filter { !$0.contains("*") }.map { ConfigPath($0).description })
