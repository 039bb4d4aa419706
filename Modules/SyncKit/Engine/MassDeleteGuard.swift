/// Stops a pull that would delete a large part of a zone.
public struct MassDeleteGuard: Sendable {
  /// Below so many deletions the guard never acts.
  public static let floor = 50

  /// The greatest part of a zone's records that a pull may delete, from 0 to 1.
  public var share: Double

  /// Makes a guard; 1 lets everything through.
  public init(share: Double = 0.2) { self.share = share }

  /// Refuses the segments of a zone that would hide more of its records than allowed.
  ///
  /// - Throws: ``SyncError`` `guard.mass-delete`.
  func check(_ segments: [Segment], of zone: ZoneID, in reader: StoreReader) throws {
    guard segments.reduce(0, { $0 + $1.info.deletions }) > Self.floor else { return }
    let state = try reader.zone(zone)
    let live = state.live.filter { !Rules.isSystem($0.key) }.values.reduce(0, +)
    let hidden = try hiddenRecords(segments, zone, reader)
    guard hidden > Self.floor, Double(hidden) > Double(live) * share else { return }
    throw SyncError(
      .massDelete,
      "The remote would delete \(hidden) of \(live) records; nothing of this zone was applied.",
      hint: "If this is what you want, run 'cloudsync sync --allow-mass-delete'.")
  }

  private func hiddenRecords(
    _ segments: [Segment], _ zone: ZoneID, _ reader: StoreReader
  ) throws -> Int {
    var last: [RecordKey: (stamp: Stamp, hides: Bool)] = [:]
    for segment in segments {
      // A merged segment brings deletions once more that somebody may have taken back since.
      for change in try reader.unknownChanges(in: segment) {
        for operation in change.operations
        where operation.kind != .touch && operation.kind != .forget {
          let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
          if let known = last[key], known.stamp > change.stamp { continue }
          last[key] = (change.stamp, operation.kind == .delete || operation.kind == .erase)
        }
      }
    }
    var hidden = 0
    for (key, fate) in last where fate.hides {
      if reader.rules.isVisible(try reader.state(key), in: key.collection) { hidden += 1 }
    }
    return hidden
  }
}
