import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SettingsSync
import SyncKit

/// `cloudsync settings secrets`.
struct SettingsSecrets: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "secrets", abstract: "Find passwords, tokens and keys among settings.",
    discussion: examples(
      "cloudsync settings secrets scan", "cloudsync settings secrets scan app.plist --check"),
    subcommands: [SettingsSecretsScan.self])
}

/// The command `cloudsync settings secrets scan [FILE]`.
struct SettingsSecretsScan: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "List values that look like secrets, in the settings or in a file.",
    discussion: examples(
      "cloudsync settings secrets scan", "cloudsync settings secrets scan app.plist",
      "cloudsync settings secrets scan --check",
      after: """
        Values are never shown. 'synced' says whether other devices have a value: only if \
        'include' names its key without * and ?, or if it was synced before it looked like a \
        secret. With --check the exit status is 2 if one is synced, or if the file has any.
        """))

  @Argument(help: "An app's file; - is standard input.", completion: .file()) var file: String?
  @Flag(help: "Exit with status 2 if something unsafe is found.")
  var check = false
  @OptionGroup var form: AppFileOption
  @OptionGroup var namespace: NamespaceOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let found = try file.map { try scan($0, context) } ?? stored(context)
    context.print(
      Report(
        "cloudsync.settings.secrets/1", ["secrets": .array(found.map(\.json))], records: "secrets",
        table: ReportTable(
          [
            ReportTable.Column("namespace"), ReportTable.Column("key"),
            ReportTable.Column("reason"),
            ReportTable.Column("synced"),
          ],
          rows: found.map {
            [
              ReportTable.Cell($0.namespace), ReportTable.Cell($0.key),
              ReportTable.Cell($0.reason.rawValue),
              ReportTable.Cell($0.isSynced ? "yes" : "no"),
            ]
          })))
    if check, found.contains(where: { $0.isSynced || file != nil }) { throw ExitCode(2) }
  }

  private func scan(_ path: String, _ context: CommandContext) throws -> [FoundSecret] {
    let content = try AppSettingsFile(path: path, format: form.format).read(context)
    return content.values.sorted { $0.key < $1.key }.compactMap {
      FoundSecret(namespace.namespace ?? "", $0.key, $0.value, isSynced: false)
    }
  }

  private func stored(_ context: CommandContext) throws -> [FoundSecret] {
    let session = try Session(context)
    let store = try session.store(SettingsRegistration.domain.name)
    let names = try namespace.namespace.map { [$0] } ?? store.settingsNamespaces()
    return try names.flatMap { name in
      let snapshot = try session.settings(name, in: store).snapshot()
      let overrides = snapshot.overrides.flatMap { key, all in all.map { (key, $0.value) } }
      return (snapshot.synced.map { ($0.key, $0.value) } + overrides).compactMap {
        FoundSecret(name, $0.0, $0.1, isSynced: true)
      }.sorted { $0.key < $1.key }
        + snapshot.local.sorted { $0.key < $1.key }.compactMap {
          FoundSecret(name, $0.key, $0.value, isSynced: false)
        }
    }
  }
}

/// A setting that looks like a secret.
private struct FoundSecret {
  var namespace: String
  var key: String
  var reason: SecretCheck.Reason
  var isSynced: Bool

  init?(_ namespace: String, _ key: String, _ value: SettingValue, isSynced: Bool) {
    guard let reason = SecretCheck.reason(key: key, value: value) else { return nil }
    self.namespace = namespace
    self.key = key
    self.reason = reason
    self.isSynced = isSynced
  }

  var json: JSON {
    [
      "namespace": .string(namespace), "key": .string(key), "reason": .string(reason.rawValue),
      "synced": .bool(isSynced),
    ]
  }
}
