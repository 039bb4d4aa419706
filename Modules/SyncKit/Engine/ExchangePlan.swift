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
  ///   - reader: The store.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  init(
    _ inventory: Inventory, holding known: [ZoneID: VersionVector] = [:],
    withholding withheld: Set<ZoneID> = [], sized pieces: KnownPieces? = nil,
    _ reader: StoreReader
  ) throws {
    var rows: [Identity: SeriesRow] = [:]
    for (zone, state) in try reader.zones()
    where state.isPublished && inventory.erased[zone] == nil {
      for row in try reader.seriesRows(zone) {
        rows[
          Identity(
            zone: zone, series: row.wire, first: row.first, last: row.last, head: row.head)] = row
      }
    }

    var unknown: [Identity: [SegmentReference]] = [:]
    var covered: [Place: [ClosedRange<UInt64>]] = [:]
    for (zone, vector) in known {
      for (series, head) in vector.heads {
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
    for reference in inventory.segments
    where reference.first >= 1 && reference.first <= reference.last {
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
          guard !withheld.contains(place.zone) else { continue }
          lacking.append(row)
          zones[row.arrival] = place.zone
        }
      }
    }
    lacking.sort { ($0.order, $0.first) < ($1.order, $1.first) }
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
