import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync undo BATCH`.
struct UndoCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo what one command has done, on any device.",
    discussion: examples(
      "cloudsync undo 4f7k", "cloudsync undo 4f7kq2xw5a3mzn6r --dry-run",
      after: """
        The undo is a batch of its own, which syncs and can be undone too. Fields that have been \
        changed since are left as they are and listed; the exit status is then 3.
        """))

  @Argument(help: "The batch, or the start of its id.", completion: batchCompletion)
  var batch: String
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.undo/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let found = try session.batch(batch)
      let store = try session.store(found.domain, isRehearsal: change.dryRun)
      let conflicts = change.dryRun ? try store.conflicts() : []
      let undone = try store.undo(found.batch.id)
      var result = WriteResult(undone.summary, isRehearsed: change.dryRun)
      if change.dryRun { result.plan = plan(found, among: conflicts, without: undone.skipped) }
      guard !undone.skipped.isEmpty else { return result }
      result.errors = undone.skipped.map { name in
        WriteResult.Fault(row: nil, message: "\(name) has been changed since and was left as it is")
      }
      let count = undone.skipped.count
      throw WriteFailure.partial(
        result, "\(Plural(count, "change was", "changes were")) not undone: changed again since")
    }
  }

  /// The batch's own changes reversed, the last first.
  private func plan(
    _ found: DomainBatch, among conflicts: [Conflict], without skipped: [String]
  ) -> [RecordChange] {
    let left = Set(skipped)
    return found.batch.entries.reversed().compactMap { entry in
      let name = "\(entry.key)"
      guard !left.contains(name), !left.contains("\(name) \(entry.field?.text ?? "")") else {
        return nil
      }
      let rival = conflicts.first { $0.key == entry.key && $0.field == entry.field }
        .flatMap { Self.value(beside: entry, in: $0) }
      switch entry.kind {
      case .create where rival == nil, .restore:
        return RecordChange(.delete, entry.key, field: entry.field, from: entry.to)
      case .create, .set, .overridden:
        return RecordChange(
          .set, entry.key, field: entry.field, from: entry.to, to: rival ?? entry.from)
      case .delete: return RecordChange(.restore, entry.key)
      case .erase: return nil
      }
    }
  }

  /// The value that shows in a conflict without an edit.
  private static func value(beside entry: HistoryBatch.Entry, in conflict: Conflict) -> Value? {
    if conflict.shown != entry.to { return conflict.shown }
    let others = conflict.candidates.filter { $0.value != entry.to }
    return (others.first { !$0.isOverridden } ?? others.first)?.value
  }
}
