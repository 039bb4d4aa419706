import SyncKitModel
import SyncKitStore

/// Finds the zones in which the changes on a remote do not lead from what is known here to a snapshot there:
/// those of a new device, and of a device that was away for too long.
///
/// A device that begins with the snapshot need not fetch the changes that it covers. A device that synced a
/// while ago applies the changes, and has their history.
struct UnreachedSnapshots {
  private(set) var zones: Set<ZoneID> = []

  init(_ plan: ExchangePlan, _ reader: StoreReader) throws {
    guard !plan.usableSnapshots.isEmpty else { return }
    let wanted = Dictionary(grouping: plan.wanted.compactMap(\.first), by: \.zone)
    for (zone, snapshots) in Dictionary(grouping: plan.usableSnapshots, by: \.zone) {
      let there = snapshots.filter { plan.listings[$0.series] != nil }
      let best = there.max { ($0.vector.changes, $0.series) < ($1.vector.changes, $1.series) }
      let state = try reader.zone(zone)
      // Where logs have branches, a name is not enough.
      guard let best, state.branches.isEmpty, try !reader.isKnown(zone, best.vector) else {
        continue
      }
      let ranges = Dictionary(grouping: wanted[zone] ?? [], by: \.series)
        .mapValues { $0.map { $0.first...$0.last } }
      let isReached = best.vector.heads.allSatisfy { series, head in
        let known = state.vector[series]?.seq ?? 0
        guard known < head.seq else { return true }
        let found = (ranges[series] ?? []) + (known > 0 ? [1...known] : [])
        return found.joined.contains { $0.lowerBound <= known + 1 && $0.upperBound >= head.seq }
      }
      if !isReached { zones.insert(zone) }
    }
  }
}
