import SyncKitModel

/// Stops a pull that would delete a large part of a zone.
public struct MassDeleteGuard: Sendable {
  /// Below this number of deletions the guard never acts.
  public static let floor = 50

  /// The greatest part of a zone's records that a pull may delete, from 0 to 1.
  public var share: Double

  /// Makes a guard; 1 lets everything through.
  public init(share: Double = 0.2) { self.share = share }

  /// Refuses the segments of a zone that would hide more of its records than allowed.
  ///
  /// - Throws: ``SyncError`` `guard.mass-delete`.
  package func check(_ segments: [Segment], of zone: ZoneID, in reader: StoreReader) throws {
    guard segments.reduce(0, { $0 + $1.info.deletions }) > Self.floor else { return }
    let state = try reader.zone(zone)
    let live = state.live.filter { !Rules.isSystem($0.key) }.values.reduce(0, +)
    try check(hidden: hiddenRecords(segments, zone, reader), of: live)
  }

  /// Refuses what would hide more records than allowed.
  ///
  /// - Throws: ``SyncError`` `guard.mass-delete`.
  package func check(hidden: Int, of live: Int) throws {
    guard hidden > Self.floor, Double(hidden) > Double(live) * share else { return }
    throw SyncError(
      .massDelete,
      "The remote would delete \(hidden) of \(live) records; nothing of this zone was applied.",
      hint: "If this is what you want, run 'cloudsync sync --allow-mass-delete'.")
  }

  /// How many records would not be visible any more.
  ///
  /// What brings a record back counts only if it can be applied now: a deletion that comes first is seen
  /// for as long as the rest is awaited. A deletion that has to wait counts as well, since it will come.
  private func hiddenRecords(
    _ segments: [Segment], _ zone: ZoneID, _ reader: StoreReader
  ) throws -> Int {
    var changes: [Dot: Change] = [:]
    for segment in segments {
      for item in try reader.unknownChanges(in: segment) { changes[item.dot] = item.change }
    }
    var vector = try reader.zone(zone).vector
    var states: [RecordKey: RecordState] = [:]
    var waiting: Set<RecordKey> = []
    // Nothing has an earlier stamp than what its author had seen.
    for (dot, change) in changes.sorted(by: { ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key) })
    {
      let last = vector[dot.replica]?.seq ?? 0
      let isReady = dot.seq == last + 1 && vector.covers(change.context)
      if isReady { vector[dot.replica] = Head(seq: dot.seq, hash: ContentHash(high: 0, low: 0)) }
      let context = WriteContext(dot: dot, seen: change.context)
      for operation in change.operations where operation.isOfDomain {
        let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
        if isReady {
          var state = try states[key] ?? reader.state(key)
          state.apply(operation, stamp: change.stamp, in: context)
          states[key] = state
        } else if operation.kind == .delete || operation.kind == .erase {
          waiting.insert(key)
        }
      }
    }
    return try waiting.union(states.keys).filter { key in
      guard reader.rules.isVisible(try reader.state(key), in: key.collection) else { return false }
      guard !waiting.contains(key), let state = states[key] else { return true }
      return !reader.rules.isVisible(state, in: key.collection)
    }.count
  }
}
