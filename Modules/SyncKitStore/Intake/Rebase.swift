import SyncKitModel

/// Rebases unsealed local edits onto remote ones, by the rebase policy of each field.
///
/// Sealed changes are published and never touched. An unsealed one keeps its dot and its context, so it
/// covers what its author had seen, whatever it is compared with:
///
/// - `merge` leaves both values to the register's policy.
/// - `remoteWins` marks the write as overridden when a remote value stands beside it that may show: one that
///   is not overridden itself and that no deletion has discarded. Its value stays in the register, behind
///   that one.
/// - `localWins` writes the value again in a new change, on top of what was pulled.
///
/// The states after a run decide what a write is compared with, in ``finish(_:)``.
///
/// A record that was created here while another device deleted it lives on, but the children of the deleted
/// one do not: its author discarded them, and the create states the whole record. So this device deletes
/// those children, as a create does that finds them under a tombstone.
package struct Rebase {
  private struct Target: Hashable, Comparable {
    let key: RecordKey
    let register: FieldName

    static func < (left: Target, right: Target) -> Bool {
      left.key != right.key ? left.key < right.key : left.register < right.register
    }
  }

  private let zone: ZoneID
  /// The registers in which an own unsealed value was when something remote came to the record.
  private var met: Set<Target> = []
  /// Records that were created here while another device deleted them.
  private var created: Set<RecordKey> = []
  /// Records as they were before a device that had not seen all of them forgot them.
  private var forgotten: [RecordKey: RecordState] = [:]

  /// Begins with nothing met.
  package init(_ zone: ZoneID) { self.zone = zone }

  /// Takes note of a record that something remote was applied to.
  package mutating func meet(
    _ key: RecordKey, _ state: RecordState, _ transaction: StoreTransaction
  ) throws {
    if state.alive.count > 1,
      state.isCreatedConcurrentlyWithDeletion(by: try transaction.zone(zone).own)
    {
      created.insert(key)
    }
    guard transaction.rules.hasRebase(key.collection) else { return }
    let isOwn = try Self.isUnsealed(in: transaction.zone(zone))
    for register in state.registers
    where transaction.rules.rebasePolicy(key.collection, register.name) != .merge {
      if register.siblings.contains(where: { isOwn($0.dot) }) {
        met.insert(Target(key: key, register: register.name))
      }
    }
  }

  /// Remembers what a record was before it expired on other devices: it may have been edited meanwhile.
  package mutating func keep(_ state: RecordState, forgottenElsewhere key: RecordKey) {
    guard !state.isEmpty, !Rules.isSystem(key.collection), forgotten[key] == nil else { return }
    forgotten[key] = state
  }

  /// Drops what a record was before it expired on other devices: it has been written again as a whole.
  package mutating func release(_ key: RecordKey) { forgotten[key] = nil }

  /// Settles everything that was met, and writes again what has to be written.
  ///
  /// - Returns: How many registers now show a remote value that overrode an own one.
  package mutating func finish(_ transaction: StoreTransaction) throws -> Int {
    let isOwn = try Self.isUnsealed(in: transaction.zone(zone))
    var again: [(Target, Value)] = []
    var overriding = OverriddenWrites()
    for target in met.sorted() {
      let state = try transaction.record(target.key)
      guard let register = state[target.register],
        let own = register.siblings.last(where: { isOwn($0.dot) })
      else { continue }
      let isVisible = transaction.rules.isVisible(state, in: target.key.collection)
      let rivals = register.siblings.filter { sibling in
        !isOwn(sibling.dot) && !sibling.isDiscarded && !sibling.isOverridden
      }
      switch transaction.rules.rebasePolicy(target.key.collection, target.register) {
      case .merge: break
      case .localWins:
        if rivals.contains(where: { $0.value != own.value }) { again.append((target, own.value)) }
      case .remoteWins:
        // Where both wrote the same there is nothing to give up.
        let isOverridden =
          isVisible && !rivals.isEmpty && !rivals.contains { $0.value == own.value }
        guard isOverridden != own.isOverridden else { continue }
        try transaction.updateRecord(target.key) {
          $0.mark(target.register, own.dot, isOverridden: isOverridden)
        }
        overriding.add(target.key, target.register, upTo: own.dot.seq, isOverridden: isOverridden)
      }
    }
    met = []
    try overriding.rewrite(zone, transaction)
    try write(again, deleting: discardedChildren(transaction), transaction)
    return overriding.count
  }

  /// The children of records that were deleted on another device while they were created here, unless a
  /// device that keeps them alive has written them.
  ///
  /// An edit by another device has seen the children and keeps them.
  private mutating func discardedChildren(_ transaction: StoreTransaction) throws -> [RecordKey] {
    guard !created.isEmpty else { return [] }
    // Children are looked for among the rows.
    try transaction.flushRecords()
    let own = try transaction.zone(zone).own
    var found: [RecordKey] = []
    for key in created.sorted() {
      let state = try transaction.record(key)
      let living = state.alive.filter { $0.kind == .created || $0.kind == .edited }
      guard transaction.rules.isVisible(state, in: key.collection),
        state.isCreatedConcurrentlyWithDeletion(by: own),
        living.allSatisfy({ $0.kind == .created || $0.dot.replica == own })
      else { continue }
      let authors = Set(living.map(\.dot.replica))
      found += try transaction.children(of: key).filter { !$0.state.isWritten(byAnyOf: authors) }
        .map(\.key)
    }
    created = []
    return found
  }

  /// Whether a dot is of an own change that is not sealed.
  private static func isUnsealed(in zone: ZoneState) -> (Dot) -> Bool {
    { $0.replica == zone.own && $0.seq > zone.sealedLast }
  }

  private mutating func write(
    _ values: [(target: Target, value: Value)], deleting children: [RecordKey],
    _ transaction: StoreTransaction
  ) throws {
    guard !values.isEmpty || !children.isEmpty || !forgotten.isEmpty else { return }
    let author = BatchAuthor(transaction, batch: BatchID(from: transaction.environment))
    try remember(author, transaction)
    for child in children {
      try author.append(RecordOperation(.delete, child.collection, child.id), in: zone)
    }
    for (target, value) in values {
      let state = try transaction.record(target.key)
      guard state[target.register]?.isConflicted == true else { continue }
      let prior = transaction.rules.single(
        target.register, of: state, in: target.key.collection)
      let write = FieldWrite(
        name: target.register, value: value, prior: prior.isNull ? nil : prior)
      try author.reappend(
        RecordOperation(.edit, target.key.collection, target.key.id, [write]), in: zone)
    }
    try author.finish()
  }

  /// Writes again a record that has expired on other devices and exists here all the same: this device may be
  /// the only one that still has its fields, or that knows of its deletion.
  private mutating func remember(_ author: BatchAuthor, _ transaction: StoreTransaction) throws {
    for (key, former) in forgotten.sorted(by: { $0.key < $1.key }) {
      let state = try transaction.record(key)
      guard transaction.rules.isVisible(state, in: key.collection) else { continue }
      guard transaction.rules.isVisible(former, in: key.collection) else {
        // Newer values are not those that the deletion hid: another device has brought the record back.
        let isLeft = state.alive.allSatisfy { left in
          former.alive.contains { $0.dot == left.dot }
        }
        guard isLeft else { continue }
        try author.append(RecordOperation(.delete, key.collection, key.id), in: zone)
        continue
      }
      let writes = former.registers.map(\.name).filter { state[$0] == nil }.compactMap { name in
        former.current(name).map { register in
          FieldWrite(
            name: name, value: transaction.rules.single(register, in: key.collection))
        }
      }
      guard !writes.isEmpty else { continue }
      try author.reappend(RecordOperation(.edit, key.collection, key.id, writes), in: zone)
    }
    forgotten = [:]
  }
}

/// Unsealed writes whose mark as yielding changes.
private struct OverriddenWrites {
  private struct Verdict {
    let last: UInt64
    let isOverridden: Bool
  }

  /// How many more writes yield than before.
  private(set) var count = 0
  private var verdicts: [RecordKey: [FieldName: Verdict]] = [:]

  /// Marks the writes of a register in the own changes up to one; only the last can stop yielding.
  mutating func add(_ key: RecordKey, _ register: FieldName, upTo last: UInt64, isOverridden: Bool)
  {
    verdicts[key, default: [:]][register] = Verdict(last: last, isOverridden: isOverridden)
    count += isOverridden ? 1 : -1
  }

  /// Writes the marks into the unsealed changes of a zone, one change in memory at a time.
  func rewrite(_ id: ZoneID, _ transaction: StoreTransaction) throws {
    guard !verdicts.isEmpty else { return }
    let zone = try transaction.zone(id)
    var context = zone.sealedContext
    var altered: [(key: [UInt8], bytes: [UInt8])] = []
    try transaction.storage.scan(.change, prefix: Keys.prefix(id), after: nil) { key, row in
      let unsealed = try UnsealedChange(key: key, row: row)
      var change = try unsealed.bytes.reading(allowingRest: true) {
        try Change(&$0, series: zone.own, after: context)
      }
      if mark(&change, unsealed.seq, in: id) {
        let bytes = change.encoded(
          series: zone.own, after: context, versions: transaction.rules.version)
        altered.append((key, bytes))
      }
      context = change.context
      return true
    }
    for (key, bytes) in altered { try transaction.storage.put(.change, key, bytes) }
  }

  private func mark(_ change: inout Change, _ seq: UInt64, in zone: ZoneID) -> Bool {
    var isAltered = false
    for index in change.operations.indices {
      let operation = change.operations[index]
      let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
      guard let verdicts = verdicts[key] else { continue }
      for place in operation.writes.indices {
        guard let verdict = verdicts[operation.writes[place].name],
          verdict.isOverridden ? seq <= verdict.last : seq == verdict.last,
          operation.writes[place].isOverridden != verdict.isOverridden
        else { continue }
        change.operations[index].writes[place].isOverridden = verdict.isOverridden
        isAltered = true
      }
    }
    return isAltered
  }
}

extension RecordState {
  /// Whether a replica created the record, and another one that had not seen that deleted it.
  fileprivate func isCreatedConcurrentlyWithDeletion(by replica: ReplicaID) -> Bool {
    alive.contains { $0.kind == .created && $0.dot.replica == replica }
      && alive.contains { $0.kind == .deleted && $0.dot.replica != replica }
  }

  /// Whether anything that stands of the record is by one of these.
  fileprivate func isWritten(byAnyOf replicas: Set<ReplicaID>) -> Bool {
    alive.contains { replicas.contains($0.dot.replica) }
      || registers.contains { $0.siblings.contains { replicas.contains($0.dot.replica) } }
  }

  /// Marks a value as yielding, or takes the mark away.
  fileprivate mutating func mark(_ name: FieldName, _ dot: Dot, isOverridden: Bool) {
    let index = insertionIndex(of: name)
    guard index < registers.count, registers[index].name == name else { return }
    for place in registers[index].siblings.indices
    where registers[index].siblings[place].dot == dot {
      if isOverridden {
        registers[index].siblings[place].marks.insert(.overridden)
      } else {
        registers[index].siblings[place].marks.remove(.overridden)
      }
    }
  }
}
