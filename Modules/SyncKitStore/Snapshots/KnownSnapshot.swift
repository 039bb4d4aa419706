import SyncKitModel

/// What a store knows of a snapshot that lies, or lay, on a remote.
package struct KnownSnapshot: Hashable, Sendable {
  package let zone: ZoneID
  package let series: ReplicaID
  /// What it covers, in its author's names.
  package var vector: VersionVector
  /// The number of its last block.
  package var last: UInt64
  /// Whether this device has written it.
  package var isOwn: Bool

  package init(_ zone: ZoneID, _ series: ReplicaID, _ header: SnapshotHeader, isOwn: Bool = false) {
    self.zone = zone
    self.series = series
    vector = header.vector
    last = UInt64(header.blocks) + 1
    self.isOwn = isOwn
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(vector)
    writer.write(varint: last)
    writer.write(byte: isOwn ? 1 : 0)
    return writer.bytes
  }

  fileprivate init(key: [UInt8], row: [UInt8]) throws {
    let name = key.dropFirst(Keys.snapshots.count)
    guard name.count > 17 else { throw Keys.damaged("the list of snapshots") }
    zone = ZoneID(String(decoding: name.dropLast(17), as: UTF8.self))
    let id = Array(name.suffix(16))
    series = ReplicaID(high: UInt64(bigEndian: id[0..<8]), low: UInt64(bigEndian: id[8..<16]))
    (vector, last, isOwn) = try row.reading { reader in
      (try reader.vector(), try reader.varint(), try reader.byte() == 1)
    }
  }
}

extension StorageReader {
  /// The snapshots that this device has seen, by series.
  package func knownSnapshots() throws -> [ReplicaID: KnownSnapshot] {
    var known: [ReplicaID: KnownSnapshot] = [:]
    for (key, row) in try entries(.meta, prefix: Keys.snapshots) {
      let snapshot = try KnownSnapshot(key: key, row: row)
      known[snapshot.series] = snapshot
    }
    return known
  }
}

extension SyncStore {
  /// Remembers a snapshot.
  package func note(_ snapshot: KnownSnapshot) throws {
    try storage.write {
      try $0.put(.meta, Keys.snapshot(snapshot.zone, snapshot.series), snapshot.encoded)
    }
  }

  /// Forgets snapshots that were removed.
  package func forget(_ snapshots: [(zone: ZoneID, series: ReplicaID)]) throws {
    guard !snapshots.isEmpty else { return }
    try storage.write { writer in
      for item in snapshots { try writer.delete(.meta, Keys.snapshot(item.zone, item.series)) }
    }
  }
}

extension LogLookup {
  /// Whether a later snapshot, which is known here, stands for an earlier one, whose hashes need not be
  /// known: not when another change has one of its numbers, so that it belongs to another branch.
  package func stands(_ later: KnownSnapshot, for earlier: KnownSnapshot) throws -> Bool {
    let zone = earlier.zone
    guard later.zone == zone, later.vector.includes(earlier.vector) else { return false }
    return try earlier.vector.heads.allSatisfy { name, head in
      guard let end = later.vector[name], let series = try locate(zone, name, at: end.seq, end.hash)
      else { return false }
      let known = try hash(zone, series, at: head.seq)
      return known == nil || known == head.hash
    }
  }
}

/// A snapshot as a remote lists it.
package struct SnapshotListing: Hashable {
  package let zone: ZoneID
  package let series: ReplicaID
  /// One reference for each part that a reader needs, in order; nothing behind a gap, or behind a part that is not whole.
  package let parts: [SegmentReference]
  /// All references, copies included.
  package let all: [SegmentReference]

  /// The number of the last block before a gap.
  package var last: UInt64 { parts.last?.last ?? 0 }
  package var size: Int { parts.reduce(0) { $0 + ($1.size ?? 0) } }

  /// Finds the snapshots among references.
  package static func find(in references: [SegmentReference]) -> [SnapshotListing] {
    let groups = Dictionary(grouping: references.filter(\.series.isSnapshot)) {
      $0.log
    }
    return groups.map { place, references in
      var parts: [SegmentReference] = []
      var next: UInt64 = 1
      let sorted = references.sorted {
        ($0.first, $0.last, $0.location) < ($1.first, $1.last, $1.location)
      }
      for reference in sorted
      where reference.first == next && reference.last >= next && !reference.isIncomplete {
        parts.append(reference)
        next = reference.last + 1
      }
      return SnapshotListing(
        zone: place.zone, series: place.series, parts: parts, all: references)
    }.sorted { ($0.zone, $0.series) < ($1.zone, $1.series) }
  }
}
