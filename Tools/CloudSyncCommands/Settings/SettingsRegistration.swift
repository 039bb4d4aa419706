import ArgumentParser
import CommandFoundation
import SettingsSync
import SyncKit

/// The settings domain on the command line.
enum SettingsRegistration: DomainRegistration {
  static let domain: any SyncDomain = SettingsDomain()
  static let abstract = "Settings of apps: typed values, captured from files and applied to them."
  static let verbs: [any ParsableCommand.Type] = [
    SettingsList.self, SettingsGet.self, SettingsPut.self, SettingsReset.self,
    SettingsCapture.self, SettingsDiff.self, SettingsApply.self, SettingsMigrate.self,
    SettingsDump.self, SettingsResetSync.self, SettingsSecrets.self, SettingsNamespaceCommand.self,
  ]

  static let example = DomainExample(
    id: "appFont", fields: "value=Menlo",
    add: "put appFont Menlo --namespace com.example.app")

  static func groupFields(_ group: Name, from text: String) -> [Name: Value]? {
    guard group == "value", let value = SettingValue(typed: text) else { return nil }
    return ["type": .string(value.kind.rawValue), "value": value.stored]
  }

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    guard collection.name == "setting" else { return nil }
    return [
      RecordColumn("namespace") { ReportTable.Cell($0.parent?.id.text ?? "") },
      .id("key"), .field("type"),
      RecordColumn("value", flexible: true) { record in
        ReportTable.Cell(record["value"], style: record.conflicts.isEmpty ? .plain : .warning)
      },
    ]
  }

  static func steadyFields(of collection: Name) -> [Name] {
    ["setting", "override", "local"].contains(collection) ? ["type", "value"] : []
  }

  static let countedFields: [Name] = ["type"]
}
