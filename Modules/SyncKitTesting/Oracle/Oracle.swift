import SyncKit

/// The sync model as a naive program: what a set of changes means, straight from the definition.
///
/// It keeps nothing but the changes and derives everything again whenever it is asked. It knows no
/// order of delivery, no repetition and no state that could go wrong, and it shares no code with
/// the merge that it judges: of SyncKit it uses the plain data types only. Where it disagrees with
/// a replica, one of them does not do what `Documentation/SyncModel.md` says.
///
/// The model of one zone:
///
/// 1. A change **counts** once all that its context names counts; until then it waits.
/// 2. A change **saw** another if its context or its place in their common series says so.
/// 3. A value **stands** unless a change that saw it writes over it; see ``OracleRecord``.
/// 4. What is **shown** is chosen from the standing values on read: by delete rule, by rank (a value that a
///    deletion saw comes last, an overridden one before it) and by policy.
package struct Oracle: Sendable {
  /// The zone whose changes these are.
  package let zone: ZoneID
  /// The changes by their dots: a set, so neither order nor repetition of ``insert(_:at:)`` counts.
  package private(set) var changes: [Dot: Change] = [:]

  /// Makes the model of a zone without changes.
  package init(zone: ZoneID = .home) { self.zone = zone }

  /// Takes note of a change.
  ///
  /// Two different changes under one dot are a fork, which the model does not know.
  package mutating func insert(_ change: Change, at dot: Dot) { changes[dot] = change }

  /// The model for a device that has received no more than what `vector` covers.
  package func seen(by vector: VersionVector) -> Oracle {
    var part = Oracle(zone: zone)
    part.changes = changes.filter { dot, _ in dot.seq <= vector[dot.replica]?.seq ?? 0 }
    return part
  }

  /// How far each series counts: as far as everything that its changes name is here too.
  package var heads: [ReplicaID: UInt64] {
    var heads: [ReplicaID: UInt64] = [:]
    let series = Set(changes.keys.map(\.replica))
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for replica in series {
        let next = heads[replica, default: 0] + 1
        guard let change = changes[Dot(replica, next)] else { continue }
        let isReady = change.context.heads.allSatisfy { other, head in
          other == replica || head.seq <= heads[other, default: 0]
        }
        if isReady {
          heads[replica] = next
          hasGrown = true
        }
      }
    }
    return heads
  }

  /// The changes that do not count yet, because something that they name is missing.
  package var waiting: Set<Dot> {
    let heads = heads
    return Set(changes.keys.filter { $0.seq > heads[$0.replica, default: 0] })
  }

  /// What is known of every record that a change names, and that was not forgotten.
  package func records() -> [RecordKey: OracleRecord] {
    let heads = heads
    var writings: [RecordKey: [Dot: Writing]] = [:]
    for (dot, change) in changes where dot.seq <= heads[dot.replica, default: 0] {
      for operation in change.operations {
        let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
        writings[key, default: [:]][dot, default: Writing(dot: dot, change: change)].add(operation)
      }
    }
    return writings.mapValues { OracleRecord(Array($0.values)) }.filter { !$0.value.isEmpty }
  }
}

/// What one change says about one record, its operations taken together.
private struct Writing {
  let dot: Dot
  let context: VersionVector
  let stamp: Stamp
  /// The alive value that it writes.
  var alive: AliveSibling?
  /// The kinds of alive values that it writes over, if it saw them.
  var coveredKinds: Set<AliveKind> = []
  /// The registers that it writes over, if it saw their values.
  var coveredNames: Set<FieldName> = []
  /// Whether it writes over all registers.
  var coversAllNames = false
  /// The values that it leaves behind.
  var values: [FieldName: Sibling] = [:]
  var erases = false
  /// Whether it throws away the values that it saw.
  var deletes = false

  init(dot: Dot, change: Change) {
    self.dot = dot
    context = change.context
    stamp = change.stamp
  }

  func saw(_ other: Writing) -> Bool {
    if other.dot.replica == dot.replica { return other.dot.seq < dot.seq }
    return other.dot.seq <= context[other.dot.replica]?.seq ?? 0
  }

  mutating func add(_ operation: RecordOperation) {
    // An import says itself when something happened; the change's author remains.
    let stamp = operation.stamp.map { Stamp(time: $0, replica: self.stamp.replica) } ?? self.stamp
    let (kind, covered) = Self.meaning(of: operation.kind)
    coveredKinds.formUnion(covered)
    // Of two operations the later replaces the earlier, unless that one says something stronger.
    if alive.map({ covered.contains($0.kind) }) ?? true {
      alive = kind.map { AliveSibling(dot: dot, stamp: stamp, kind: $0) }
    }
    let isWhole = operation.kind == .create || operation.kind == .restore
    let coversAll = isWhole || operation.kind == .forget
    if coversAll || operation.kind == .erase { values = [:] }
    if coversAll { coversAllNames = true }
    if operation.kind == .erase { erases = true }
    if operation.kind == .delete {
      deletes = true
      for name in values.keys { values[name]?.marks.insert(.discarded) }
    }
    if operation.kind == .erase || operation.kind == .forget { return }
    for write in operation.writes {
      coveredNames.insert(write.name)
      // In a record written whole, unset is no statement: any concurrent value beats it.
      let value = isWhole ? write.value.flatMap { $0.isNull ? nil : $0 } : write.value
      values[write.name] = value.map {
        Sibling(dot: dot, stamp: stamp, value: $0, marks: write.isOverridden ? .overridden : [])
      }
    }
  }

  /// What a kind of operation writes into the alive register, and what it writes over there.
  private static func meaning(of kind: OperationKind) -> (AliveKind?, covers: Set<AliveKind>) {
    let all = Set(AliveKind.allCases)
    return switch kind {
    case .create, .restore: (.created, all)
    case .edit: (.edited, all.subtracting([.created]))
    case .touch: (.touched, [.touched])
    case .delete: (.deleted, all)
    case .erase: (.erased, all)
    case .forget: (nil, all)
    }
  }
}

/// What stands of a record: the values that no later change has written over.
package struct OracleRecord: Hashable, Sendable {
  /// The standing values of the alive register.
  package var alive: Set<AliveSibling> = []
  /// The standing values of each field, group or set element; registers without any are left out.
  package var registers: [FieldName: Set<Sibling>] = [:]
  /// All changes that erase the record, whatever happened later.
  package var erasures: Set<Dot> = []

  /// Whether nothing stands, as of a record that was forgotten.
  fileprivate var isEmpty: Bool { alive.isEmpty && registers.isEmpty && erasures.isEmpty }

  fileprivate init(_ writings: [Writing]) {
    for mine in writings {
      let others = writings.filter { $0.dot != mine.dot }
      let later = others.filter { $0.saw(mine) }
      if let value = mine.alive, !later.contains(where: { $0.coveredKinds.contains(value.kind) }) {
        alive.insert(value)
      }
      if mine.erases { erasures.insert(mine.dot) }
      // Only a change that knows of an erasure can bring content back.
      if others.contains(where: { $0.erases && !mine.saw($0) }) { continue }
      for (name, var value) in mine.values
      where !later.contains(where: { $0.coversAllNames || $0.coveredNames.contains(name) }) {
        if later.contains(where: \.deletes) { value.marks.insert(.discarded) }
        registers[name, default: []].insert(value)
      }
    }
  }

  /// Puts the state that SyncKit keeps into the model's terms, to be compared.
  package init(_ state: RecordState) {
    alive = Set(state.alive)
    for register in state.registers { registers[register.name] = Set(register.siblings) }
    erasures = Set(state.erasures)
  }
}

// MARK: What is shown

extension OracleRecord {
  /// The alive value that counts: the newest of the strongest kind there is.
  package func shown(_ rule: DeleteRule) -> AliveSibling? {
    let order: [Set<AliveKind>] =
      switch rule {
      case .editWins: [[.erased], [.created, .edited], [.deleted], [.touched]]
      case .deleteWins: [[.erased], [.created], [.deleted], [.edited], [.touched]]
      case .newest: [[.erased], [.created, .edited, .deleted], [.touched]]
      }
    for kinds in order {
      let candidates = alive.filter { kinds.contains($0.kind) }
      let newest = candidates.max { ($0.stamp, $0.dot) < ($1.stamp, $1.dot) }
      if let newest { return newest }
    }
    return nil
  }

  /// Whether the record itself is there for a reader; its ancestors are another matter.
  package func exists(_ rule: DeleteRule) -> Bool {
    switch shown(rule)?.kind {
    case .created, .edited, .touched: true
    case .deleted, .erased, nil: false
    }
  }

  /// The value that each register shows; one that shows null is unset and left out.
  package func shown(_ policy: (FieldName) -> any ConflictPolicy) -> [FieldName: Value] {
    var shown: [FieldName: Value] = [:]
    for name in registers.keys {
      let candidates = candidates(name)
      guard !candidates.isEmpty else { continue }
      let value = policy(name).shown(candidates)
      if !value.isNull { shown[name] = value }
    }
    return shown
  }

  /// The values of a register that may show, in the order of their dots: of what counts, what is not overridden.
  package func candidates(_ name: FieldName) -> [Sibling] {
    let kept = kept(registers[name] ?? [])
    let firm = kept.filter { !$0.marks.contains(.overridden) }
    return (firm.isEmpty ? kept : firm).sorted { $0.dot < $1.dot }
  }

  /// What counts of a register: what no deletion saw; else all of it, unless the record was created beside the
  /// deletion and so says itself that the field is unset.
  private func kept(_ siblings: Set<Sibling>) -> Set<Sibling> {
    let kept = siblings.filter { !$0.marks.contains(.discarded) }
    if !kept.isEmpty { return kept }
    return alive.contains { $0.kind == .created } ? [] : siblings
  }

  /// The registers in conflict: two or more distinct values, where not all of them are meant to be.
  package func conflicts(_ policy: (FieldName) -> any ConflictPolicy) -> Set<FieldName> {
    Set(
      registers.filter { name, siblings in
        Set(kept(siblings).map(\.value)).count > 1 && !["max", "min"].contains(policy(name).name)
          && !name.text.utf8.contains(0)
      }.keys)
  }
}

extension Oracle {
  /// The way from a record to its parent, with the stamp of the value that says so.
  package typealias ParentEdge = (parent: RecordKey, stamp: Stamp)

  /// Whether a reader sees a record: it is there, and so are all its ancestors.
  ///
  /// A parent that no device has written is not known to be deleted. Where parents run in a circle,
  /// the edge with the greatest stamp does not count. `records` is what ``records()`` says, `rule`
  /// tells a collection's delete rule, `parent` a record's parent.
  package static func isVisible(
    _ key: RecordKey, in records: [RecordKey: OracleRecord], rule: (CollectionName) -> DeleteRule,
    parent: (RecordKey, OracleRecord) -> ParentEdge?
  ) -> Bool {
    var path: [(key: RecordKey, edge: ParentEdge?)] = []
    var next: RecordKey? = key
    while let here = next, !path.contains(where: { $0.key == here }) {
      let edge = records[here].flatMap { parent(here, $0) }
      path.append((here, edge))
      next = edge?.parent
    }
    if let start = path.firstIndex(where: { $0.key == next }) {
      let edges = path.indices[start...].compactMap { index in
        path[index].edge.map { (stamp: $0.stamp, key: path[index].key, index: index) }
      }
      let cut = edges.max { ($0.stamp, $0.key) < ($1.stamp, $1.key) }
      if let cut { path.removeSubrange((cut.index + 1)...) }
    }
    return path.allSatisfy { step in
      guard let record = records[step.key] else { return step.key != key }
      return record.exists(rule(step.key.collection))
    }
  }
}
