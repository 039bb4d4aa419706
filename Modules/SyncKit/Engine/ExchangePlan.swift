/// What store and remote lack of each other, by an inventory of the remote.
struct ExchangePlan {
  /// Segments to fetch; several references to one segment stand beside each other.
  var wanted: [[SegmentReference]] = []
  /// Segments to store on the remote, in an order in which nothing comes before what it names.
  var lacking: [SeriesRow] = []
  /// What the remote holds of what is known here, by zone.
  var held: [ZoneID: VersionVector] = [:]

  private struct Identity: Hashable {
    let zone: ZoneID
    let series: ReplicaID
    let first: UInt64
    let last: UInt64
    let head: ContentHash
  }

  private struct Place: Hashable {
    let zone: ZoneID
    let series: ReplicaID
  }

  /// Compares.
  ///
  /// - Parameters:
  ///   - inventory: What the remote says, without what must not be taken of it.
  ///   - known: What the remote has besides, when the inventory tells only what is new.
  ///   - withheld: Zones of which nothing is to be brought there.
  ///   - pieces: The sizes of the merged segments that this device has stored there.
  ///   - snapshots: What is known of snapshots, wherever they lie.
  ///   - reader: The store.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  init(
    _ inventory: Inventory, holding known: [ZoneID: VersionVector] = [:],
    withholding withheld: Set<ZoneID> = [], sized pieces: KnownPieces? = nil,
    knowing snapshots: [ReplicaID: KnownSnapshot] = [:], _ reader: StoreReader
  ) throws {
    var rows: [Identity: SeriesRow] = [:]
    var outlines: [Place: [SeriesRow]] = [:]
    var bases: [(zone: ZoneID, rows: [SeriesRow])] = []
    for (zone, state) in try reader.zones()
    where state.isPublished && inventory.erased[zone] == nil {
      bases += Dictionary(grouping: try reader.baseRows(zone), by: \.series).values
        .map { (zone, $0) }
      for row in try reader.seriesRows(zone) {
        if row.isOutline {
          outlines[Place(zone: zone, series: row.series), default: []].append(row)
          continue
        }
        rows[
          Identity(
            zone: zone, series: row.wire, first: row.first, last: row.last, head: row.head)] = row
      }
    }

    var unknown: [Identity: [SegmentReference]] = [:]
    var covered: [Place: [ClosedRange<UInt64>]] = [:]
    for (zone, vector) in known {
      for (series, head) in vector.heads {
        if let snapshot = snapshots[series], snapshot.zone == zone, head.seq >= snapshot.last {
          standing.append(snapshot)
          held[zone, default: VersionVector()][series] = head
        }
        // A series may be called otherwise by now, and another branch by its name; the hash tells.
        guard let series = try reader.locate(zone, series, at: head.seq, head.hash) else {
          continue
        }
        var line = VersionVector()
        try reader.add(series, head.seq, to: &line, in: zone)
        for (series, head) in line.heads where head.seq > 0 {
          covered[Place(zone: zone, series: series), default: []].append(1...head.seq)
        }
      }
    }
    for listing in SnapshotListing.find(in: inventory.segments) {
      guard let snapshot = snapshots[listing.series], snapshot.zone == listing.zone,
        let end = listing.parts.last, end.last >= snapshot.last
      else { continue }
      standing.append(snapshot)
      listings[listing.series] = listing
      held[listing.zone, default: VersionVector()][listing.series] = Head(
        seq: end.last, hash: end.head)
    }
    // What a snapshot there stands for is there.
    for snapshot in standing {
      guard let vector = try reader.local(snapshot.zone, snapshot.vector) else { continue }
      for (series, head) in vector.heads where head.seq > 0 {
        covered[Place(zone: snapshot.zone, series: series), default: []].append(1...head.seq)
      }
    }
    for reference in inventory.segments
    where !reference.series.isSnapshot && reference.first >= 1 && reference.first <= reference.last {
      let range = reference.first...reference.last
      let identity = Identity(
        zone: reference.zone, series: reference.series, first: reference.first,
        last: reference.last, head: reference.head)
      if let row = rows[identity] {
        // A file of another size is cut off or not complete yet: it is written again.
        if reference.size == nil || reference.size == row.size {
          covered[Place(zone: reference.zone, series: row.series), default: []].append(range)
        } else {
          hasGaps = true
        }
      } else if let series = try reader.locate(
        reference.zone, reference.series, at: reference.last, reference.head)
      {
        if pieces?.contradict(reference) == true { continue }
        covered[Place(zone: reference.zone, series: series), default: []].append(range)
      } else {
        unknown[identity, default: []].append(reference)
      }
    }

    wanted = unknown.sorted { left, right in
      if left.key.zone != right.key.zone { return left.key.zone < right.key.zone }
      if left.key.series != right.key.series { return left.key.series < right.key.series }
      return left.key.first != right.key.first
        ? left.key.first < right.key.first : left.key.head < right.key.head
    }.map { $0.value.sorted { $0.location < $1.location } }

    var series: [Place: [SeriesRow]] = [:]
    for (identity, row) in rows {
      series[Place(zone: identity.zone, series: row.series), default: []].append(row)
    }
    var beginning: Set<ZoneID> = []
    for (zone, rows) in bases {
      guard try !isThere(rows, of: zone, snapshots, covered, reader) else { continue }
      beginning.insert(zone)
      guard !withheld.contains(zone) else { continue }
      lacking += rows
      for row in rows { zones[row.arrival] = zone }
    }
    for (place, rows) in outlines {
      series[place, default: []] += rows
      // Of what this store has begun with, nothing is known but that it is there.
      guard !beginning.contains(place.zone) else { continue }
      covered[place, default: []] += rows.map { $0.first...$0.last }
    }
    for (place, rows) in series {
      let ranges = (covered[place] ?? []).sorted { $0.lowerBound < $1.lowerBound }
      var isContiguous = true
      for row in rows.sorted(by: { $0.first < $1.first }) {
        if Self.cover(ranges, row.first...row.last) {
          hasGaps = hasGaps || !isContiguous
          if isContiguous {
            held[place.zone, default: VersionVector()][place.series] = Head(
              seq: row.last, hash: row.head)
          }
        } else {
          isContiguous = false
          guard !withheld.contains(place.zone), !row.isOutline else { continue }
          lacking.append(row)
          zones[row.arrival] = place.zone
        }
      }
    }
    lacking.sort { ($0.order, $0.first) < ($1.order, $1.first) }
  }

  /// The snapshots that are there, all of each.
  private(set) var standing: [KnownSnapshot] = []
  /// Where their parts are, as far as the inventory tells.
  private(set) var listings: [ReplicaID: SnapshotListing] = [:]

  /// Whether a snapshot is there, or another one that covers it, or all of what it stands for.
  private func isThere(
    _ rows: [SeriesRow], of zone: ZoneID, _ snapshots: [ReplicaID: KnownSnapshot],
    _ covered: [Place: [ClosedRange<UInt64>]], _ reader: StoreReader
  ) throws -> Bool {
    guard let series = rows.first?.series else { return true }
    if standing.contains(where: { $0.series == series }) { return true }
    let known = try snapshots[series]?.vector
      ?? Snapshot(rows.map { try reader.segment($0) }, coding: reader.coding)?.header.vector
    guard let known, let vector = try reader.local(zone, known) else { return true }
    return vector.heads.allSatisfy { series, head in
      let ranges = (covered[Place(zone: zone, series: series)] ?? [])
        .sorted { $0.lowerBound < $1.lowerBound }
      return Self.cover(ranges, 1...head.seq)
    }
  }

  /// Whether the remote tells of something that ``held`` cannot: later parts of a series without earlier
  /// ones, as one has that is being filled again, or a file that is not complete yet.
  private(set) var hasGaps = false
  /// The zone of each lacking segment, by arrival.
  private(set) var zones: [UInt64: ZoneID] = [:]

  private static func cover(
    _ ranges: [ClosedRange<UInt64>], _ wanted: ClosedRange<UInt64>
  ) -> Bool {
    var next = wanted.lowerBound
    for range in ranges where range.lowerBound <= next && range.upperBound >= next {
      if range.upperBound >= wanted.upperBound { return true }
      next = range.upperBound + 1
    }
    return false
  }
}
