import SyncKitModel
import SyncKitStore

/// What store and remote lack of each other, by an inventory of the remote.
struct ExchangePlan {
  /// Segments to fetch; several references to one segment stand beside each other.
  var wanted: [[SegmentReference]] = []
  /// Segments to store on the remote, in an order in which nothing comes before what it names.
  var missing: [LogRow] = []
  /// What the remote holds of what is known here, by zone.
  var acknowledged: [ZoneID: VersionVector] = [:]

  /// Segments with an unknown end, among changes that are known as state.
  private(set) var pruned: [SegmentReference] = []
  /// All segments of changes in the inventory.
  private(set) var changes: [SegmentReference] = []

  /// Compares.
  ///
  /// What lies there of changes that are known here as state only, without their hashes, is not wanted; see
  /// ``PrunedHistoryCheck``.
  /// - Parameters:
  ///   - inventory: What the remote says, without what must not be taken of it.
  ///   - known: What else the remote has, when the inventory lists only what is new.
  ///   - withheld: Zones of which nothing is sent there.
  ///   - pieces: The sizes of the merged segments that this device has stored there.
  ///   - snapshots: What is known of snapshots, wherever they lie.
  ///   - reader: The store.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  init(
    _ inventory: Inventory, holding known: [ZoneID: VersionVector] = [:],
    withholding withheld: Set<ZoneID> = [], sized pieces: MergedSizes? = nil,
    knowing snapshots: [ReplicaID: KnownSnapshot] = [:], _ reader: StoreReader
  ) throws {
    var unknown: [SegmentIdentity: [SegmentReference]] = [:]
    var covered: [LogKey: [ClosedRange<UInt64>]] = [:]
    for (zone, vector) in known {
      for (series, head) in vector.heads {
        if let snapshot = snapshots[series], snapshot.zone == zone, head.seq >= snapshot.last {
          usableSnapshots.append(snapshot)
          acknowledged[zone, default: VersionVector()][series] = head
        }
        // A series may have another name now, and another branch may have its name; the hash tells.
        guard let series = try reader.locate(zone, series, at: head.seq, head.hash) else {
          continue
        }
        var line = VersionVector()
        try reader.add(series, head.seq, to: &line, in: zone)
        for (series, head) in line.heads where head.seq > 0 {
          covered[LogKey(zone: zone, series: series), default: []].append(1...head.seq)
        }
      }
    }
    for listing in SnapshotListing.find(in: inventory.segments) {
      guard let snapshot = snapshots[listing.series], snapshot.zone == listing.zone else {
        continue
      }
      listedSnapshots.append(snapshot)
      listings[listing.series] = listing
      guard let end = listing.parts.last, end.last >= snapshot.last else { continue }
      usableSnapshots.append(snapshot)
      acknowledged[listing.zone, default: VersionVector()][listing.series] = Head(
        seq: end.last, hash: end.head)
    }
    usableSnapshots.sort { ($0.zone, $0.series) < ($1.zone, $1.series) }
    // What a snapshot there stands for is there.
    for snapshot in usableSnapshots {
      guard let vector = try reader.local(snapshot.zone, snapshot.vector) else { continue }
      for (series, head) in vector.heads where head.seq > 0 {
        covered[LogKey(zone: snapshot.zone, series: series), default: []].append(1...head.seq)
      }
    }
    for reference in inventory.segments
    where !reference.series.isSnapshot && reference.first >= 1 && reference.first <= reference.last
    {
      let range = reference.first...reference.last
      if let series = try reader.locate(
        reference.zone, reference.series, at: reference.last, reference.head)
      {
        if let row = try reader.row(of: reference, in: series) {
          // A file of another size is cut off or not complete yet: it is written again.
          guard !reference.isIncomplete,
            reference.size == nil || reference.size == row.size || row.isHashIndex
          else {
            hasGaps = true
            continue
          }
          covered[LogKey(zone: reference.zone, series: row.series), default: []].append(range)
        } else if reference.isIncomplete {
          // The rest may never come.
          hasGaps = true
        } else if pieces?.contradict(reference) != true {
          covered[LogKey(zone: reference.zone, series: series), default: []].append(range)
        }
      } else if try reader.isPruned(reference.zone, reference.series, at: reference.last) {
        pruned.append(reference)
      } else {
        unknown[reference.identity, default: []].append(reference)
      }
    }
    changes = inventory.segments.filter {
      !$0.series.isSnapshot && $0.first >= 1 && $0.first <= $0.last
    }

    wanted = unknown.sorted { left, right in
      if left.key.zone != right.key.zone { return left.key.zone < right.key.zone }
      if left.key.series != right.key.series { return left.key.series < right.key.series }
      return left.key.first != right.key.first
        ? left.key.first < right.key.first : left.key.head < right.key.head
    }.map { $0.value.sorted { $0.location < $1.location } }

    for (zone, state) in try reader.zones()
    where state.isPublished && inventory.erased[zone] == nil {
      let isWithheld = withheld.contains(zone)
      let isBeginning = try bring(basesOf: zone, snapshots, covered, isWithheld, reader)
      for series in try reader.seriesNames(zone) {
        let ranges = (covered[LogKey(zone: zone, series: series)] ?? []).joined
        try compare(series, of: zone, ranges, isWithheld, isBeginning, reader)
      }
    }
    missing.sort { ($0.order, $0.first, $0.arrival) < ($1.order, $1.first, $1.arrival) }
  }

  /// The snapshots that are there, all of each.
  private(set) var usableSnapshots: [KnownSnapshot] = []
  /// The snapshots of which the inventory lists at least a part.
  private(set) var listedSnapshots: [KnownSnapshot] = []
  /// Where the parts are, as far as the inventory lists them.
  private(set) var listings: [ReplicaID: SnapshotListing] = [:]

  /// Counts the snapshots that this store has begun with as lacking, unless what they stand for is there.
  ///
  /// - Returns: Whether one is lacking: nothing is known then of what the store has only hashes of.
  private mutating func bring(
    basesOf zone: ZoneID, _ snapshots: [ReplicaID: KnownSnapshot],
    _ covered: [LogKey: [ClosedRange<UInt64>]], _ isWithheld: Bool, _ reader: StoreReader
  ) throws -> Bool {
    var isLacking = false
    let bases = Dictionary(grouping: try reader.baseRows(zone), by: \.series)
    for (_, rows) in bases.sorted(by: { $0.key < $1.key })
    where try !isThere(rows, of: zone, snapshots, covered, reader) {
      isLacking = true
      guard !isWithheld else { continue }
      missing += rows
      for row in rows { zones[row.arrival] = zone }
    }
    return isLacking
  }

  /// Whether a snapshot is there, or another one that covers it, or all of what it stands for.
  private func isThere(
    _ rows: [LogRow], of zone: ZoneID, _ snapshots: [ReplicaID: KnownSnapshot],
    _ covered: [LogKey: [ClosedRange<UInt64>]], _ reader: StoreReader
  ) throws -> Bool {
    guard let series = rows.first?.series else { return true }
    if usableSnapshots.contains(where: { $0.series == series }) { return true }
    let known =
      try snapshots[series]?.vector ?? reader.base(zone, series)?.header.vector
    guard let known, let vector = try reader.local(zone, known) else { return true }
    return vector.heads.allSatisfy { series, head in
      (covered[LogKey(zone: zone, series: series)] ?? []).joined
        .contains { $0.lowerBound <= 1 && $0.upperBound >= head.seq }
    }
  }

  /// Whether the remote lists something that ``acknowledged`` cannot express: later parts of a log without earlier
  /// ones, as on a remote that is being filled again, a part of a segment, or an incomplete file.
  private(set) var hasGaps = false
  /// The zone of each lacking segment, by arrival.
  private(set) var zones: [UInt64: ZoneID] = [:]

  /// Walks along a log; it skips what the remote has in one step, however many rows that are.
  private mutating func compare(
    _ series: ReplicaID, of zone: ZoneID, _ ranges: [ClosedRange<UInt64>], _ isWithheld: Bool,
    _ isBeginning: Bool, _ reader: StoreReader
  ) throws {
    var isContiguous = true
    var next: UInt64? = 0
    while let seq = next {
      next = nil
      var (end, known): (UInt64?, LogRow?)
      try reader.logRows(zone, series, after: seq) { row in
        let range = ranges.first { $0.lowerBound <= row.first && $0.upperBound >= row.last }
        if let range {
          (end, known) = (range.upperBound, row)
          return false
        }
        if row.isHashIndex, !isBeginning {
          (end, known) = (row.last, row)
          return false
        }
        isContiguous = false
        // A copy of this device may have brought a part of what is one segment here.
        hasGaps = hasGaps || ranges.contains { $0.overlaps(row.first...row.last) }
        if !isWithheld, !row.isHashIndex {
          missing.append(row)
          zones[row.arrival] = zone
        }
        return true
      }
      // There is none where hashes are missing; then it continues row by row.
      guard let end, let row = try reader.lastRow(zone, series, upTo: end) ?? known else {
        continue
      }
      hasGaps = hasGaps || !isContiguous
      if isContiguous {
        acknowledged[zone, default: VersionVector()][series] = Head(seq: row.last, hash: row.head)
      }
      next = row.last
    }
  }
}
