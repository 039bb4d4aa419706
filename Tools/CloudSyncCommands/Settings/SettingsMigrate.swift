import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The command `cloudsync settings migrate [FILE]`.
struct SettingsMigrate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Merge an app's file and the settings, both ways.",
    discussion: examples(
      "cloudsync settings migrate app.plist --namespace com.example.app",
      "cloudsync settings migrate --again",
      after: """
        The first time on a device, values that only the file has go to all devices, values that \
        only they have go into the file, and where both have a value, theirs counts. After that it \
        is the same as capture and then apply, so that you can repeat it; --again starts as if for \
        the first time.
        """))

  @Argument(help: "The file.", completion: .file()) var file: String?
  @Flag(help: "Forget what was read from the file, and merge both again.")
  var again = false
  @OptionGroup var form: AppFileOption
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard file != "-" else {
      throw SyncError(.usage, "migrate writes the file, so it cannot be standard input")
    }
    let session = try Session(context)
    let store = try session.store(SettingsRegistration.domain.name, isRehearsal: change.dryRun)
    let files = try session.settingsFiles(file, form.format, namespace, in: store, mayBeNew: true)
    var capture = CaptureRun(isRehearsal: change.dryRun, skipsBad: true)
    let contents = try capture.read(files, isTracked: self.file == nil, context)
    var applied: [AppliedFile] = []
    for (file, settings) in files {
      let content = contents.first { $0.file.path == file.path }?.content
      guard content != nil || file.isMissing else { continue }
      if let content {
        try capture.take(content, from: file, into: settings, precedence: .store, isAnew: again)
      }
      applied.append(
        try AppliedFile.apply(
          settings, to: file, isForced: true, isRehearsal: change.dryRun, context))
    }
    let result = capture.result
    let report = result.report("cloudsync.settings.migrate/1")
    var keys = report.document
    keys["schema"] = nil
    keys["files"] = .array(applied.map(\.json))
    context.print(
      Report(
        "cloudsync.settings.migrate/1", keys,
        table: ReportTable(AppliedFile.columns, rows: applied.flatMap(\.rows)), text: ""))
    context.tell(result)
    context.tell(result.errors.map(\.message), "errors")
    let written = applied.reduce(0) { $0 + $1.plan.edits.count }
    for refusal in applied.flatMap(\.plan.refused) {
      context.warn("'\(refusal.key)' was not written: \(refusal.reason)")
    }
    try capture.failures?.check(isSafe: change.dryRun)
    context.note("\(result.phrase); \(Plural(written, "key")) of files written")
  }
}
