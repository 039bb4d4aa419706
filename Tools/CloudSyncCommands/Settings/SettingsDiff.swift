import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The command `cloudsync settings diff [FILE]`.
struct SettingsDiff: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show where an app's file and the settings differ.",
    discussion: examples(
      "cloudsync settings diff app.plist --namespace com.example.app",
      "cloudsync settings diff --check",
      after: """
        The last column says where a value has changed since the last capture or apply on this \
        device: 'file' is the app, and 'capture' takes the change over; 'stored' is another \
        device, and 'apply' writes it. With --check the exit status is 2 if there is any \
        difference.
        """))

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String?
  @Flag(help: "Exit with status 2 if there is a difference.")
  var check = false
  @OptionGroup var form: AppFileOption
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.store(SettingsRegistration.domain.name)
    var documents: [JSON] = []
    var rows: [[ReportTable.Cell]] = []
    var failures: [SyncError] = []
    let files = try session.settingsFiles(file, form.format, namespace, in: store, mayBeNew: true)
    for (file, settings) in files {
      if self.file == nil, file.isMissing {
        context.warn("\(file.shownName) is not there yet; 'apply' makes it")
        continue
      }
      let content: SettingsFile
      do { content = try file.read(context) } catch let error as SyncError where files.count > 1 {
        failures.append(error)
        continue
      }
      let snapshot = try settings.snapshot()
      for item in try settings.differences(of: content, source: file.source) {
        let isSecret = snapshot.isSecret(item.key, item.file ?? item.stored)
        documents.append(item.json(settings.namespace, file.path, isSecret: isSecret))
        rows.append([
          ReportTable.Cell(settings.namespace), ReportTable.Cell(item.key),
          ReportTable.Cell(isSecret ? "…" : item.file?.text ?? ""),
          ReportTable.Cell(isSecret ? "…" : item.stored?.text ?? ""),
          ReportTable.Cell(item.changed.rawValue),
        ])
      }
    }
    context.print(
      Report(
        "cloudsync.settings.diff/1", ["differences": .array(documents)], records: "differences",
        table: ReportTable(
          [
            ReportTable.Column("namespace"), ReportTable.Column("key"),
            ReportTable.Column("file", flexible: true),
            ReportTable.Column("stored", flexible: true), ReportTable.Column("changed"),
          ], rows: rows)))
    try FileFailures(failures, of: files.count).check(isSafe: true)
    if check, !documents.isEmpty { throw ExitCode(2) }
  }
}

extension SettingDifference {
  fileprivate func json(_ namespace: String, _ file: String, isSecret: Bool) -> JSON {
    func shown(_ value: SettingValue?) -> JSON {
      guard let value else { return .null }
      return [
        "type": .string(value.kind.rawValue), "value": isSecret ? .null : value.stored.json,
      ]
    }
    return [
      "namespace": .string(namespace), "path": .string(file), "key": .string(key),
      "file": shown(self.file), "stored": shown(stored), "changed": .string(changed.rawValue),
    ]
  }
}

extension SettingsSnapshot {
  /// Whether a value looks like a secret, so that it is not shown.
  func isSecret(_ key: String, _ value: SettingValue?) -> Bool {
    guard let value, case .local(.secret) = namespace.placement(of: key, value: value) else {
      return false
    }
    return true
  }
}
