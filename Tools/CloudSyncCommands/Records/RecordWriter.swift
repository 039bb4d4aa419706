import CommandFoundation
import SyncKit

/// Writes records for a command: checks and counts them; `--dry-run` only simulates it.
struct RecordWriter<D: DomainRegistration> {
  let store: SyncStore
  let isRehearsal: Bool

  /// Opens the store; a rehearsal leaves nothing in it.
  init(_ session: Session, isRehearsal: Bool) throws {
    store = try session.store(D.domain.name, isRehearsal: isRehearsal)
    self.isRehearsal = isRehearsal
  }

  /// Creates or changes records, in transactions of bounded size.
  ///
  /// Calls `progress` after each of them with the number of records done.
  func save(
    _ drafts: [RecordDraft], progress: (Int) -> Void = { _ in }
  ) throws -> WriteResult {
    guard isRehearsal else { return WriteResult(try store.importAll(drafts, progress: progress)) }
    var result = WriteResult(BatchSummary(), isRehearsed: true)
    var start = 0
    while start < drafts.count {
      let end = min(start + SyncStore.importChunk, drafts.count)
      let known = try drafts[start..<end].map { try before($0) }
      let ((changes, outcomes), summary) = try store.write { transaction in
        var changes: [RecordChange] = []
        var outcomes: [WriteOutcome] = []
        for (draft, known) in zip(drafts[start..<end], known) {
          let (outcome, key) = try transaction.save(draft)
          outcomes.append(outcome)
          guard outcome != .unchanged, let after = try transaction.record(key) else { continue }
          changes += RecordChange.between(known, and: after)
        }
        return (changes, outcomes)
      }
      result.add(summary, changes)
      result.outcomes += outcomes
      start = end
      progress(end)
    }
    return result
  }

  /// Changes fields of one record that exists.
  func edit(_ record: Record, _ fields: [FieldName: Value]) throws -> WriteResult {
    let (after, summary) = try store.write { transaction in
      try transaction.edit(record.key, fields)
      return try transaction.record(record.key)
    }
    var result = WriteResult(summary, isRehearsed: isRehearsal)
    if isRehearsal, let after { result.plan = RecordChange.between(record, and: after) }
    return result
  }

  /// Deletes records, all or none.
  func delete(_ keys: [RecordKey]) throws -> WriteResult {
    let (_, summary) = try store.write { transaction in
      for key in keys { try transaction.delete(key) }
    }
    var result = WriteResult(summary, isRehearsed: isRehearsal)
    if isRehearsal { result.plan = keys.map { RecordChange(.delete, $0) } }
    return result
  }

  /// Runs one transaction; `body` names its records.
  ///
  /// In a rehearsal it runs twice, since the state before can be read only once the records are
  /// known; so it must have no other effect.
  func write(_ body: (WriteTransaction) throws -> [RecordKey]) throws -> WriteResult {
    guard isRehearsal else { return WriteResult(try store.write(body).summary) }
    let keys = Set(try store.write(body).result)
    let before = Dictionary(
      try keys.map { ($0, try store.record($0)) }, uniquingKeysWith: { first, _ in first })
    let (changes, summary) = try store.write { transaction in
      var changes: [RecordChange] = []
      for key in try body(transaction) {
        let known = (before[key] ?? nil).flatMap { $0.isDeleted ? nil : $0 }
        guard let after = try transaction.record(key) else { continue }
        if !after.isDeleted {
          changes += RecordChange.between(known, and: after)
        } else if known != nil {
          changes.append(RecordChange(.delete, key))
        }
      }
      return changes
    }
    var result = WriteResult(summary, isRehearsed: true)
    result.plan = changes
    return result
  }

  /// The record with the id of a draft.
  private func before(_ draft: RecordDraft) throws -> Record? {
    var draft = draft
    try D.domain.normalize(&draft)
    return try draft.id.flatMap { try store.record(draft.collection, $0) }
  }
}

extension WriteResult {
  fileprivate mutating func add(_ summary: BatchSummary, _ changes: [RecordChange]) {
    added += summary.added
    changed += summary.changed
    deleted += summary.deleted
    unchanged += summary.unchanged
    unsent += summary.unsent.filter { !unsent.contains($0) }
    plan = (plan ?? []) + changes
  }
}
