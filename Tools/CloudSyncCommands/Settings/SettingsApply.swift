import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The command `cloudsync settings apply [FILE]`.
struct SettingsApply: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Write the settings into an app's file.",
    discussion: examples(
      "cloudsync settings apply app.plist --namespace com.example.app",
      "cloudsync settings apply --dry-run",
      "defaults export com.example.app - | cloudsync settings apply - --namespace com.example.app"
        + " | defaults import com.example.app -",
      after: """
        Only the values that change are written; comments, order and every other byte stay. The \
        file as it was before cloudsync first wrote it is kept for good as FILE.before-cloudsync, \
        later states as FILE.before-cloudsync.1 and so on; 'revert' puts one back. Values that the \
        app has changed since the last capture or apply are left alone, and so are those that \
        cannot be written without another change; the exit status is 3. Capture the former first, \
        or use --force. Without a file: all files that the configuration tracks; those that are \
        not there are made, with their folders.
        """))

  @Argument(
    help: "The file; - reads standard input and writes standard output.", completion: .file())
  var file: String?
  @Flag(help: "Overwrite values that the app has changed since the last capture or apply.")
  var force = false
  @OptionGroup var form: AppFileOption
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.store(SettingsRegistration.domain.name)
    let files = try session.settingsFiles(file, form.format, namespace, in: store, mayBeNew: false)
    var applied: [AppliedFile] = []
    var failures: [SyncError] = []
    for (file, settings) in files {
      do {
        applied.append(
          try AppliedFile.apply(
            settings, to: file, isForced: force, isRehearsal: change.dryRun, context))
      } catch let error as SyncError where files.count > 1 {
        failures.append(error)
      }
    }
    for refusal in applied.flatMap(\.plan.refused) {
      context.warn("'\(refusal.key)' was not written: \(refusal.reason)")
    }
    if file != "-" || change.dryRun {
      context.print(
        Report(
          "cloudsync.settings.apply/1", ["files": .array(applied.map(\.json))], records: "files",
          table: ReportTable(AppliedFile.columns, rows: applied.flatMap(\.rows))))
    }
    let unseen = applied.flatMap(\.plan.unseen)
    guard unseen.isEmpty else {
      throw SyncError(
        .partial,
        "the app has changed \(unseen.joined(separator: ", ")) since the last capture or apply",
        hint: "capture that with 'cloudsync settings capture', or overwrite it with --force",
        isSafe: change.dryRun)
    }
    try FileFailures(failures, of: files.count).check(isSafe: change.dryRun)
    let refused = applied.flatMap(\.plan.refused)
    guard refused.isEmpty else {
      throw SyncError(
        .partial, "\(refused.map(\.key).joined(separator: ", ")) could not be written",
        hint: "see the warnings; change them in the app, then capture", isSafe: change.dryRun)
    }
    let count = applied.reduce(0) { $0 + $1.plan.edits.count }
    context.note(
      count == 0
        ? "nothing to do" : "\(change.dryRun ? "would write" : "wrote") \(Plural(count, "key"))")
  }
}
