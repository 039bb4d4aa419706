/// What store and remote lack of each other, by an inventory of the remote.
struct ExchangePlan {
  /// Segments to fetch; several references to one segment stand beside each other.
  var wanted: [[SegmentReference]] = []
  /// Segments to store on the remote, in an order in which nothing comes before what it names.
  var lacking: [SeriesRow] = []
  /// What the remote holds of what is known here, by zone.
  var held: [ZoneID: VersionVector] = [:]

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
    var unknown: [SegmentIdentity: [SegmentReference]] = [:]
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
      if let series = try reader.locate(
        reference.zone, reference.series, at: reference.last, reference.head)
      {
        if let row = try reader.row(of: reference, in: series) {
          // A file of another size is cut off or not complete yet: it is written again.
          guard reference.size == nil || reference.size == row.size else {
            hasGaps = true
            continue
          }
          covered[Place(zone: reference.zone, series: row.series), default: []].append(range)
        } else if pieces?.contradict(reference) != true {
          covered[Place(zone: reference.zone, series: series), default: []].append(range)
        }
      } else {
        unknown[reference.identity, default: []].append(reference)
      }
    }

    wanted = unknown.sorted { left, right in
      if left.key.zone != right.key.zone { return left.key.zone < right.key.zone }
      if left.key.series != right.key.series { return left.key.series < right.key.series }
      return left.key.first != right.key.first
        ? left.key.first < right.key.first : left.key.head < right.key.head
    }.map { $0.value.sorted { $0.location < $1.location } }

    for (zone, state) in try reader.zones()
    where state.isPublished && inventory.erased[zone] == nil {
      for series in try reader.seriesNames(zone) {
        let ranges = Self.joined(covered[Place(zone: zone, series: series)] ?? [])
        try compare(series, of: zone, ranges, isWithheld: withheld.contains(zone), reader)
      }
    }
    lacking.sort { ($0.order, $0.first) < ($1.order, $1.first) }
  }

  /// Whether the remote tells of something that ``held`` cannot: later parts of a series without earlier
  /// ones, as one has that is being filled again, or a file that is not complete yet.
  private(set) var hasGaps = false
  /// The zone of each lacking segment, by arrival.
  private(set) var zones: [UInt64: ZoneID] = [:]

  /// Walks along a series; over what the remote has it goes in one step, however many rows that are.
  private mutating func compare(
    _ series: ReplicaID, of zone: ZoneID, _ ranges: [ClosedRange<UInt64>], isWithheld: Bool,
    _ reader: StoreReader
  ) throws {
    var isContiguous = true
    var next: UInt64? = 0
    while let seq = next {
      next = nil
      var end: UInt64?
      try reader.seriesRows(zone, series, after: seq) { row in
        let range = ranges.first { $0.lowerBound <= row.first && $0.upperBound >= row.last }
        if let range {
          end = range.upperBound
          return false
        }
        isContiguous = false
        if !isWithheld {
          lacking.append(row)
          zones[row.arrival] = zone
        }
        return true
      }
      guard let end, let row = try reader.lastRow(zone, series, upTo: end) else { continue }
      hasGaps = hasGaps || !isContiguous
      if isContiguous {
        held[zone, default: VersionVector()][series] = Head(seq: row.last, hash: row.head)
      }
      next = row.last
    }
  }

  /// The same numbers in as few ranges as can be, in order.
  private static func joined(_ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    var joined: [ClosedRange<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound - 1 <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
