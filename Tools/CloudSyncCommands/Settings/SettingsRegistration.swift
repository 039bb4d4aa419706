import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit
import SyncKitFormats

/// The settings domain on the command line.
enum SettingsRegistration: DomainRegistration {
  static let domain: any SyncDomain = SettingsDomain()
  static let abstract = "Settings of apps: typed values, captured from files and applied to them."
  static let commands = DomainCommands(verbs: [
    SettingsList.self, SettingsGet.self, SettingsPut.self, SettingsReset.self,
    SettingsCapture.self, SettingsDiff.self, SettingsApply.self, SettingsMigrate.self,
    SettingsDump.self, SettingsRevert.self, SettingsResetSync.self, SettingsSecrets.self,
    SettingsNamespaceCommand.self,
  ])

  static let records = DomainRecords(
    display: RecordDisplay(
      example: DomainExample(
        id: "appFont", fields: "value=Menlo",
        add: "put appFont Menlo --namespace com.example.app"),
      columns: { columns(of: $0) },
      steadyFields: [
        "setting": ["type", "value"], "override": ["type", "value"], "local": ["type", "value"],
      ],
      countedFields: ["type"]),
    input: RecordInput(group: { groupFields($0, from: $1) }, recognize: { recognize($0) }),
    patterns: RecordPatterns(
      advice: """
        Take it out of the patterns of domains.settings; or keep the value with \
        'cloudsync settings put KEY VALUE --here' and start the namespace again without the record: \
        'settings scope namespace/NAME local', 'settings rm KEY', 'settings scope namespace/NAME synced'.
        """
    ) { SettingsDomain.keys(writtenBy: $0) })

  static func groupFields(_ group: FieldName, from text: String) -> [FieldName: Value]? {
    guard group == "value", let value = SettingValue(typed: text) else { return nil }
    return ["type": .string(value.kind.rawValue), "value": value.stored]
  }

  /// Property lists; other files of settings look like any other file of their format.
  static func recognize(_ sample: FileSample) -> RecognizedFile? {
    sample.content == .binaryPropertyList
      || sample.content == .markup && sample.text.contains("<plist")
      ? RecognizedFile("a property list", verbs: ["capture"]) : nil
  }

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    guard collection.name == "setting" else { return nil }
    return [
      RecordColumn("namespace") { ReportTable.Cell($0.parent?.id.text ?? "") },
      .id("key"), .field("type"),
      RecordColumn("value", flexible: true) { record in
        let style: TextStyle = record.conflicts.isEmpty ? .plain : .warning
        return switch SettingValue(stored: record["value"]) {
        // Their digits and words, and not the form in which they are stored.
        case .decimal(let text), .plain(let text): ReportTable.Cell(text, style: style)
        default: ReportTable.Cell(record["value"], style: style)
        }
      },
    ]
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey(
          "track",
          .named(
            .map(
              ConfigMap(keys: [
                ConfigKey("namespace", .text, "The app's namespace", required: true),
                ConfigKey("path", .path, "The app's file", required: true),
                ConfigKey(
                  "format",
                  .choice([
                    "json", "yaml", "toml", "plist", "bplist", "ini", "env",
                  ]),
                  "Its format; detected from the file if unset"),
              ])), by: .file),
          "Files of apps whose settings are captured and applied, for settings")
      ],
      errors: [
        (.settingsQuota, "A namespace would exceed its limits")
      ],
      documents: [
        (
          "cloudsync.settings.get/1", "namespace, key, type, value, origin, modified, device"
        ),
        (
          "cloudsync.settings.diff/1",
          "differences: namespace, path, key, file: type, value; stored: type, value; changed"
        ),
        (
          "cloudsync.settings.apply/1",
          "files: namespace, path, written, removed, unseen, refused: key, reason; backup"
        ),
        (
          "cloudsync.settings.migrate/1",
          "batch, added, changed, deleted, unchanged, warnings, errors, files"
        ),
        (
          "cloudsync.settings.dump/1",
          "namespace, settings: key, type, value, origin, default, synced, local, overrides, group,"
            + " modified, device; files, remotes"
        ),
        ("cloudsync.settings.revert/1", "path, from, backup, states"),
        ("cloudsync.settings.secrets/1", "secrets: namespace, key, reason, synced"),
        ("cloudsync.settings.reset-sync/1", "remotes, dryRun"),
      ],
      files: [
        (
          "json, yaml, toml, plist, ini, env",
          "Files of apps, for capture, diff and apply; JSON with comments too"
        )
      ])
  }
}
