import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit

/// `cloudsync settings namespace`.
struct SettingsNamespaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "namespace",
    abstract: "Choose which keys of an app are synced, and declare their types.",
    discussion: examples(
      "cloudsync settings namespace add com.example.app --include 'appFont*'",
      "cloudsync settings namespace declare com.example.app declaration.json",
      after: """
        'cloudsync settings list --collection namespace' lists namespaces, 'cloudsync settings rm \
        namespace/NAME' deletes one with its settings.
        """),
    subcommands: [NamespaceAdd.self, NamespaceDeclare.self])
}

/// The command `cloudsync settings namespace add NAME`.
struct NamespaceAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an app, or change which of its keys are synced.",
    discussion: examples(
      "cloudsync settings namespace add com.example.app",
      "cloudsync settings namespace add com.example.app --include 'app*' --exclude 'app*Cache'",
      "cloudsync settings namespace add com.example.app --local 'window.*'",
      after: """
        Patterns may contain * and ?. Without --include all keys are synced that no rule holds \
        back. A key that looks like a secret is synced only if --include names it exactly. A list \
        that you give replaces the old one; '' empties it.
        """))

  @Argument(help: "Its name, such as com.example.app.") var name: String
  @Option(help: ArgumentHelp("Keys to sync.", valueName: "pattern"))
  var include: [String] = []
  @Option(help: ArgumentHelp("Keys never to capture from files.", valueName: "pattern"))
  var exclude: [String] = []
  @Option(help: ArgumentHelp("Keys that stay on each device.", valueName: "pattern"))
  var local: [String] = []
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.settings.namespace-add/1", isRehearsal: change.dryRun) {
      let writer = try RecordWriter<SettingsRegistration>(
        Session(context), isRehearsal: change.dryRun)
      var fields: [FieldName: Value] = [:]
      for (field, patterns) in [("include", include), ("exclude", exclude), ("localKeys", local)]
      where !patterns.isEmpty {
        fields[FieldName(field)] = .list(patterns.filter { !$0.isEmpty }.map { .string($0) })
      }
      return try writer.save([RecordDraft("namespace", id: RecordID(name), fields: fields)])
    }
  }
}

/// The command `cloudsync settings namespace declare NAME FILE`.
struct NamespaceDeclare: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "declare", abstract: "Read an app's declaration of its settings.",
    discussion: examples(
      "cloudsync settings namespace declare com.example.app declaration.json",
      "cloudsync settings namespace declare com.example.app - --format yaml < declaration.yaml",
      after: """
        The file has 'keys' with the type, default, choices, format, minimum, maximum, merge and \
        setFlag of each, and 'groups' of keys that are merged as a whole. Values that were stored \
        key by key move into their groups.
        """))

  @Argument(help: "The app's namespace.", completion: namespaceCompletion) var name: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @OptionGroup var form: AppFileOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.settings.namespace-declare/1", isRehearsal: change.dryRun) {
      let content = try AppSettingsFile(path: file, format: form.format).read(context)
      let declaration: SettingsDeclaration
      do throws(SettingProblem) {
        let members = content.values.map { SettingValue.Member($0.key, $0.value) }
        declaration = try SettingsDeclaration(.dict(members))
      } catch {
        throw SyncError(.inputInvalid, "\(Sanitized.line(file)): \(error)")
      }
      let store = try Session(context)
        .store(SettingsRegistration.domain.name, isRehearsal: change.dryRun)
      let (changes, summary) = try store.declare(declaration, for: name)
      var result = WriteResult(changes, batch: summary.batch, isRehearsed: change.dryRun)
      result.added = summary.added
      result.changed = summary.changed
      result.deleted = summary.deleted
      result.unchanged = summary.unchanged
      return result
    }
  }
}
