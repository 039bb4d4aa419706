import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit

/// The command `cloudsync settings capture [FILE]`.
struct SettingsCapture: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Capture what an app has changed in its settings file.",
    discussion: examples(
      "cloudsync settings capture app.plist --namespace com.example.app",
      "defaults export com.example.app - | cloudsync settings capture - --namespace com.example.app",
      "cloudsync settings capture --dry-run",
      after: """
        Only changes to the file since the last capture or apply count, so that an old file \
        overwrites nothing and brings nothing back. A value equal to the app's default is unset. \
        Secrets and local keys stay on this device. Without a file: all files that the \
        configuration tracks; one that is not there, or cannot be read, stops no other.
        """))

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String?
  @Flag(help: "Leave out values that the app's declaration does not allow.")
  var skipBad = false
  @OptionGroup var form: AppFileOption
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.settings.capture/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let store = try session.store(
        SettingsRegistration.domain.name, isRehearsal: change.dryRun)
      let files = try session.settingsFiles(
        file, form.format, namespace, in: store, mayBeNew: true)
      var capture = CaptureRun(isRehearsal: change.dryRun, skipsBad: skipBad)
      for (file, settings, content) in try capture.read(files, isTracked: self.file == nil, context)
      {
        try capture.take(content, from: file, into: settings)
      }
      return try capture.finish()
    }
  }
}

/// Captures files, one after another, and counts the changes.
struct CaptureRun {
  let isRehearsal: Bool
  let skipsBad: Bool
  private(set) var result = WriteResult()
  /// The files that could not be read.
  private(set) var failures: FileFailures?

  init(isRehearsal: Bool, skipsBad: Bool) {
    self.isRehearsal = isRehearsal
    self.skipsBad = skipsBad
    if isRehearsal { result.plan = [] }
  }

  /// Reads the files, all before the first is captured.
  ///
  /// Of several, one that cannot be read stops no other; a tracked one that is not there is none yet.
  ///
  /// - Throws: ``SyncError`` when none can be read.
  mutating func read(
    _ files: [(file: AppSettingsFile, settings: AppSettings)], isTracked: Bool,
    _ context: CommandContext
  ) throws -> [(file: AppSettingsFile, settings: AppSettings, content: SettingsFile)] {
    var contents: [(file: AppSettingsFile, settings: AppSettings, content: SettingsFile)] = []
    var found: [SyncError] = []
    for (file, settings) in files {
      if isTracked, file.isMissing || (try? file.bytes(context))?.isEmpty == true {
        result.warnings.append(
          "\(file.shownName) is not there yet or empty; nothing was captured from it")
        continue
      }
      do { contents.append((file, settings, try file.read(context))) } catch let error as SyncError
        where files.count > 1
      {
        found.append(error)
      }
    }
    failures = FileFailures(found, of: files.count)
    return contents
  }

  /// Captures one file.
  ///
  /// - Throws: ``WriteFailure`` when it has invalid values that must not be left out.
  mutating func take(
    _ content: SettingsFile, from file: AppSettingsFile, into settings: AppSettings,
    precedence: CapturePlan.Precedence = .file, isAnew: Bool = false
  ) throws {
    let (plan, edit, snapshot) = try settings.plan(
      of: content, from: file.source, precedence: precedence, isAnew: isAnew)
    let faults = plan.refused.map {
      WriteResult.Fault(row: nil, column: $0.key, message: "the setting '\($0.key)' \($0.reason)")
    }
    try badValues(in: file.shownName).refuse(faults, after: result)
    result.errors += faults
    let written = try WriteResult(
      edit, over: snapshot, in: settings.store, isRehearsed: isRehearsal)
    result.batch = result.batch ?? written.batch
    result.added += written.added
    result.changed += written.changed
    result.deleted += written.deleted
    result.unchanged += plan.values.count - plan.values.keys.filter { plan.touches($0) }.count
    if let changes = written.plan { result.plan = (result.plan ?? []) + changes }
    result.warnings += written.warnings + warnings(plan, content)
    result.unsent += written.unsent.filter { !result.unsent.contains($0) }
  }

  /// The result.
  ///
  /// - Throws: ``WriteFailure`` when something was left out.
  func finish() throws -> WriteResult {
    if let failures, let first = failures.errors.first {
      var result = result
      result.warnings += failures.errors.map(\.message)
      throw WriteFailure.partial(result, first.message)
    }
    return try badValues(in: "").leaveOut(result.errors, of: result)
  }

  private func badValues(in file: String) -> BadRows {
    BadRows(file: file, isSkipping: skipsBad, isRehearsal: isRehearsal, noun: "value")
  }

  private func warnings(_ plan: CapturePlan, _ content: SettingsFile) -> [String] {
    var warnings = content.problems.map { "'\($0.key)' was left out: \($0.problem)" }
    warnings += plan.kept.map { "'\($0.key)' stays on this device: \($0.reason)" }
    if !plan.replaced.isEmpty {
      warnings.append(
        "captured for the first time, the file has replaced other values of "
          + plan.replaced.joined(separator: ", "))
    }
    return warnings
  }
}
