import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync settings reset-sync`.
struct SettingsResetSync: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-sync",
    abstract: "Forget what the remotes hold, and compare everything again.",
    discussion: examples(
      "cloudsync settings reset-sync", "cloudsync settings reset-sync --dry-run",
      after: """
        Use it when sync seems stuck. No setting is lost, here or on a remote, and no unsent edit: \
        the next 'cloudsync settings sync' asks each remote for everything that it has, and sends \
        what it lacks. A remote of another vault is still refused.
        """))

  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let name = SettingsRegistration.domain.name
    let remotes = session.remoteNames(of: name)
    if !change.dryRun {
      let lock = try await session.lock(name, wait: .zero)
      defer { lock.release() }
      let store = try session.store(name)
      for remote in remotes { try store.forgetRemote(remote) }
    }
    context.print(
      Report(
        "cloudsync.settings.reset-sync/1",
        ["remotes": .array(remotes.map { .string($0) }), "dryRun": .bool(change.dryRun)],
        table: ReportTable(
          [ReportTable.Column("remote")], rows: remotes.map { [ReportTable.Cell($0)] }), text: ""))
    let what = remotes.isEmpty ? "no remote is configured" : remotes.joined(separator: ", ")
    context.note(
      change.dryRun ? "would forget: \(what)" : "forgotten: \(what); next: cloudsync settings sync")
  }
}
