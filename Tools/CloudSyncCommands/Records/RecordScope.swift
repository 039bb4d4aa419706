import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync <domain> scope RECORD local|synced`, for domains with roots.
struct RecordScope<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "scope",
      abstract: "Keep a record and everything below it on this device, or publish it.",
      discussion: examples(
        "cloudsync \(name) scope \(D.example.id) synced",
        "cloudsync \(name) scope \(D.example.id) local"))
  }

  @Argument(help: "The record: ID, or collection/ID.", completion: recordCompletion(D.self))
  var id: String
  @Argument(
    help: """
      'synced' publishes the current values, 'local' withdraws everything: at once here, \
      with the next sync everywhere else.
      """)
  var scope: ChosenScope
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let name = D.domain.name
    let session = try Session(context)
    try context.write("cloudsync.\(name).scope/1", isRehearsal: change.dryRun) {
      let store = try session.store(name, isRehearsal: change.dryRun)
      let record = try RecordAddress(id, in: D.domain).liveRecord(in: store)
      var result = WriteResult(
        try store.setScope(scope.value, of: record.key), isRehearsed: change.dryRun)
      // A change of scope is not a batch and cannot be undone.
      result.batch = nil
      result.warnings = try warnings(session, store, record)
      return result
    }
  }

  private func warnings(
    _ session: Session, _ store: SyncStore, _ record: Record
  ) throws -> [String] {
    let pending = try store.pendingErasures(remotes: session.remoteNames(of: D.domain.name))
    guard scope == .local,
      let erasure = pending.first(where: {
        $0.collection == record.key.collection && $0.id == record.key.id
      })
    else { return [] }
    return ["\(erasure.owed); 'cloudsync sync' erases it, 'cloudsync status' shows the progress"]
  }
}

/// The scopes that a person can choose.
enum ChosenScope: String, ExpressibleByArgument, CaseIterable {
  case local, synced

  var value: Record.Scope { self == .local ? .local : .synced }
}

extension PendingErasure {
  /// The remotes and devices that may still have the content, as a clause.
  var owed: String {
    let places = remotes.map { "'\($0)'" }
    let named = devices.compactMap(\.name).map { "the device \(Sanitized.line($0))" }
    let unnamed = devices.count - named.count
    let devices = named + (unnamed > 0 ? ["\(Plural(unnamed, "device")) without a name"] : [])
    return "\(collection)/\(id) may still be on \((places + devices).joined(separator: ", "))"
  }
}
