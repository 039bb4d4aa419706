import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync settings list`.
struct SettingsList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the settings that all devices share.",
    discussion: examples(
      "cloudsync settings list", "cloudsync settings list --namespace com.example.app --json",
      "cloudsync settings list --collection namespace",
      after: "'cloudsync settings dump' also shows which values apply on this machine, and why."))

  @OptionGroup var list: RecordList<SettingsRegistration>
  @OptionGroup var namespace: NamespaceOption

  var global: GlobalOptions { list.global }

  func run(_ context: CommandContext) async throws {
    guard namespace.namespace != nil else { return try await list.run(context) }
    let session = try Session(context)
    let store = try session.store(SettingsRegistration.domain.name)
    let name = try namespace.name(in: store, mayBeNew: false)
    try list.run(context) { record in
      record.parent?.id.text == name
        || record.key.collection == "namespace"
          && record.key.id.text == name
        || record.key.id.text.hasPrefix("\(name)/")
    }
  }
}
