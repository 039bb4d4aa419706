/// Turns the state of records into what is shown.
struct RecordView {
  let rules: Rules
  /// The state of any record.
  let state: (RecordKey) throws -> RecordState
  /// Who a replica is.
  let device: (ZoneID, ReplicaID) throws -> DeviceName
  /// Fields of the record that never leave the device.
  let local: (RecordKey) throws -> ValueMap
  /// Whether a zone may leave the device.
  let isPublished: (ZoneID) throws -> Bool

  func record(_ key: RecordKey, _ state: RecordState) throws -> Record {
    let origins =
      state.alive.map { ($0.stamp, $0.dot.replica) }
      + state.registers.flatMap(\.siblings).map { ($0.stamp, $0.dot.replica) }
    let newest = origins.max { $0.0 < $1.0 }
    let created = state.alive.filter { $0.kind == .created }.map(\.stamp).min()
    return Record(
      key: key,
      fields: fields(key, state).merging(
        try local(key).members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, local in local }),
      parent: rules.parent(of: state, key),
      created: (created ?? origins.map(\.0).min())?.milliseconds ?? 0,
      modified: newest?.0.milliseconds ?? 0,
      device: try newest.map { try device(key.zone, $0.1) } ?? DeviceName(id: "", name: nil),
      scope: try isPublished(key.zone) ? .synced : .local,
      conflicts: rules.conflicted(state, in: key.collection),
      isDeleted: try !isVisible(key, state))
  }

  /// Whether the record and all of its ancestors exist; a cycle is cut.
  func isVisible(_ key: RecordKey, _ state: RecordState) throws -> Bool {
    guard rules.isVisible(state, in: key.collection) else { return false }
    var visited: Set<RecordKey> = [key]
    var next = rules.parent(of: state, key)
    while let ancestor = next, visited.insert(ancestor).inserted {
      let above = try self.state(ancestor)
      // An ancestor that is not here yet does not hide what is.
      if above.isEmpty { return true }
      guard rules.isVisible(above, in: ancestor.collection) else { return false }
      next = rules.parent(of: above, ancestor)
    }
    return true
  }

  private func fields(_ key: RecordKey, _ state: RecordState) -> [Name: Value] {
    let collection = rules[key.collection]
    var fields: [Name: Value] = [:]
    var sets: [Name: [Value]] = [:]
    for register in state.registers where register.name != .parent {
      let owner = collection?.owner(of: register.name)
      let shown = rules.shown(register, in: key.collection)
      if owner?.type == .set || (owner == nil && register.name.field != register.name) {
        sets[register.name.field, default: []].append(shown)
      } else if let owner, !owner.members.isEmpty, case .map(let members) = shown {
        for member in members.members where !member.value.isNull {
          fields[member.name] = member.value
        }
      } else if !shown.isNull {
        fields[register.name] = shown
      }
    }
    for (name, values) in sets { fields[name] = .list(values.sorted(by: Value.precedes)) }
    return fields
  }
}
