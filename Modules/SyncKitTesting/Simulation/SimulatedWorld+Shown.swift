import SyncKit

// What a person sees, judged by the changes alone: marks and states take no part.
extension SimulatedWorld {
  /// Fails when a value is shown that was replaced by an author who had seen it, or that a deletion threw away
  /// or that is overridden while another value of the register stands.
  func checkNothingStaleIsShown(
    _ oracle: Oracle, _ zone: ZoneID, on device: SimulatedDevice
  ) throws {
    let deletions = Deletions(of: oracle)
    for (key, record) in oracle.records().sorted(by: { $0.key < $1.key }) {
      guard let type = device.store.domain.schema[key.collection],
        let shown = try device.store.record(key), !shown.isDeleted
      else { continue }
      for field in type.fields where !field.isLocal {
        let judge = FieldJudge(record: record, key: key, field: field, deletions: deletions)
        if let fault = judge.fault(of: shown) {
          throw SimulationBreach("\(key) \(field.name) shows \(fault)")
        }
      }
    }
  }
}

/// The deletions of records, with what their authors had seen.
private struct Deletions {
  private var contexts: [RecordKey: [(dot: Dot, context: VersionVector)]] = [:]

  init(of oracle: Oracle) {
    let heads = oracle.heads
    for (dot, change) in oracle.changes where dot.seq <= heads[dot.replica, default: 0] {
      for operation in change.operations where operation.kind == .delete {
        let key = RecordKey(
          zone: oracle.zone, collection: operation.collection, id: operation.id)
        contexts[key, default: []].append((dot, change.context))
      }
    }
  }

  /// Whether a deletion by a later change had seen a value of the record.
  func hadSeen(_ value: Dot, of key: RecordKey) -> Bool {
    contexts[key, default: []].contains { dot, context in
      value.replica == dot.replica
        ? value.seq < dot.seq : value.seq <= context[value.replica]?.seq ?? 0
    }
  }
}

private struct FieldJudge {
  let record: OracleRecord
  let key: RecordKey
  let field: Field
  let deletions: Deletions

  /// What is wrong with what a record shows of the field; nil for nothing.
  func fault(of shown: Record) -> String? {
    if field.type == .set { return faultOfElements(shown) }
    let standing = record.registers[field.name] ?? []
    let isFirm = { (sibling: Sibling) in !deletions.hadSeen(sibling.dot, of: key) }
    for value in values(of: shown) {
      let found = standing.filter { matches($0.value, value) }
      if found.isEmpty { return "\(SimulatedWorld.text(value)), which does not stand" }
      if !found.contains(where: isFirm), standing.contains(where: isFirm) {
        return "\(SimulatedWorld.text(value)), which was deleted, before what was not"
      }
      let ahead = standing.filter { isFirm($0) && !$0.marks.contains(.overridden) }
      if !ahead.isEmpty, found.isDisjoint(with: ahead) {
        return "\(SimulatedWorld.text(value)), which was overridden, before what it met"
      }
    }
    return nil
  }

  private func faultOfElements(_ shown: Record) -> String? {
    guard case .list(let elements) = shown[field.name] else { return nil }
    for element in elements {
      let standing = record.registers[.element(of: field.name, element)] ?? []
      if standing.isEmpty { return "the element \(SimulatedWorld.text(element)) that is removed" }
      let isDiscardedHere = standing.allSatisfy { deletions.hadSeen($0.dot, of: key) }
      if isDiscardedHere, record.alive.contains(where: { $0.kind == .created }) {
        return "the element \(SimulatedWorld.text(element)) of a record that was deleted"
      }
    }
    return nil
  }

  /// The values that are shown, one for most policies.
  private func values(of shown: Record) -> [Value] {
    if !field.members.isEmpty {
      let members = field.members.map { ($0.name, shown[$0.name]) }.filter { !$0.1.isNull }
      return members.isEmpty ? [] : [.map(ValueMap(members))]
    }
    let value = shown[field.name]
    if field.policy is KeepBothPolicy, case .list(let values) = value { return values }
    return value.isNull ? [] : [value]
  }

  /// Whether a standing value is what is shown; members that are unset are shown as nothing.
  private func matches(_ standing: Value, _ shown: Value) -> Bool {
    guard let map = standing.map, let wanted = shown.map else { return standing == shown }
    let names = Set(map.members.map(\.name) + wanted.members.map(\.name))
    return names.allSatisfy { (map[$0] ?? .null) == (wanted[$0] ?? .null) }
  }
}
