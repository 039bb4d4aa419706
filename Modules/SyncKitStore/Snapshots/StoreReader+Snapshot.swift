import SyncKitModel

extension StoreReader {
  /// For a device that was silent for so long not all hashes are kept any more: 180 days.
  private static let patience: Int64 = 180 * 86_400_000
  /// How many hashes stay behind what such a device has acknowledged, and behind any acknowledgement that
  /// many changes have followed: the device acknowledges again before it knows of that many more.
  private static let window: UInt64 = 256
  /// After so long nothing is kept for it any more: three years.
  private static let oblivion: Int64 = 1_096 * 86_400_000

  /// The state of a zone as a snapshot.
  ///
  /// - Parameters:
  ///   - id: The zone.
  ///   - domain: The domain it belongs to.
  ///   - least: The fewest hashes of each series; more where the state is large.
  ///   - ranges: Of which changes the hashes have to be in it besides.
  ///   - sizes: From when on it is several segments.
  ///   - now: Milliseconds, to tell which devices were silent for long.
  /// - Returns: nil when there is none to be made now: own changes are not sealed, or a fork is known.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  package func snapshot(
    of id: ZoneID, domain: String, keeping least: UInt64,
    reaching ranges: [ReplicaID: [ClosedRange<UInt64>]] = [:],
    divided sizes: SnapshotSizes = SnapshotSizes(), now: Int64
  ) throws -> Snapshot? {
    let zone = try zone(id)
    guard zone.isPublished, zone.ownLast == zone.sealedLast, zone.branches.isEmpty,
      !zone.vector.heads.isEmpty, !zone.isClosed
    else { return nil }
    var packer = BlockPacker(coding: coding)
    let devices = try storage.acknowledgements(in: id, zone, besides: device, symbols)
      .filter { now &- $0.last < Self.oblivion }
    // In a large state more of them are a small part of it all the same.
    let live = zone.live.filter { !Rules.isSystem($0.key) }.values.reduce(0, +)
    let least = max(least, UInt64(clamping: live / (2 * zone.vector.heads.count)))
    for (series, head) in zone.vector.sorted {
      let oldest = head.seq > least ? head.seq - least + 1 : 1
      var wanted = ranges[series] ?? []
      var start = oldest
      for device in devices {
        let seq = max(device.seen[series]?.seq ?? 0, 1)
        if now &- device.last >= Self.patience || head.seq > seq + 2 * least {
          wanted.append(seq...min(seq + Self.window - 1, head.seq))
        } else {
          start = min(start, seq)
        }
      }
      wanted.append(start...head.seq)
      for hashIndex in try hashIndexes(id, series, wanted.joined) { packer.append(hashIndex) }
    }
    try storage.scan(.record, prefix: Keys.prefix(id), after: nil) { row, packed in
      try packer.append(Keys.record(parsing: row), RecordState(packed: packed, symbols))
      return true
    }
    packer.close()
    let header = SnapshotHeader(
      vector: zone.vector, blocks: packer.blocks.count, records: packer.records,
      digest: packer.digest, hashIndexes: packer.hashIndexes, newest: packer.newest,
      versions: Dictionary(
        uniqueKeysWithValues: packer.collections.map { ($0, rules.version($0)) }))
    let series = header.series(id, domain, coding)
    var parts: [Segment] = []
    var hash = coding.root(zone: id, replica: series)
    var seq: UInt64 = 0
    for group in packer.parts(after: header.encoded, sizes) {
      var info = SegmentInfo(
        domain: domain, zone: id, series: series, first: seq + 1, last: seq + UInt64(group.count),
        previous: hash, head: hash, base: VersionVector(), operations: 0, deletions: 0,
        newest: packer.newest)
      for block in group { info.head = coding.chain(info.head, block) }
      parts.append(try coding.segment(info, changes: group))
      (hash, seq) = (info.head, info.last)
    }
    return try Snapshot(parts, coding: coding)
  }

  /// Of this many records more than a part is packed to estimate their size.
  private static let many = 4_096
  /// The sampled part: this many of each run of ``sampleStep`` records.
  private static let sampleLength = 64
  private static let sampleStep = 1_024

  /// About how many bytes the snapshot of a zone with many records would take, by a part of them; 0 for a
  /// zone with few.
  ///
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  package func estimatedSnapshotSize(of id: ZoneID, _ domain: String) throws -> Int {
    guard try zone(id).live.values.reduce(0, +) >= Self.many else { return 0 }
    var packer = BlockPacker(coding: coding)
    var (number, all, sampled) = (0, 0, 0)
    try storage.scan(.record, prefix: Keys.prefix(id), after: nil) { row, packed in
      all += packed.count
      if number % Self.sampleStep < Self.sampleLength {
        sampled += packed.count
        try packer.append(Keys.record(parsing: row), RecordState(packed: packed, symbols))
      }
      number += 1
      return true
    }
    packer.close()
    guard sampled > 0, !packer.blocks.isEmpty else { return 0 }
    let empty = ContentHash(high: 0, low: 0)
    let part = try coding.segment(
      SegmentInfo(
        domain: domain, zone: id, series: ReplicaID(high: 0, low: 0), first: 1,
        last: UInt64(packer.blocks.count), previous: empty, head: empty, base: VersionVector(),
        operations: 0, deletions: 0, newest: 0), changes: packer.blocks)
    return Int(Double(part.bytes.count) * Double(all) / Double(sampled))
  }

  /// The hashes of a series in some ranges of numbers, as far as they are here.
  private func hashIndexes(
    _ id: ZoneID, _ series: ReplicaID, _ ranges: [ClosedRange<UInt64>]
  ) throws -> [HashIndex] {
    var found: [HashIndex] = []
    for range in ranges {
      try logRows(id, series, after: range.lowerBound - 1) { row in
        guard row.first <= range.upperBound else { return false }
        let hashes = try chain(row)
        let first = max(range.lowerBound, row.first)
        let skipped = Int(first - row.first)
        let end = Int(min(range.upperBound, row.last) - row.first) + 1
        let previous = skipped == 0 ? row.previous : hashes[skipped - 1]
        if let last = found.last, last.last + 1 == first, last.head == previous {
          found[found.count - 1].hashes += hashes[skipped..<end]
        } else {
          found.append(
            HashIndex(
              series: series, first: first, previous: previous,
              hashes: Array(hashes[skipped..<end])))
        }
        return true
      }
    }
    return found.flatMap { hashIndex in
      stride(from: 0, to: hashIndex.hashes.count, by: HashIndex.most).map {
        hashIndex.part($0..<min($0 + HashIndex.most, hashIndex.hashes.count))
      }
    }
  }
}

/// Collects the blocks of a snapshot: outlines first, then records in order.
private struct BlockPacker {
  let coding: any SegmentCoding
  private var writer = SnapshotBlockWriter()
  private(set) var blocks: [[UInt8]] = []
  private(set) var digest = ContentHash(high: 0, low: 0)
  private(set) var hashIndexes = ContentHash(high: 0, low: 0)
  private(set) var records = 0
  private(set) var newest: UInt64 = 0
  private(set) var collections: Set<CollectionName> = []

  init(coding: any SegmentCoding) { self.coding = coding }

  mutating func append(_ hashIndex: HashIndex) {
    let block = hashIndex.block
    hashIndexes = coding.chain(hashIndexes, block)
    blocks.append(block)
  }

  mutating func append(_ key: RecordKey, _ state: RecordState) {
    guard !state.isEmpty else { return }
    writer.append(key, state)
    records += 1
    newest = max(newest, state.newest)
    collections.insert(key.collection)
    if writer.isFull { close() }
  }

  mutating func close() {
    guard !writer.isEmpty else { return }
    let block = writer.close()
    digest = coding.chain(digest, block)
    blocks.append(block)
  }

  /// The blocks in groups; the header by itself, so that it can be read without the rest, unless all
  /// of it is small.
  func parts(after header: [UInt8], _ sizes: SnapshotSizes) -> [[[UInt8]]] {
    if blocks.reduce(0, { $0 + $1.count }) <= sizes.undivided { return [[header] + blocks] }
    var groups: [[[UInt8]]] = [[header]]
    var size = sizes.part
    for block in blocks {
      if size + block.count > sizes.part {
        groups.append([])
        size = 0
      }
      groups[groups.count - 1].append(block)
      size += block.count
    }
    return groups
  }
}

extension RecordState {
  /// The newest stamp in it, as in `Stamp.time`.
  fileprivate var newest: UInt64 {
    let values = registers.flatMap(\.siblings).map(\.stamp.time)
    return max(values.max() ?? 0, alive.map(\.stamp.time).max() ?? 0)
  }
}
