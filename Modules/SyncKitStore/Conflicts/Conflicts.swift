import SyncKitModel

/// A register in which two or more distinct values stand beside each other.
public struct Conflict: Sendable {
  /// One of the values.
  public struct Candidate: Sendable {
    /// The value; a map for a group.
    public var value: Value
    /// Its author.
    public var device: DeviceName
    /// Milliseconds since 1970 of the write.
    public var at: Int64
    /// Whether this device wrote it.
    public var isMine: Bool
    /// Whether another value has overridden it (rebase policy `remoteWins`).
    public var isOverridden: Bool
    /// Whether it was written more than five minutes in the future, by the clock of this device.
    public var isAhead: Bool
  }

  /// The record.
  public var key: RecordKey
  /// The field or group.
  public var field: FieldName
  /// Whether a person has to choose; otherwise it is settled and only listed.
  public var needsDecision: Bool
  /// Whether a stamp in the future chooses what is shown: one clock is wrong, so a person has to choose.
  public var isDecidedByWrongClock: Bool
  /// What is shown.
  public var shown: Value
  /// The values, newest first, each once.
  public var candidates: [Candidate]
}

extension SyncStore {
  /// What ``SyncStore/conflicts()`` does.
  func listConflicts() throws -> [Conflict] {
    try read { reader in
      var conflicts: [Conflict] = []
      for (row, _) in try reader.storage.entries(.conflict) {
        let key = try Keys.record(parsing: row)
        let state = try reader.state(key)
        guard try reader.view.isVisible(key, state) else { continue }
        for name in rules.conflicted(state, in: key.collection) {
          guard let register = state.current(name) else { continue }
          conflicts.append(try conflict(key, register, reader))
        }
      }
      return conflicts
    }
  }

  private func conflict(
    _ key: RecordKey, _ register: Register, _ reader: StoreReader
  ) throws -> Conflict {
    let own = try reader.zone(key.zone).own
    let now = environment.now()
    let rivals = rules.candidates(register, in: key.collection)
    var candidates: [Conflict.Candidate] = []
    for sibling in rules.fitting(register, in: key.collection).sorted(by: Sibling.newer)
    where !candidates.contains(where: { $0.value == sibling.value }) {
      candidates.append(
        Conflict.Candidate(
          value: sibling.value, device: try reader.view.device(key.zone, sibling.dot.replica),
          at: sibling.stamp.milliseconds, isMine: sibling.dot.replica == own,
          isOverridden: !rivals.contains { $0.value == sibling.value },
          isAhead: Stamp.isAhead(sibling.stamp.milliseconds, of: now)))
    }
    // A value that stands only beside overridden ones is decided.
    let isOpen = Register(name: register.name, siblings: rivals).isConflicted
    let isByWrongClock =
      isOpen && rules.isDecidedByWrongClock(register, in: key.collection, now: now)
    return Conflict(
      key: key, field: register.name,
      needsDecision: isByWrongClock
        || isOpen && rules.policy(key.collection, register.name).needsDecision,
      isDecidedByWrongClock: isByWrongClock, shown: rules.shown(register, in: key.collection),
      candidates: candidates)
  }
}
