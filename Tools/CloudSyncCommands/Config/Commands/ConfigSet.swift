import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync config set K V`.
struct ConfigSet: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change one setting in your configuration file.",
    discussion: examples(
      "cloudsync config set defaults.stale-after 3d",
      "cloudsync config set jobs.quick.domains airports,media",
      "cloudsync config set remotes.home.token '{file: ~/.config/cloudsync/token}'",
      after: """
        Comments and all other lines stay as they are. A change that would make the configuration \
        invalid is refused, and the file stays as it was.
        """))

  @Argument(help: "The path of the key, such as defaults.poll.", completion: configKeyCompletion)
  var key: String
  @Argument(help: "The value; a list with commas, a map in YAML: {file: …}.") var value: String
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = ConfigPath(key)
    var loader = try ConfigLoader(context.directoryRequest)
    let file = loader.directories.configFile
    let old = try ConfigFile.read(loader.directories)
    // The first setting creates the file.
    let new = try ConfigEdit.setting(path, to: value, in: old ?? [], file: file)
    loader.draft = new
    let settings = try loader.load().settings
    if !change.dryRun { try await ConfigFile.replace(old, with: new, loader.directories) }

    let found = settings.filter { $0.path.parts.starts(with: path.parts) }
    // A map may set only some keys; the others keep their defaults.
    if let winner = found.first(where: { $0.origin.path != file && $0.origin != .builtIn }) {
      context.warn("'\(winner.path)' is still set by \(winner.origin)")
    }
    context.print(
      Report(
        "cloudsync.config/1",
        [
          "path": .string(file), "changed": .bool(new != old), "dryRun": .bool(change.dryRun),
          "settings": .array(found.map { .object($0.record) }),
        ],
        records: "settings",
        table: ReportTable(
          [ReportTable.Column("key"), ReportTable.Column("value")],
          rows: found.map { [ReportTable.Cell($0.path.description), ReportTable.Cell($0.shown)] }),
        text: ""))
    let verb = change.dryRun ? "would change" : "changed"
    context.note(new == old ? "\(file) already has this value" : "\(verb) \(file)")
  }
}
