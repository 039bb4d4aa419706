import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The command `cloudsync settings get KEY`.
struct SettingsGet: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print the value of a setting that applies here.",
    discussion: examples(
      "cloudsync settings get appFont", "cloudsync settings get appFont --json",
      "cloudsync settings get appFont --namespace com.example.app",
      after: """
        A value of this device comes first, then one for machines like this, then the one on all \
        devices, then the app's default. A key that has none of them is unset: 66.
        """))

  @Argument(help: "The key.", completion: settingCompletion) var key: String
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let settings = try namespace.settings(Session(context), mayBeNew: true)
    let snapshot = try settings.snapshot()
    guard let (value, origin) = snapshot.value(of: key, on: settings.machine) else {
      throw SyncError(
        .notFound, "'\(Sanitized.line(key))' is not set in \(settings.namespace)",
        hint: NearestName.hint(for: key, among: snapshot.keys))
    }
    let record = origin == .synced ? snapshot.records[key] : nil
    let text = context.format == .table ? Sanitized.block(value.text) + "\n" : nil
    context.print(
      Report(
        "cloudsync.settings.get/1",
        [
          "namespace": .string(settings.namespace), "key": .string(key),
          "type": .string(value.kind.rawValue), "value": value.stored.json,
          "origin": .string(origin.rawValue),
          "modified": record.map { .string(Timestamp.format(milliseconds: $0.modified)) } ?? .null,
          "device": record.map(\.device.json) ?? .null,
        ],
        table: ReportTable(
          [
            ReportTable.Column("key"), ReportTable.Column("type"),
            ReportTable.Column("value", flexible: true),
          ],
          rows: [
            [
              ReportTable.Cell(key), ReportTable.Cell(value.kind.rawValue),
              ReportTable.Cell(value.text),
            ]
          ]),
        text: text))
  }
}

extension SettingsSnapshot {
  /// All keys that have a value, or are declared.
  var keys: [String] {
    Set(synced.keys).union(local.keys).union(overrides.keys)
      .union(namespace.declaration.settings.keys).sorted()
  }
}

/// The keys of the namespace that begin with the word.
let settingCompletion = CompletionKind.custom { words, _, prefix in
  guard let session = try? Session(completing: words),
    let store = try? session.store(SettingsRegistration.domain.name)
  else { return [] }
  let named = words.firstIndex(of: "--namespace").flatMap { index in
    index + 1 < words.count ? [words[index + 1]] : nil
  }
  let names = (try? named ?? store.settingsNamespaces()) ?? []
  return names.flatMap { (try? store.settings(of: $0).keys) ?? [] }.filter { $0.hasPrefix(prefix) }
}
