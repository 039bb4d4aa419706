import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync restore DOMAIN RECORD [--at TIME]`.
struct RestoreCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Bring back a deleted record, or an earlier state of one.",
    discussion: examples(
      "cloudsync restore airports JFK", "cloudsync restore airports mapping/JFK --at 7d",
      "cloudsync restore airports JFK --at 2026-11-01T08:00:00Z --dry-run"))

  @Argument(help: "The domain.", completion: .list(DomainRegistry.names)) var domain: String
  @Argument(help: "The record: ID, or collection/ID.", completion: deletedRecordCompletion)
  var record: String
  @OptionGroup var options: RestoreOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let restoration = RecordRestoration(session: try Session(context), options: options)
    try perform(restoration, DomainRegistry.registration(domain))
  }

  private func perform<D: DomainRegistration>(
    _ restoration: RecordRestoration, _ type: D.Type
  ) throws {
    try restoration.perform(record, of: type, "cloudsync.restore/1")
  }
}
