import SyncKitModel

/// How long a store keeps what was deleted.
package struct Retention: Sendable {
  private static let day: Int64 = 86_400_000

  /// How long a deletion is kept after every device has acknowledged it: 30 days, in milliseconds.
  package var deleted = 30 * day
  /// A device that was silent for this long delays nothing: 180 days.
  package var silence = 180 * day
  /// How often a store looks for records that may expire: once a week.
  package var pause = 7 * day

  /// The usual times.
  package init() {}
}

// Deleted records expire. An expiry is a change like any other: it drops what its author had seen, so all
// devices apply it, and an edit that its author had not seen stays.
extension StoreTransaction {
  /// The most records that expire at a time.
  private static let most = 10_000

  /// Expires deleted records of a zone, with their trees, once every device has acknowledged the deletion.
  ///
  /// A device that is away for long delays nothing. It may come back with an edit of such a record; then it
  /// writes again what the others have dropped.
  func forgetDeleted(in id: ZoneID, _ retention: Retention, besides own: Device) throws {
    let now = environment.now()
    let state = try zone(id)
    guard state.isPublished, state.branches.isEmpty, try source.sharedZones()[id] == nil,
      state.live.contains(where: { !Rules.isSystem($0.key) })
    else { return }
    let last = try storage.get(.meta, Keys.forgot(id)).map { try $0.reading { try $0.signed() } }
    if let last, (last...last + retention.pause).contains(now) { return }
    var time = ByteWriter()
    time.write(signed: now)
    try storage.put(.meta, Keys.forgot(id), time.bytes)
    guard last != nil else { return }

    try flushRecords()
    guard let known = try knownEverywhere(id, state, retention, now, besides: own) else { return }
    let settled = { (state: RecordState) in
      let dots = state.alive.map(\.dot) + state.registers.flatMap { $0.siblings.map(\.dot) }
      let newest = state.alive.map(\.stamp.milliseconds).max() ?? .max
      return state.erasures.isEmpty && newest <= now &- retention.deleted
        && dots.allSatisfy(known.covers)
    }
    let author = BatchAuthor(self, batch: BatchID(from: environment))
    for key in try forgettable(in: id, where: settled).prefix(Self.most) {
      try author.append(RecordOperation(.forget, key.collection, key.id), in: id)
    }
    try author.finish()
  }

  /// What every active device has applied; nil when it is unknown which devices are active.
  private func knownEverywhere(
    _ id: ZoneID, _ zone: ZoneState, _ retention: Retention, _ now: Int64, besides own: Device
  ) throws -> VersionVector? {
    let devices = try storage.acknowledgements(in: id, zone, besides: own, symbols)
    let active = devices.filter { now &- $0.last < retention.silence }
    // When all other devices seem to be silent, this device's clock may be wrong.
    guard devices.isEmpty || !active.isEmpty else { return nil }
    var known = zone.vector
    for (series, head) in known.heads {
      let least = active.map { $0.seen[series]?.seq ?? 0 }.min() ?? head.seq
      known[series] = least == 0 ? nil : Head(seq: min(least, head.seq), hash: head.hash)
    }
    return known
  }

  /// The deleted records of which all that belongs to their trees is settled, each tree as a whole.
  private func forgettable(
    in id: ZoneID, where isSettled: (RecordState) -> Bool
  ) throws -> [RecordKey] {
    var deleted: Set<RecordKey> = []
    var children: [RecordKey: [(key: RecordKey, isSettled: Bool)]] = [:]
    try storage.scan(.record, prefix: Keys.prefix(id), after: nil) { row, packed in
      let key = try Keys.record(parsing: row)
      guard let type = rules[key.collection], type.placement != .local else { return true }
      let state = try RecordState(packed: packed, symbols)
      let isSettled = isSettled(state)
      if !type.parents.isEmpty, let parent = rules.parent(of: state, key) {
        children[parent, default: []].append((key, isSettled))
      }
      if isSettled, type.placement != .root,
        rules[key.collection]?.deleteRule.shown(state.alive)?.kind == .deleted
      {
        deleted.insert(key)
      }
      return true
    }
    var all: Set<RecordKey> = []
    for root in deleted {
      var tree: Set<RecordKey> = [root]
      var open = [root]
      var isWhole = true
      while isWhole, let key = open.popLast() {
        for child in children[key] ?? [] where tree.insert(child.key).inserted {
          isWhole = isWhole && child.isSettled
          open.append(child.key)
        }
      }
      if isWhole { all.formUnion(tree) }
    }
    return all.sorted()
  }
}
