import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// The command `cloudsync settings dump`.
struct SettingsDump: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Show where values are stored, and which ones apply here.",
    discussion: examples(
      "cloudsync settings dump", "cloudsync settings dump --namespace com.example.app --json",
      "cloudsync settings dump --show-secrets",
      after: "Values that look like secrets are on this device only; --show-secrets shows them."))

  @Flag(help: "Show values that look like secrets.")
  var showSecrets = false
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let name = SettingsRegistration.domain.name
    let settings = try namespace.settings(session, mayBeNew: false)
    let snapshot = try settings.snapshot()
    let status = try settings.store.status(remotes: session.remoteNames(of: name))
    var rows: [[ReportTable.Cell]] = []
    var documents: [JSON] = []
    for key in snapshot.keys {
      let isHidden = !showSecrets && snapshot.isSecret(key, snapshot.local[key])
      documents.append(json(key, snapshot, settings.machine, isHidden: isHidden))
      guard let (value, origin) = snapshot.value(of: key, on: settings.machine) else { continue }
      let record = snapshot.records[key]
      rows.append([
        ReportTable.Cell(key), ReportTable.Cell(value.kind.rawValue),
        ReportTable.Cell(isHidden ? "…" : value.text), ReportTable.Cell(origin.rawValue),
        record.map { ReportTable.Cell(time: $0.modified) } ?? "",
        ReportTable.Cell(record?.device.shown ?? ""),
      ])
    }
    context.print(
      Report(
        "cloudsync.settings.dump/1",
        [
          "namespace": .string(settings.namespace), "settings": .array(documents),
          "files": .array(snapshot.baselines.keys.sorted().map { .string($0) }),
          "remotes": .array(
            status.remotes.map { remote in
              [
                "name": .string(remote.name), "pending": .int(Int64(remote.pending)),
                "lastSync": remote.state.lastSync == 0
                  ? .null : .string(Timestamp.format(milliseconds: remote.state.lastSync)),
              ]
            }),
        ], records: "settings",
        table: ReportTable(
          [
            ReportTable.Column("key"), ReportTable.Column("type"),
            ReportTable.Column("value", flexible: true),
            ReportTable.Column("origin"), ReportTable.Column("modified"),
            ReportTable.Column("device"),
          ], rows: rows)))
  }

  private func json(
    _ key: String, _ snapshot: SettingsSnapshot, _ machine: SettingsMachine, isHidden: Bool
  ) -> JSON {
    func shown(_ value: SettingValue?) -> JSON {
      value.map { isHidden ? "…" : $0.stored.json } ?? .null
    }
    let found = snapshot.value(of: key, on: machine)
    let record = snapshot.records[key]
    return [
      "key": .string(key), "type": found.map { .string($0.value.kind.rawValue) } ?? .null,
      "value": shown(found?.value), "origin": found.map { .string($0.origin.rawValue) } ?? .null,
      "default": shown(snapshot.namespace.declaration.settings[key]?.fallback),
      "synced": shown(snapshot.synced[key]), "local": shown(snapshot.local[key]),
      "overrides": .array(
        (snapshot.overrides[key] ?? []).map {
          ["when": .string("\($0.condition)"), "value": shown($0.value)]
        }),
      "group": snapshot.namespace.declaration.group(of: key).map { .string($0) } ?? .null,
      "modified": record.map { .string(Timestamp.format(milliseconds: $0.modified)) } ?? .null,
      "device": record.map(\.device.json) ?? .null,
    ]
  }
}
