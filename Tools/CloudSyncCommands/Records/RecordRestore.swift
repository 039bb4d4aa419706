import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> restore ID [--at TIME]`.
struct RecordRestore<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.commandPath
    return CommandConfiguration(
      commandName: "restore", abstract: "Bring back a deleted record, or an earlier state of one.",
      discussion: examples(
        "cloudsync \(name) restore \(D.example.id)",
        "cloudsync \(name) restore \(D.example.id) --at 2d",
        "cloudsync \(name) restore \(D.example.id) --at 2026-11-01T08:00:00Z"))
  }

  @Argument(
    help: "The record: ID, or collection/ID.",
    completion: recordCompletion(D.self, deleted: true))
  var id: String
  @OptionGroup var options: RestoreOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let restore = RecordRestoration(session: try Session(context), options: options)
    try restore.perform(id, of: D.self, "cloudsync.\(D.domain.name).restore/1")
  }
}

/// The options of a restoration.
struct RestoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Restore the state at this time: a date, a time, or how long ago, such as 2d.",
      valueName: "time"))
  var at: TimeArgument?
  @OptionGroup var change: DryRunOption
}

/// Brings one record back.
struct RecordRestoration {
  let session: Session
  let options: RestoreOptions

  func perform<D: DomainRegistration>(
    _ id: String, of type: D.Type, _ schema: String
  ) throws {
    let isRehearsal = options.change.dryRun
    try session.context.write(schema, isRehearsal: isRehearsal) {
      let address = try RecordAddress(id, in: D.domain)
      let store = try session.store(D.domain.name, isRehearsal: isRehearsal)
      let record = try address.record(in: store)
      let at = options.at?.milliseconds(now: session.environment.now())
      if let at, let begins = try store.historyBegins(in: record.key.zone), at < begins {
        throw SyncError(
          .notFound,
          "the history of '\(D.domain.name)' on this device begins \(LocalTime.text(begins))",
          hint: "restore it on a device with a longer history; see 'keep-history'")
      }
      let summary = try store.restore(record.key, at: at)
      var result = WriteResult(summary, isRehearsed: isRehearsal)
      if isRehearsal, summary.added + summary.changed > 0 {
        result.plan = [RecordChange(.restore, record.key)]
      }
      return result
    }
  }
}
