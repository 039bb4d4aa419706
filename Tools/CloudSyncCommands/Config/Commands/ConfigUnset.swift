import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync config unset K`.
struct ConfigUnset: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Remove one setting from the user's configuration file.",
    discussion: examples(
      "cloudsync config unset remotes.home.fingerprint", "cloudsync config unset defaults.poll",
      after: """
        The setting gets its default, or what another file or a variable says. Comments and all other \
        lines stay as they are. A change after which the configuration would not load is refused.
        """))

  @Argument(help: "The path of the key, such as defaults.poll.", completion: configKeyCompletion)
  var key: String
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = ConfigPath(key)
    _ = try ConfigSchema.key(at: path)
    var file = try ConfigFile(context)
    let before = try file.resolved().settings
    try file.remove(path.parts)
    let settings = try file.resolved().settings
    if !change.dryRun { try await file.save() }
    let old = before.filter { $0.path.parts.starts(with: path.parts) }
    let found = settings.filter { $0.path.parts.starts(with: path.parts) }
    let wasSet = old.contains { $0.origin.path == file.path }
    if let other = found.first(where: { $0.origin != .builtIn && $0.origin.path != file.path }) {
      context.warn("'\(other.path)' is still set by \(other.origin)")
    }
    context.print(
      Report(
        "cloudsync.config/1",
        [
          "path": .string(file.path), "changed": .bool(wasSet), "dryRun": .bool(change.dryRun),
          "settings": .array(found.map { .object($0.record) }),
        ],
        records: "settings",
        table: ReportTable(
          [ReportTable.Column("key"), ReportTable.Column("value")],
          rows: found.map { [ReportTable.Cell($0.path.description), ReportTable.Cell($0.shown)] }),
        text: ""))
    let verb = change.dryRun ? "would remove" : "removed"
    context.note(
      wasSet ? "\(verb) '\(path)' from \(file.path)" : "'\(path)' is not set in \(file.path)")
  }
}
