import SyncKitModel

/// Writes records in one durable transaction; all of it is one batch that can be undone as a whole.
///
/// Only valid inside of the closure it is handed to.
public final class WriteTransaction {
  package let inner: StoreTransaction
  package let view: RecordView
  package let domain: any SyncDomain
  private let author: BatchAuthor
  private var counts = BatchSummary()

  /// What was done so far.
  package var summary: BatchSummary {
    var summary = counts
    guard summary.batch != nil else { return summary }
    summary.parts = author.parts
    summary.ends = author.ends
    return summary
  }

  package init(
    _ inner: StoreTransaction, view: RecordView, domain: any SyncDomain, author: BatchAuthor
  ) {
    self.inner = inner
    self.view = view
    self.domain = domain
    self.author = author
  }

  /// The record with this key, deleted ones included; nil when nothing is known of it.
  public func record(_ key: RecordKey) throws -> Record? {
    let state = try inner.record(key)
    return state.isEmpty ? nil : try view.record(key, state)
  }

  /// The record with this id, whatever its zone, deleted ones included; nil when nothing is known of it.
  public func record(_ collection: CollectionName, _ id: RecordID) throws -> Record? {
    switch inner.rules.placement(collection) {
    case .home: return try record(RecordKey(collection: collection, id: id))
    case .local: return try record(RecordKey(zone: .local, collection: collection, id: id))
    case .root, .parent, nil: break
    }
    for zone in try inner.zoneIDs() {
      let found = try record(RecordKey(zone: zone, collection: collection, id: id))
      if let found { return found }
    }
    return nil
  }

  /// Creates the record if it is not there, else writes the fields that differ.
  ///
  /// A draft of weight `touch` leaves a deleted record as it is.
  /// - Returns: What was done, and to which record: the domain or chance may have named it.
  /// - Throws: ``SyncError`` `input.invalid` when the domain refuses the draft.
  @discardableResult
  public func save(_ draft: RecordDraft) throws -> (outcome: WriteOutcome, key: RecordKey) {
    var draft = draft
    try domain.normalize(&draft)
    let collection = try collection(draft.collection)
    let key = try key(of: draft, in: collection)
    let state = try inner.record(key)
    let isThere = try !state.isEmpty && view.isVisible(key, state)
    try domain.complete(&draft, over: isThere ? view.record(key, state) : nil)
    let outcome: WriteOutcome
    if isThere {
      outcome = try edit(key, state, draft, collection)
    } else if draft.weight == .touch, !state.isEmpty {
      outcome = .unchanged
    } else {
      outcome = try create(key, state, draft, collection)
    }
    counts.count(outcome)
    return (outcome, key)
  }

  /// Writes some fields of a record that exists, and values that are not its fields (``Record/others``).
  ///
  /// - Throws: ``SyncError`` `record.not-found` when it does not.
  @discardableResult
  public func edit(
    _ key: RecordKey, _ fields: [FieldName: Value], others: [FieldName: Value] = [:]
  ) throws -> WriteOutcome {
    try edit(key, fields, others: others, repeating: [])
  }

  /// Writes some fields of a record that exists, of which those named in `repeats` are written also where they have the
  /// value already.
  ///
  /// - Throws: ``SyncError`` `record.not-found` when it does not.
  @discardableResult
  package func edit(
    _ key: RecordKey, _ fields: [FieldName: Value], others: [FieldName: Value] = [:],
    repeating repeats: Set<FieldName>
  ) throws -> WriteOutcome {
    let state = try visibleState(key)
    var draft = RecordDraft(key.collection, id: key.id, fields: fields, isNew: false)
    draft.others = others
    draft.repeats = repeats
    try domain.normalize(&draft)
    try domain.complete(&draft, over: view.record(key, state))
    let outcome = try edit(key, state, draft, collection(key.collection))
    counts.count(outcome)
    return outcome
  }

  /// Deletes a record; its fields stay restorable.
  ///
  /// - Throws: ``SyncError`` `record.not-found` when it does not exist.
  public func delete(_ key: RecordKey) throws {
    _ = try visibleState(key)
    try append(RecordOperation(.delete, key.collection, key.id), key)
    counts.count(.deleted)
  }

  /// Removes a record and all below it with their content, whatever is written to them elsewhere meanwhile.
  ///
  /// No verb does this yet: the changes that wrote the content stay in the segments.
  /// - Throws: ``SyncError`` `record.not-found` when nothing is known of it.
  package func erase(_ key: RecordKey) throws {
    guard try !inner.record(key).isEmpty else { throw SyncError.noRecord(key) }
    var erased: Set<RecordKey> = [key]
    var open = [key]
    while let next = open.popLast() {
      // Its children first: without its own parent none of them is found any more.
      open += try inner.children(of: next) { _, _ in true }.map(\.key).filter {
        erased.insert($0).inserted
      }
      try append(RecordOperation(.erase, next.collection, next.id), next)
    }
    counts.count(.deleted)
  }

  /// Brings a deleted record back with the fields it had, its subtree with it.
  @discardableResult
  public func restore(_ key: RecordKey) throws -> WriteOutcome {
    let state = try inner.record(key)
    guard !state.isEmpty else { throw SyncError.noRecord(key) }
    guard try !view.isVisible(key, state) else {
      counts.count(.unchanged)
      return .unchanged
    }
    let rule = inner.rules[key.collection]?.deleteRule ?? .editWins
    guard rule.shown(state.alive)?.kind != .erased else {
      throw SyncError(.notFound, "\(key) was erased; nothing is left of it.")
    }
    try write(state, of: key, values: restorable(state, key))
    var visited: Set<RecordKey> = [key]
    try restoreChildren(of: key, &visited)
    counts.count(.added)
    return .added
  }

  /// Gives a register one value and clears its conflict everywhere.
  public func resolve(_ key: RecordKey, register: FieldName, value: Value) throws {
    let state = try visibleState(key)
    let write = FieldWrite(name: register, value: value, prior: prior(register, of: state, key))
    try append(RecordOperation(.edit, key.collection, key.id, [write]), key)
    counts.count(.changed)
  }

  // MARK: Operations

  package func count(_ outcome: WriteOutcome) { counts.count(outcome) }

  /// Makes an operation part of the batch; one that writes existing content again may have any size.
  package func append(
    _ operation: RecordOperation, _ key: RecordKey, hasAnySize: Bool = false
  ) throws {
    try inner.checkWritable(key.zone)
    if inner.rules.keepsBack(operation), try inner.zone(key.zone).isPublished {
      throw inner.rules.refusal(
        of: operation, "is kept on this device by its configuration, but its tree is not.")
    }
    if hasAnySize {
      try author.reappend(operation, in: key.zone)
    } else {
      try author.append(operation, in: key.zone)
    }
    counts.batch = author.batch
  }

  /// Writes every given register of a record again, as a restore does.
  package func write(_ state: RecordState, of key: RecordKey, values: [(FieldName, Value)]) throws {
    let writes = values.compactMap { name, value -> FieldWrite? in
      value.isNull ? nil : FieldWrite(name: name, value: value)
    }
    try append(RecordOperation(.restore, key.collection, key.id, writes), key, hasAnySize: true)
  }

  /// Writes some registers of an existing record, as an edit that undo can revert.
  ///
  /// Null takes an element out of its set.
  func rewrite(_ state: RecordState, of key: RecordKey, values: [FieldName: Value]) throws {
    let writes = values.sorted { $0.key < $1.key }.map { name, value in
      let isElement = name.field != name
      return FieldWrite(
        name: name, value: isElement && value.isNull ? nil : value,
        prior: prior(name, of: state, key))
    }
    try append(RecordOperation(.edit, key.collection, key.id, writes), key, hasAnySize: true)
  }

  private func create(
    _ key: RecordKey, _ state: RecordState, _ draft: RecordDraft, _ collection: RecordType
  ) throws -> WriteOutcome {
    if !state.isEmpty { try deleteChildren(of: key) }
    if inner.rules.isOptIn(key.collection) { try keepNewZoneLocal(key.zone) }
    let registers = try registers(draft, in: collection, over: nil)
    var writes: [FieldWrite] = []
    writes.reserveCapacity(registers.count + 1)
    for register in registers where !register.value.isNull {
      var value = register.value
      // Where nothing was seen, every policy writes what is wanted.
      if let owner = register.owner, let seen = state[register.name] {
        value = collection.fields[owner].policy.written(value, seeing: fitting(seen, key))
      }
      writes.append(FieldWrite(name: register.name, value: value))
    }
    if let parent = draft.parent {
      let seen = state[.parent]?.siblings ?? []
      let value = inner.rules.policy(key.collection, .parent)
        .written(.string("\(parent.collection)/\(parent.id)"), seeing: seen)
      writes.append(FieldWrite(name: .parent, value: value))
    }
    writes.sortByName()
    try append(
      RecordOperation(
        draft.weight == .touch ? .touch : .create, key.collection, key.id, writes,
        stamp: stamp(of: draft)), key)
    try writeLocal(draft, key, collection, isNew: true)
    return .added
  }

  private func edit(
    _ key: RecordKey, _ state: RecordState, _ draft: RecordDraft, _ collection: RecordType
  ) throws -> WriteOutcome {
    var writes: [FieldWrite] = []
    var isTouch = true
    for (name, value, owner) in try registers(draft, in: collection, over: state) {
      let register = state.current(name)
      let shown = inner.rules.shown(register, in: key.collection)
      let field = owner.map { collection.fields[$0] }
      let wanted = field?.policy.written(value, seeing: fitting(register, key)) ?? value
      if wanted == shown, register?.isConflicted != true, !draft.repeats.contains(name) { continue }
      writes.append(FieldWrite(name: name, value: wanted, prior: prior(name, of: state, key)))
      if field?.weight != .touch { isTouch = false }
    }
    writes += try elementRemovals(draft, state, collection)
    let parent = draft.parent.map {
      RecordKey(zone: key.zone, collection: $0.collection, id: $0.id)
    }
    if let parent, collection.isMovable, inner.rules.parent(of: state, key) != parent {
      writes.append(
        FieldWrite(
          name: .parent, value: .string("\(parent.collection)/\(parent.id)"),
          prior: prior(.parent, of: state, key)))
      isTouch = false
    }
    let hasLocalChange = try writeLocal(draft, key, collection)
    guard !writes.isEmpty else { return hasLocalChange ? .changed : .unchanged }
    if writes.contains(where: { $0.value == nil }) { isTouch = false }
    if draft.weight == .touch { isTouch = true }
    writes.sortByName()
    try append(
      RecordOperation(
        isTouch ? .touch : .edit, key.collection, key.id, writes, stamp: stamp(of: draft)), key)
    return .changed
  }

  /// When the source says that it happened, but no later than now: a future date would win over everything
  /// that is written until then.
  private func stamp(of draft: RecordDraft) -> UInt64? {
    draft.at.map { Stamp.pack(milliseconds: min($0, inner.environment.now())) }
  }

  /// Writes the local fields; a newly created record has none of a former one.
  @discardableResult
  private func writeLocal(
    _ draft: RecordDraft, _ key: RecordKey, _ collection: RecordType, isNew: Bool = false
  ) throws -> Bool {
    guard collection.hasLocalFields else { return false }
    let fields = draft.fields.filter { collection.field($0.key)?.isLocal == true }
    guard isNew || !fields.isEmpty else { return false }
    let before = try view.local(key)
    var members = isNew ? ValueMap() : before
    for (name, value) in fields { members[name] = value.isNull ? nil : value }
    guard members != before else { return false }
    for (name, value) in fields { try Value.list([value]).checkDepth(of: name) }
    if members.members.isEmpty {
      try inner.storage.delete(.local, Keys.record(key))
    } else {
      try inner.storage.put(.local, Keys.record(key), Value.map(members).canonicalBytes)
    }
    return true
  }

  /// Keeps the zone of a root that waits for its owner's consent on this device.
  private func keepNewZoneLocal(_ id: ZoneID) throws {
    var zone = try inner.zone(id)
    guard zone.vector.heads.isEmpty, zone.ownLast == 0 else { return }
    zone.isPublished = false
    inner.setZone(id, zone)
  }

  /// Deletes the children that a new record would otherwise bring back with it.
  private func deleteChildren(of key: RecordKey) throws {
    for (child, _) in try inner.children(of: key) {
      try append(RecordOperation(.delete, child.collection, child.id), child)
    }
  }

  /// Writes the subtree of a restored record again: the records that only its deletion had hidden.
  private func restoreChildren(of key: RecordKey, _ visited: inout Set<RecordKey>) throws {
    for (child, state) in try inner.children(of: key) where visited.insert(child).inserted {
      try write(state, of: child, values: restorable(state, child))
      try restoreChildren(of: child, &visited)
    }
  }

  // MARK: Reading

  private func collection(_ name: CollectionName) throws -> RecordType {
    guard let collection = inner.rules[name] else {
      throw SyncError(.inputInvalid, "The domain \(domain.name) has no collection '\(name)'.")
    }
    return collection
  }

  private func key(of draft: RecordDraft, in collection: RecordType) throws -> RecordKey {
    let id = draft.id ?? RecordID(UUIDText.random(from: inner.environment))
    guard !id.text.isEmpty, id.text.utf8.count <= NameLimit.id else {
      throw SyncError(.inputInvalid, "An id must have 1 to \(NameLimit.id) bytes.")
    }
    let zone: ZoneID
    switch collection.placement {
    case .home: zone = .home
    case .root: zone = try inner.currentZone(of: collection.name, id)
    case .local: zone = .local
    case .parent:
      guard let parent = draft.parent else {
        throw SyncError(.inputInvalid, "A record of \(collection.name) needs a parent.")
      }
      zone = try inner.currentZone(of: parent)
    }
    return RecordKey(zone: zone, collection: collection.name, id: id)
  }

  private func visibleState(_ key: RecordKey) throws -> RecordState {
    let state = try inner.record(key)
    guard try !state.isEmpty && view.isVisible(key, state) else { throw SyncError.noRecord(key) }
    return state
  }

  private func fitting(_ register: Register?, _ key: RecordKey) -> [Sibling] {
    register.map { inner.rules.fitting($0, in: key.collection) } ?? []
  }

  /// What a restore writes: of values that were thrown away those, too, that nothing else stands for.
  private func restorable(_ state: RecordState, _ key: RecordKey) -> [(FieldName, Value)] {
    state.registers.map { register in
      let current = state.current(register.name) ?? register
      return (register.name, inner.rules.single(current, in: key.collection))
    }
  }

  /// The value that a write replaces; nil for none.
  private func prior(_ name: FieldName, of state: RecordState, _ key: RecordKey) -> Value? {
    let value = inner.rules.single(name, of: state, in: key.collection)
    return value.isNull ? nil : value
  }
}

extension SyncError {
  static func noRecord(_ key: RecordKey) -> SyncError {
    SyncError(.notFound, "There is no record \(key).")
  }
}

extension RecordType {
  /// The names a person can write: members of groups in the place of their groups.
  public var fieldNames: [FieldName] {
    fields.flatMap { $0.members.isEmpty ? [$0.name] : $0.members.map(\.name) }
  }
}

extension [FieldWrite] {
  /// Brings writes into the order of their registers, in which most come.
  fileprivate mutating func sortByName() {
    for index in indices.dropFirst() where self[index].name < self[index - 1].name {
      return sort { $0.name < $1.name }
    }
  }
}
