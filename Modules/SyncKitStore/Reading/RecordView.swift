import SyncKitModel

/// Turns the state of records into what is shown.
package struct RecordView {
  package let rules: Rules
  /// The state of any record.
  package let state: (RecordKey) throws -> RecordState
  /// The device of a replica.
  package let device: (ZoneID, ReplicaID) throws -> DeviceName
  /// Fields of the record that never leave the device.
  package let local: (RecordKey) throws -> ValueMap
  /// Where a zone's data may be.
  package let scope: (ZoneID) throws -> (Record.Scope, ZoneAccess?)

  package func record(_ key: RecordKey, _ state: RecordState) throws -> Record {
    let writes = Writes(of: state, in: key.collection, rules)
    let isDeleted = try !isVisible(key, state)
    let (scope, access) = try scope(key.zone)
    let content = try content(key, state, of: rules[key.collection])
    return Record(
      key: key, fields: content.fields, others: content.others,
      parent: rules.parent(of: state, key),
      created: (writes.created ?? writes.oldest)?.milliseconds ?? 0,
      modified: writes.newest?.stamp.milliseconds ?? 0,
      device: try writes.newest.map { try device(key.zone, $0.author) }
        ?? DeviceName(id: "", name: nil),
      scope: scope, access: access,
      conflicts: rules.conflicted(state, in: key.collection),
      isDeleted: isDeleted,
      isOrphan: isDeleted && rules.isVisible(state, in: key.collection))
  }

  /// The fields of a record of a type as a query sees them; nil if it does not exist.
  func fields(
    _ key: RecordKey, _ state: RecordState, of type: RecordType?
  ) throws -> [FieldName: Value]? {
    guard try isVisible(key, state) else { return nil }
    return try content(key, state, of: type).fields
  }

  private func content(
    _ key: RecordKey, _ state: RecordState, of type: RecordType?
  ) throws -> RecordContent {
    var content = RecordContent(state, of: type, rules, key.collection)
    if type?.hasLocalFields != false {
      for member in try local(key).members { content.fields[member.name] = member.value }
    }
    return content
  }

  /// When a record was written, and by whom last.
  private struct Writes {
    /// When it was made first, as far as that is known.
    private(set) var created: Stamp?
    private(set) var oldest: Stamp?
    private(set) var newest: (stamp: Stamp, author: ReplicaID)?

    init(of state: RecordState, in collection: CollectionName, _ rules: Rules) {
      let hidden = rules.hiddenDots(of: state, in: collection)
      for sibling in state.alive {
        if sibling.kind == .created { created = min(created ?? sibling.stamp, sibling.stamp) }
        if !hidden.contains(sibling.dot) { add(sibling.stamp, sibling.dot) }
      }
      for register in state.registers {
        for sibling in register.siblings where !hidden.contains(sibling.dot) {
          add(sibling.stamp, sibling.dot)
        }
      }
    }

    private mutating func add(_ stamp: Stamp, _ dot: Dot) {
      oldest = min(oldest ?? stamp, stamp)
      if let newest, newest.stamp >= stamp { return }
      newest = (stamp, dot.replica)
    }
  }

  /// Whether the record and all of its ancestors exist.
  ///
  /// Concurrent moves can close a circle; it is cut at the edge with the greatest stamp, and the
  /// record above the cut has no parent.
  package func isVisible(_ key: RecordKey, _ state: RecordState) throws -> Bool {
    guard rules.isVisible(state, in: key.collection) else { return false }
    guard var next = rules.parent(of: state, key) else { return true }
    var line: [(key: RecordKey, state: RecordState)] = [(key, state)]
    while true {
      if let start = line.firstIndex(where: { $0.key == next }) {
        let circle = start..<line.count
        let cut =
          circle.max { (edge(line[$0].state), line[$0].key) < (edge(line[$1].state), line[$1].key) }
          ?? start
        return line[...cut].allSatisfy { rules.isVisible($0.state, in: $0.key.collection) }
      }
      let above = try self.state(next)
      line.append((next, above))
      // An ancestor that is not here yet does not hide what is.
      guard !above.isEmpty, let further = rules.parent(of: above, next) else { break }
      next = further
    }
    return line.allSatisfy {
      $0.state.isEmpty || rules.isVisible($0.state, in: $0.key.collection)
    }
  }

  /// The stamp of the write that set a record's parent.
  private func edge(_ state: RecordState) -> Stamp {
    let stamps = (state.current(.parent)?.candidates ?? []).map(\.stamp)
    return stamps.max() ?? Stamp(time: 0, replica: ReplicaID(high: 0, low: 0))
  }
}
