import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync <domain> rm ID…`.
struct RecordRemove<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.commandPath
    return CommandConfiguration(
      commandName: "rm", abstract: "Delete records, on every device.",
      discussion: examples(
        "cloudsync \(name) rm \(D.example.id)", "cloudsync \(name) rm \(D.example.id) --dry-run",
        after: """
          All or nothing: if one of them does not exist, none is deleted. Use 'cloudsync \(name) \
          restore' to bring a deleted record back.
          """))
  }

  @Argument(help: "The records: ID, or collection/ID.", completion: recordCompletion(D.self))
  var ids: [String]
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.\(D.domain.name).rm/1", isRehearsal: change.dryRun) {
      let writer = try RecordWriter<D>(Session(context), isRehearsal: change.dryRun)
      return try writer.delete(keys(in: writer.store))
    }
  }

  /// The keys of all named records.
  ///
  /// - Throws: An error that lists all missing records, if there are any.
  private func keys(in store: SyncStore) throws -> [RecordKey] {
    var keys: [RecordKey] = []
    var errors: [SyncError] = []
    for id in ids {
      do {
        let key = try RecordAddress(id, in: D.domain)
          .liveRecord(in: store, command: D.commandPath).key
        if !keys.contains(key) { keys.append(key) }
      } catch let error as SyncError where error.code == .notFound {
        errors.append(error)
      }
    }
    guard let first = errors.first else { return keys }
    guard errors.count > 1 else { throw first }
    var result = WriteResult()
    result.errors = errors.map { WriteResult.Fault(row: nil, message: $0.message) }
    if change.dryRun { result.plan = [] }
    throw WriteFailure(
      result: result,
      error: SyncError(
        .notFound, "\(errors.count) of the records do not exist", hint: "nothing was deleted"))
  }
}
