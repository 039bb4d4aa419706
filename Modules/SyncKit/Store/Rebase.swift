/// Lets unsealed local edits meet remote ones, by the rebase policy of each field.
///
/// Sealed changes are published and never touched. An unsealed one keeps its dot and its context;
/// under `remoteWins` a write that meets a remote one moves to the change's yielded list and the
/// register is as if it had never been written.
struct Rebase {
  private struct Target: Hashable {
    let key: RecordKey
    let register: Name
  }

  /// Where an own operation stands: its change, and its place there.
  private struct Place {
    let change: Int
    let operation: Int
  }

  private let zone: ZoneID
  private var changes: [(row: UnsealedChange, change: Change)]
  /// The own operations on each record, in order.
  private var places: [RecordKey: [Place]] = [:]
  /// The registers that own writes still stand in.
  private var written: Set<Target> = []
  /// The records of which own writes have replaced something.
  private var replacing: Set<RecordKey> = []
  private var hasAltered = false
  /// Values to write once more, on top of what was pulled (`localWins`).
  private var again: [Target: Value] = [:]
  /// Records as they were before somebody who had not seen all of them forgot them.
  private var forgotten: [RecordKey: RecordState] = [:]

  /// How far the own series of a zone was looked through in vain for what may have to give way.
  struct Passed {
    let series: ReplicaID
    let last: UInt64
  }

  /// Up to where no unsealed change is of interest; nil when one may be.
  private(set) var passed: Passed?

  /// Reads the unsealed changes of a zone, unless there is none that may give way or has to win.
  ///
  /// After a large import they are more than the memory should hold, and each part of a pull asks for them.
  init(_ zone: ZoneID, in transaction: StoreTransaction, after known: Passed? = nil) throws {
    self.zone = zone
    changes = []
    if try !Self.mayMatter(zone, after: known, transaction) {
      let state = try transaction.zone(zone)
      passed = Passed(series: state.own, last: state.ownLast)
      return
    }
    changes = try transaction.readUnsealed(zone)
    for (index, item) in changes.enumerated() {
      for (position, operation) in item.change.operations.enumerated() {
        let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
        places[key, default: []].append(Place(change: index, operation: position))
        for write in operation.writes {
          written.insert(Target(key: key, register: write.name))
        }
      }
      for replaced in item.row.replaced {
        replacing.insert(RecordKey(zone: zone, collection: replaced.collection, id: replaced.id))
      }
    }
  }

  /// Whether a policy says more than to merge, or once did when something was written.
  private static func mayMatter(
    _ zone: ZoneID, after known: Passed?, _ transaction: StoreTransaction
  ) throws -> Bool {
    guard !transaction.rules.hasRebase else { return true }
    let known = try transaction.zone(zone).own == known?.series ? known?.last : nil
    var found = false
    try transaction.storage.scan(
      .change, prefix: Keys.prefix(zone), after: known.map { Keys.change(zone, $0) }
    ) { key, row in
      found = try !UnsealedChange(key: key, row: row).replaced.isEmpty
      return !found
    }
    return found
  }

  /// Settles what a remote operation means for unsealed writes on the same registers.
  ///
  /// - Returns: How many own writes gave way.
  mutating func meet(
    _ operation: RecordOperation, _ key: RecordKey, _ state: inout RecordState,
    _ context: WriteContext, _ transaction: StoreTransaction
  ) throws -> Int {
    guard let places = places[key] else { return 0 }
    forgetReplaced(by: operation, key, context)
    var count = 0
    for write in operation.writes {
      let target = Target(key: key, register: write.name)
      guard written.contains(target) else { continue }
      switch transaction.rules.rebasePolicy(key.collection, write.name) {
      case .merge: continue
      case .localWins: again[target] = lastValue(target)
      // Both wrote the same: there is nothing to give up.
      case .remoteWins where write.value == lastValue(target):
        forgetReplaced(of: key, context) { $0 == write.name }
      case .remoteWins:
        count += try yield(target, places, &state, transaction)
      }
    }
    return count
  }

  /// Settles what the state of a record elsewhere means for unsealed writes on the same registers.
  ///
  /// - Returns: How many own writes gave way.
  mutating func meet(
    _ theirs: RecordState, _ key: RecordKey, _ state: inout RecordState,
    unseenBy here: VersionVector, _ there: VersionVector, _ transaction: StoreTransaction
  ) throws -> Int {
    guard places[key] != nil else { return 0 }
    // What is not there any more, although it was seen there, must not come back.
    forgetReplaced(of: key) { register, sibling in
      !there.covers(sibling.dot)
        || theirs[register]?.siblings.contains { $0.dot == sibling.dot } == true
    }
    var writes: [FieldWrite] = []
    var newest: Sibling?
    for register in theirs.registers {
      let new = register.siblings.filter { !here.covers($0.dot) }
      guard let shown = new.max(by: { Sibling.newer($1, $0) }) else { continue }
      writes.append(FieldWrite(name: register.name, value: shown.value))
      newest = newest.map { Sibling.newer(shown, $0) ? shown : $0 } ?? shown
    }
    guard let newest else { return 0 }
    return try meet(
      RecordOperation(.edit, key.collection, key.id, writes), key, &state,
      WriteContext(dot: newest.dot, seen: there), transaction)
  }

  /// Keeps of what own writes have replaced in a record only some values.
  private mutating func forgetReplaced(of key: RecordKey, but isKept: (Name, Sibling) -> Bool) {
    guard replacing.contains(key) else { return }
    for index in changes.indices {
      for position in changes[index].row.replaced.indices {
        let item = changes[index].row.replaced[position]
        guard item.collection == key.collection, item.id == key.id else { continue }
        let left = item.siblings.filter { isKept(item.register, $0) }
        guard left != item.siblings else { continue }
        changes[index].row.replaced[position].siblings = left
        hasAltered = true
      }
    }
  }

  /// Remembers what a record was before others forgot it: it may have been edited meanwhile.
  mutating func keep(_ state: RecordState, forgottenElsewhere key: RecordKey) {
    guard !state.isEmpty, !Rules.isSystem(key.collection), forgotten[key] == nil else { return }
    forgotten[key] = state
  }

  /// Lets go of what a record was before others forgot it: it has been written anew as a whole.
  mutating func release(_ key: RecordKey) { forgotten[key] = nil }

  /// Writes again what a record was that others forgot and that is there all the same: this device may
  /// be the only one that still has its fields, or that knows that it is deleted.
  private mutating func remember(_ author: BatchAuthor, _ transaction: StoreTransaction) throws {
    for (key, former) in forgotten.sorted(by: { $0.key < $1.key }) {
      let state = try transaction.record(key)
      guard transaction.rules.isVisible(state, in: key.collection) else { continue }
      guard transaction.rules.isVisible(former, in: key.collection) else {
        // What has come since is not what the deletion hid: somebody else has brought the record back.
        let isLeft = state.alive.allSatisfy { left in
          former.alive.contains { $0.dot == left.dot }
        }
        guard isLeft else { continue }
        try author.append(RecordOperation(.delete, key.collection, key.id), in: zone)
        continue
      }
      let writes = former.registers.filter { state[$0.name] == nil }.map { register in
        FieldWrite(
          name: register.name, value: transaction.rules.single(register, in: key.collection))
      }
      guard !writes.isEmpty else { continue }
      try author.appendAnew(RecordOperation(.edit, key.collection, key.id, writes), in: zone)
    }
    forgotten = [:]
  }

  /// Stores what has changed: the yielded changes, and values that are written once more.
  mutating func finish(_ transaction: StoreTransaction) throws {
    if hasAltered { try transaction.rewrite(zone, changes) }
    guard !again.isEmpty || !forgotten.isEmpty else { return }
    let author = BatchAuthor(transaction, batch: BatchID(from: transaction.environment))
    try remember(author, transaction)
    let targets = again.sorted {
      $0.key.key != $1.key.key ? $0.key.key < $1.key.key : $0.key.register < $1.key.register
    }
    for (target, value) in targets {
      let register = try transaction.record(target.key)[target.register]
      guard register?.isConflicted == true else { continue }
      let prior = transaction.rules.single(register, in: target.key.collection)
      let write = FieldWrite(
        name: target.register, value: value, prior: prior.isNull ? nil : prior)
      try author.appendAnew(
        RecordOperation(.edit, target.key.collection, target.key.id, [write]), in: zone)
    }
    try author.finish()
  }

  private func lastValue(_ target: Target) -> Value? {
    var value: Value?
    for place in places[target.key] ?? [] {
      let operation = changes[place.change].change.operations[place.operation]
      value = operation.writes.last { $0.name == target.register }?.value ?? value
    }
    return value
  }

  private mutating func yield(
    _ target: Target, _ places: [Place], _ state: inout RecordState,
    _ transaction: StoreTransaction
  ) throws -> Int {
    let zone = try transaction.zone(zone)
    // An own create or restore replaces all that it has seen, whether it still writes or not.
    let whole = places.last { place in
      changes[place.change].change.operations[place.operation].isWhole
    }
    var returning: [Sibling] = []
    var count = 0
    for place in places {
      let operation = changes[place.change].change.operations[place.operation]
      for write in operation.writes where write.name == target.register {
        changes[place.change].change.yielded.append(
          YieldedWrite(collection: operation.collection, id: operation.id, write: write))
        count += 1
      }
      changes[place.change].change.operations[place.operation].writes.removeAll {
        $0.name == target.register
      }
    }
    for index in Set(places.map(\.change)).sorted() {
      let replaced = changes[index].row.replaced
      if index > whole?.change ?? -1 {
        returning += replaced.filter { isOf(target, $0) }.flatMap(\.siblings)
      }
      changes[index].row.replaced = replaced.filter { !isOf(target, $0) }
    }
    // What the own write had replaced is there again; the remote write then covers what its author
    // had seen of it.
    state.withdraw(target.register, returning: returning) { dot in
      dot.replica == zone.own && dot.seq > zone.sealedLast
    }
    written.remove(target)
    hasAltered = true
    return count
  }

  /// A remote create or restore replaces what its author had seen, also what an own write hides.
  private mutating func forgetReplaced(
    by operation: RecordOperation, _ key: RecordKey, _ context: WriteContext
  ) {
    guard operation.isWhole else { return }
    let isErased = operation.kind == .erase
    forgetReplaced(of: key, context, all: isErased) { _ in true }
  }

  /// What a remote write has replaced must not come back when an own write gives way later.
  private mutating func forgetReplaced(
    of key: RecordKey, _ context: WriteContext, all isErased: Bool = false,
    where isConcerned: (Name) -> Bool
  ) {
    guard replacing.contains(key) else { return }
    for index in changes.indices {
      for position in changes[index].row.replaced.indices {
        let item = changes[index].row.replaced[position]
        guard item.collection == key.collection, item.id == key.id, isConcerned(item.register)
        else { continue }
        let left = item.siblings.filter { !isErased && !context.covers($0.dot) }
        guard left != item.siblings else { continue }
        changes[index].row.replaced[position].siblings = left
        hasAltered = true
      }
    }
  }

  private func isOf(_ target: Target, _ item: UnsealedChange.Replaced) -> Bool {
    item.collection == target.key.collection && item.id == target.key.id
      && item.register == target.register
  }
}

extension RecordOperation {
  /// Whether it replaces everything that its author had seen of the record.
  fileprivate var isWhole: Bool {
    switch kind {
    case .create, .restore, .erase, .forget: true
    case .edit, .touch, .delete: false
    }
  }
}

extension RecordState {
  /// Takes values out of a register as if they had never been written.
  mutating func withdraw(
    _ name: Name, returning siblings: [Sibling], where isWithdrawn: (Dot) -> Bool
  ) {
    var kept = (self[name]?.siblings ?? []).filter { !isWithdrawn($0.dot) }
    for sibling in siblings where !kept.contains(where: { $0.dot == sibling.dot }) {
      kept.append(sibling)
    }
    registers.removeAll { $0.name == name }
    guard !kept.isEmpty else { return }
    registers.insert(Register(name: name, siblings: kept), at: insertionIndex(of: name))
  }
}
