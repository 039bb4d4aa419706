import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit

/// The command `cloudsync settings reset KEY…`.
struct SettingsReset: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Reset settings to the app's defaults, on every device.",
    discussion: examples(
      "cloudsync settings reset appFont", "cloudsync settings reset --all --dry-run",
      "cloudsync settings reset fontSize --when os=macos",
      "cloudsync settings reset scale --here",
      after: """
        A reset setting is unset, which is neither 0 nor false, and stays unset when another \
        device captures an old file of the app. 'cloudsync undo' brings it back.
        """))

  @Argument(help: "The keys.", completion: settingCompletion) var keys: [String] = []
  @Flag(help: "All settings of the app.")
  var all = false
  @Option(
    help: ArgumentHelp("Only the value for matching machines.", valueName: "property=value"))
  var when: SettingCondition?
  @Flag(help: "Only the value of this device.")
  var here = false
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard all != !keys.isEmpty else { throw ValidationError("name the keys, or use --all") }
    guard when == nil || !here else {
      throw ValidationError("--when and --here cannot be combined")
    }
  }

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.settings.reset/1", isRehearsal: change.dryRun) {
      let settings = try namespace.settings(
        Session(context), mayBeNew: false, isRehearsal: change.dryRun)
      let snapshot = try settings.snapshot()
      let known = snapshot.keys
      for key in keys where !known.contains(key) {
        throw SyncError(
          .notFound, "there is no setting '\(Sanitized.line(key))' in \(settings.namespace)",
          hint: NearestName.hint(for: key, among: known))
      }
      return try WriteResult(
        edit(settings.namespace, snapshot), over: snapshot, in: settings.store,
        isRehearsed: change.dryRun)
    }
  }

  private func edit(_ namespace: String, _ snapshot: SettingsSnapshot) -> SettingsEdit {
    let chosen = all ? snapshot.keys : keys
    func gone(_ keys: [String]) -> [String: SettingValue?] {
      Dictionary(keys.map { ($0, .none) }, uniquingKeysWith: { $1 })
    }
    var edit = SettingsEdit(namespace)
    if let when {
      edit.overrides = chosen.map { ($0, when, nil) }
    } else {
      edit.localEdits = gone(chosen.filter { snapshot.local[$0] != nil })
      if !here { edit.edits = gone(chosen.filter { snapshot.synced[$0] != nil }) }
    }
    return edit
  }
}
