import SyncKitModel

// The ends of former segments whose changes are now known as state only. A remote may list such segments for
// years and names each by its last change, so a known end means that it need not be fetched again.
extension LogLookup {
  /// The numbers of one row.
  private static var block: UInt64 { 1_024 }

  /// The hash of a change that was the last one of a segment; nil when that is not known.
  func formerEnd(_ zone: ZoneID, _ series: ReplicaID, at seq: UInt64) throws -> ContentHash? {
    try formerEnds(Self.key(zone, series, seq))[seq]
  }

  /// Whether a change is known as state only, and its hash is not known any more.
  package func isPruned(_ zone: ZoneID, _ series: ReplicaID, at seq: UInt64) throws -> Bool {
    guard seq < (try self.zone(zone).vector[series]?.seq ?? 0) else { return false }
    return try hash(zone, series, at: seq) == nil
  }

  fileprivate func formerEnds(_ key: [UInt8]) throws -> [UInt64: ContentHash] {
    if let known = chains.ends[key] { return known }
    var ends: [UInt64: ContentHash] = [:]
    if let row = try source.get(.meta, key) {
      ends = try row.reading { reader in
        var ends: [UInt64: ContentHash] = [:]
        for _ in 0..<(try reader.count(of: 17)) { ends[try reader.varint()] = try reader.hash() }
        return ends
      }
    }
    chains.ends[key] = ends
    return ends
  }

  fileprivate static func key(_ zone: ZoneID, _ series: ReplicaID, _ seq: UInt64) -> [UInt8] {
    Keys.ends(zone, series, seq / block)
  }
}

extension StoreTransaction {
  /// Remembers the last changes of segments whose hashes are not kept otherwise.
  package func noteFormerEnds(
    _ ends: [(seq: UInt64, hash: ContentHash)], of series: ReplicaID, in id: ZoneID
  ) throws {
    let rows = Dictionary(grouping: ends) { Self.key(id, series, $0.seq) }
    for (key, new) in rows.sorted(by: { $0.key.precedes($1.key) }) {
      var known = try formerEnds(key)
      for end in new { known[end.seq] = end.hash }
      try putFormerEnds(known, key)
    }
  }

  /// Calls what ended at a number or behind it by another name.
  func renameFormerEnds(
    _ series: ReplicaID, from start: UInt64, to new: ReplicaID, in id: ZoneID
  ) throws {
    var moved: [(seq: UInt64, hash: ContentHash)] = []
    for (key, _) in try storage.entries(.meta, prefix: Keys.ends(id, series)) {
      let known = try formerEnds(key)
      let later = known.filter { $0.key >= start }
      guard !later.isEmpty else { continue }
      moved += later.map { ($0.key, $0.value) }
      try putFormerEnds(known.filter { $0.key < start }, key)
    }
    if !moved.isEmpty { try noteFormerEnds(moved, of: new, in: id) }
  }

  private func putFormerEnds(_ ends: [UInt64: ContentHash], _ key: [UInt8]) throws {
    chains.ends[key] = ends
    guard !ends.isEmpty else { return try storage.delete(.meta, key) }
    var writer = ByteWriter(reserving: 20 * ends.count + 8)
    writer.write(count: ends.count)
    for (seq, hash) in ends.sorted(by: { $0.key < $1.key }) {
      writer.write(varint: seq)
      writer.write(hash)
    }
    try storage.put(.meta, key, writer.bytes)
  }
}
