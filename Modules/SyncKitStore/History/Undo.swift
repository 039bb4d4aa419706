import SyncKitModel

/// What an undo has done, and what it had to leave.
public struct UndoResult: Sendable {
  /// What was written.
  public var summary: BatchSummary
  /// What was left because it has been changed since, or because it is not known what was there before, as
  /// `collection/id field`.
  public var skipped: [String]
}

extension SyncStore {
  /// What ``SyncStore/undo(_:)`` does.
  func revert(_ id: BatchID) throws -> UndoResult {
    let changes = try read { try $0.changes(of: id) }
    guard !changes.isEmpty else {
      throw SyncError(
        .notFound, "There is no batch \(id) in the history of \(domain.name).",
        hint: try historyBegins().map { _ in Self.shortened })
    }
    var parts = BatchParts()
    for logged in changes { parts.add(logged) }
    if !parts.areAll, try historyBegins() != nil {
      throw SyncError(
        .notFound, "Only part of the batch \(id) is in the history of \(domain.name).",
        hint: Self.shortened)
    }
    guard try storage.read({ try $0.get(.meta, Keys.move(id)) }) == nil else {
      throw SyncError(
        .undoRefused, "The batch \(id) made a record local or synced; that cannot be undone.",
        hint: "Set the other scope instead.")
    }
    let (skipped, summary) = try write { transaction in
      var undo = BatchUndo(changes: changes, transaction: transaction)
      try undo.run()
      return undo.skipped
    }
    return UndoResult(summary: summary, skipped: skipped)
  }
}

/// Reverts the changes of one batch.
///
/// Records that come back come first: they count as edits of their ancestors, which may have to be deleted
/// again.
private struct BatchUndo {
  let changes: [LoggedChange]
  let transaction: WriteTransaction
  private(set) var skipped: [String] = []
  private let dots: Set<Dot>
  /// The records that the batch made: what it wrote into them goes or stays with them.
  private let made: Set<RecordKey>
  /// Those of them that it brought back.
  private let restored: Set<RecordKey>
  /// What the batch has deleted, the last first.
  private var missing: [RecordKey] = []
  /// What it has made, the last first.
  private var surplus: [RecordKey] = []
  private var isSurplus: Set<RecordKey> = []
  /// What is written back.
  private var values: [RecordKey: [FieldName: Value]] = [:]

  init(changes: [LoggedChange], transaction: WriteTransaction) {
    self.changes = changes
    self.transaction = transaction
    dots = Set(changes.map(\.dot))
    func keys(_ kinds: Set<OperationKind>) -> Set<RecordKey> {
      Set(
        changes.flatMap { logged in
          logged.change.operations.filter { kinds.contains($0.kind) }.map {
            RecordKey(zone: logged.zone, collection: $0.collection, id: $0.id)
          }
        })
    }
    made = keys([.create, .restore])
    restored = keys([.restore])
  }

  mutating func run() throws {
    for logged in changes.reversed() {
      for operation in logged.change.operations.reversed()
      where !Rules.isSystem(operation.collection) {
        let key = RecordKey(
          zone: logged.zone, collection: operation.collection, id: operation.id)
        guard try !transaction.inner.zone(logged.zone).isClosed else {
          skipped.append("\(key)")
          continue
        }
        switch operation.kind {
        // It goes with the parent that came back with it, and must come back with it another time.
        case .restore where try isRestored(parentOf: key): break
        case .create, .restore: try uncreate(key)
        case .delete: try undelete(key)
        case .erase: skipped.append("\(key)")
        case .forget: break
        case .touch where try isMade(by: operation, key): try uncreate(key)
        case .edit where made.contains(key), .touch where made.contains(key): break
        case .edit where try isErased(logged, key), .touch where try isErased(logged, key):
          skipped.append("\(key)")
        case .edit, .touch:
          for write in operation.writes {
            if let value = try former(of: write, key, isTouch: operation.kind == .touch) {
              values[key, default: [:]][write.name] = value
            }
          }
        }
      }
    }
    let returning = Set(missing)
    for key in missing {
      if try isHidden(key, besides: returning) {
        skipped.append("\(key)")
      } else {
        try transaction.restore(key)
      }
    }
    for (key, writes) in values.sorted(by: { $0.key < $1.key }) where !isSurplus.contains(key) {
      try rewrite(key, writes)
    }
    for key in surplus {
      // Not as a person deletes: a deleted ancestor may hide the record.
      try transaction.append(RecordOperation(.delete, key.collection, key.id), key)
      transaction.count(.deleted)
    }
  }

  /// Whether the record was erased since a change, or beside it: what was there before it is gone for good.
  private func isErased(_ logged: LoggedChange, _ key: RecordKey) throws -> Bool {
    let context = WriteContext(dot: logged.dot, seen: logged.change.context)
    return try transaction.inner.record(key).erasures.contains { !context.covers($0) }
  }

  private func isRestored(parentOf key: RecordKey) throws -> Bool {
    let parent = try transaction.inner.rules.parent(of: transaction.inner.record(key), key)
    return parent.map(restored.contains) ?? false
  }

  /// Whether a touch created its record: then nothing was there before, and no other device wrote since.
  private func isMade(by operation: RecordOperation, _ key: RecordKey) throws -> Bool {
    let state = try transaction.inner.record(key)
    return operation.writes.allSatisfy { $0.prior == nil }
      && state.alive.allSatisfy { dots.contains($0.dot) }
      && state.registers.allSatisfy { $0.siblings.allSatisfy { dots.contains($0.dot) } }
  }

  /// Deletes a record that the batch created, if it was not edited since.
  private mutating func uncreate(_ key: RecordKey) throws {
    let state = try transaction.inner.record(key)
    guard transaction.inner.rules.isVisible(state, in: key.collection), !isSurplus.contains(key)
    else { return }
    if state.alive.contains(where: { $0.kind == .created && !dots.contains($0.dot) }) {
      return try withdraw(from: state, key)
    }
    let isUntouched =
      state.alive.allSatisfy { dots.contains($0.dot) || $0.kind == .touched }
      && state.registers.allSatisfy { register in
        register.siblings.allSatisfy { dots.contains($0.dot) }
          || transaction.inner.rules[key.collection]?.owner(of: register.name)?.weight == .touch
      }
    guard isUntouched else {
      skipped.append("\(key)")
      return
    }
    surplus.append(key)
    isSurplus.insert(key)
  }

  /// Takes the batch's values out of a record that another device made at the same time: it stays, as that
  /// device wrote it.
  private mutating func withdraw(from state: RecordState, _ key: RecordKey) throws {
    for register in state.registers
    where register.siblings.contains(where: { dots.contains($0.dot) }) {
      values[key, default: [:]][register.name] = shown(register.name, of: state, key) ?? .null
    }
  }

  /// What a register shows without the batch; nil for nothing.
  private func shown(_ name: FieldName, of state: RecordState, _ key: RecordKey) -> Value? {
    guard let register = state.current(name) else { return nil }
    let others = register.siblings.filter { !dots.contains($0.dot) }
    guard !others.isEmpty else { return nil }
    return transaction.inner.rules.single(
      Register(name: name, siblings: others), in: key.collection)
  }

  private mutating func undelete(_ key: RecordKey) throws {
    let state = try transaction.inner.record(key)
    guard let shown = shownAlive(state, key), dots.contains(shown.dot), !shown.kind.isVisible else {
      skipped.append("\(key)")
      return
    }
    missing.append(key)
  }

  /// Whether an ancestor is deleted that does not come back as well: the author of its deletion would find it
  /// again, because working on a record keeps its ancestors.
  private func isHidden(
    _ key: RecordKey, writing values: [FieldName: Value] = [:],
    besides returning: Set<RecordKey> = []
  ) throws -> Bool {
    let rules = transaction.inner.rules
    var line: Set<RecordKey> = [key]
    var next =
      if let parent = values[.parent] {
        parent.string.flatMap { RecordKey(parent: $0, in: key.zone) }
      } else {
        rules.parent(of: try transaction.inner.record(key), key)
      }
    while let ancestor = next, line.insert(ancestor).inserted {
      let state = try transaction.inner.record(ancestor)
      if !state.isEmpty, !returning.contains(ancestor),
        !rules.isVisible(state, in: ancestor.collection)
      {
        return true
      }
      next = rules.parent(of: state, ancestor)
    }
    return false
  }

  private func shownAlive(_ state: RecordState, _ key: RecordKey) -> AliveSibling? {
    let rule = transaction.inner.rules[key.collection]?.deleteRule ?? .editWins
    return rule.shown(state.alive)
  }

  /// The value to write back; nil when the batch's value does not stand any more.
  private mutating func former(
    of write: FieldWrite, _ key: RecordKey, isTouch: Bool
  ) throws -> Value? {
    let state = try transaction.inner.record(key)
    let siblings = state[write.name]?.siblings ?? []
    let stands =
      write.value == nil ? siblings.isEmpty : siblings.contains { dots.contains($0.dot) }
    // What stands beside the batch's value was written at the same time, and stays.
    if stands, let value = shown(write.name, of: state, key) { return value }
    guard stands, !write.isPriorUntold else {
      if !isTouch { skipped.append("\(key) \(write.name.field)") }
      return nil
    }
    return write.prior.map {
      transaction.inner.rules.single($0, of: write.name, in: key.collection)
    } ?? .null
  }

  private mutating func rewrite(_ key: RecordKey, _ values: [FieldName: Value]) throws {
    let state = try transaction.inner.record(key)
    guard transaction.inner.rules.isVisible(state, in: key.collection),
      try !isHidden(key, writing: values)
    else {
      skipped.append("\(key)")
      return
    }
    try transaction.rewrite(state, of: key, values: values)
    transaction.count(.changed)
  }
}

extension SyncStore {
  /// What to do about something that is older than the history that is kept.
  fileprivate static let shortened =
    "This device does not keep the whole history; another one may, see 'keep-history'."

  /// What ``SyncStore/restore(_:at:)`` does.
  func revive(_ key: RecordKey, at: Int64? = nil) throws -> BatchSummary {
    guard let at else { return try write { try $0.restore(key) }.summary }
    let past = try read { reader in
      if let begins = try reader.historyBegins(key.zone), at < begins {
        throw SyncError(
          .notFound, "The state of \(key) at that time is not in the history of \(domain.name).",
          hint: Self.shortened)
      }
      return try reader.state(of: key, at: at)
    }
    guard rules.isVisible(past, in: key.collection) else {
      throw SyncError(.notFound, "There was no record \(key) at that time.")
    }
    return try write { transaction in
      var values = past.registers.map {
        ($0.name, rules.single($0.name, of: past, in: key.collection))
      }
      let present = try transaction.inner.record(key)
      guard present.erasures.allSatisfy(past.erasures.contains) else {
        throw SyncError(.notFound, "The state of \(key) at that time has been erased.")
      }
      if past[.parent] == nil, let parent = present.current(.parent) {
        // By a clock that was wrong the record may be older than its creation.
        values.append((.parent, rules.shown(parent, in: key.collection)))
      }
      guard rules.isVisible(present, in: key.collection) else {
        try transaction.write(past, of: key, values: values)
        return transaction.count(.changed)
      }
      // The record exists, so this is an edit: undo reverts what it writes, and does not delete the record.
      var wanted: [FieldName: Value] = [:]
      for register in present.registers { wanted[register.name] = .null }
      for (name, value) in values { wanted[name] = value }
      wanted = wanted.filter { name, value in
        let isSettled =
          present.current(name)?.isConflicted == true && past.current(name)?.isConflicted != true
        return isSettled || rules.single(name, of: present, in: key.collection) != value
      }
      guard !wanted.isEmpty else { return transaction.count(.unchanged) }
      try transaction.rewrite(present, of: key, values: wanted)
      transaction.count(.changed)
    }.summary
  }
}

extension StoreReader {
  /// The state of a record as far as changes up to a time made it.
  package func state(of key: RecordKey, at: Int64) throws -> RecordState {
    let begins = try historyBegins(key.zone)
    var changes: [LoggedChange] = []
    try forEachChange { logged, _ in
      changes += logged.filter { item in
        let time = item.change.stamp.milliseconds
        // Of what is older only some may be here.
        return item.zone == key.zone && (begins.map { time > $0 } ?? (time <= at))
          && item.change.operations.contains { $0.collection == key.collection && $0.id == key.id }
      }
      return true
    }
    changes.sort { ($0.change.stamp, $0.dot) < ($1.change.stamp, $1.dot) }
    if begins != nil {
      let first = changes.first?.change.operations.first {
        $0.collection == key.collection && $0.id == key.id
      }
      guard first?.kind == .create else {
        let past = RecordPast(of: try state(key), key, after: changes, at: at)
        guard !past.isIncomplete else {
          throw SyncError(
            .notFound, "Only part of the state of \(key) at that time is in the history.",
            hint: SyncStore.shortened)
        }
        return past.state
      }
      changes.removeAll { $0.change.stamp.milliseconds > at }
    }
    var state = RecordState()
    // Stamps grow along causality but for clocks that are far ahead; the context keeps what a
    // change has seen from being applied behind it.
    for item in changes {
      let context = WriteContext(dot: item.dot, seen: item.change.context)
      for operation in item.change.operations
      where operation.collection == key.collection && operation.id == key.id {
        state.apply(operation, stamp: item.change.stamp, in: context)
      }
    }
    return state
  }
}
