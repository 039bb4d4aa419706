/// Names a log among all zones: the changes of one replica in one zone, or the parts of one snapshot.
package struct LogKey: Hashable, Comparable, Sendable {
  package let zone: ZoneID
  package let series: ReplicaID

  package init(zone: ZoneID, series: ReplicaID) {
    self.zone = zone
    self.series = series
  }

  package static func < (left: LogKey, right: LogKey) -> Bool {
    (left.zone, left.series) < (right.zone, right.series)
  }
}

extension SegmentReference {
  /// The log whose changes the segment has.
  package var log: LogKey { LogKey(zone: zone, series: series) }
}
