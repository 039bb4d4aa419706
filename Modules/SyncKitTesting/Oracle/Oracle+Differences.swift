import SyncKit

extension Oracle {
  /// Where a replica's state is not what the model says, one sentence a record; empty if nowhere.
  ///
  /// Besides the values it checks the form, which is part of promise 2: everything sorted, nothing
  /// twice, nothing empty.
  package func differences(from states: [RecordKey: RecordState]) -> [String] {
    let expected = records()
    let found = states.filter { !$0.value.isEmpty }
    return Set(expected.keys).union(found.keys).sorted().compactMap { key in
      guard let state = found[key] else { return "\(key) is missing" }
      guard let record = expected[key] else { return "\(key) is known, but no device wrote it" }
      guard state.isInOrder else { return "\(key) is not in its one form: \(state)" }
      let found = OracleRecord(state)
      return found == record ? nil : "\(key) is \(found), but should be \(record)"
    }
  }
}

extension OracleRecord: CustomStringConvertible {
  package var description: String {
    let kinds = alive.sorted { $0.dot < $1.dot }.map { "\($0.kind)\(origin($0.dot, $0.stamp))" }
    let fields = registers.sorted { $0.key < $1.key }.map { name, siblings in
      let values = siblings.sorted { $0.dot < $1.dot }.map {
        "\($0.value)\(origin($0.dot, $0.stamp))"
      }
      return "\(name): \(values.joined(separator: " | "))"
    }
    let erased = erasures.sorted().map { "erased by \($0.replica)/\($0.seq)" }
    return "{\((kinds + fields + erased).joined(separator: ", "))}"
  }

  private func origin(_ dot: Dot, _ stamp: Stamp) -> String {
    let author = stamp.replica == dot.replica ? "" : " of \(stamp.replica)"
    return "@\(dot.replica)/\(dot.seq) at \(stamp.time)\(author)"
  }
}

extension RecordState {
  fileprivate var isInOrder: Bool {
    alive.map(\.dot).isAscending && registers.map(\.name).isAscending && erasures.isAscending
      && registers.allSatisfy { !$0.siblings.isEmpty && $0.siblings.map(\.dot).isAscending }
  }
}

extension Array where Element: Comparable {
  fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
