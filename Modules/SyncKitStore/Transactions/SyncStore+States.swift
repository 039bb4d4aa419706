import SyncKitModel

extension SyncStore {
  /// The whole state of every record of a zone, the engine's own records included.
  ///
  /// Not for apps: the simulator compares it with its model, value by value.
  package func states(in zone: ZoneID) throws -> [RecordKey: RecordState] {
    try read { reader in
      var states: [RecordKey: RecordState] = [:]
      for (row, packed) in try reader.storage.entries(.record, prefix: Keys.prefix(zone)) {
        states[try Keys.record(parsing: row)] = try RecordState(packed: packed, reader.symbols)
      }
      return states
    }
  }

  /// The zones that hold records here, and whether each of them may leave the device.
  ///
  /// Not for apps: the simulator follows what people publish and withdraw.
  package func openZones() throws -> [ZoneID: Bool] {
    try storage.read { reader in
      try reader.zoneStates().filter { !$0.value.isClosed }.mapValues(\.isPublished)
    }
  }
}

/// The hashes of changes that are known as state only, where a snapshot or a store keeps them.
///
/// Not for apps: the simulator follows with them what has become of edits.
package enum KnownHashes {
  /// Those that a part of a snapshot holds; nothing for a segment of changes.
  package static func of(_ segment: Segment, _ coding: any SegmentCoding) throws -> [ContentHash] {
    guard segment.info.series.isSnapshot else { return [] }
    // Its first block is the header.
    return try coding.changes(of: segment).dropFirst(segment.info.first == 1 ? 1 : 0)
      .flatMap { try HashIndex(block: $0)?.hashes ?? [] }
  }

  /// Those that a store has instead of changes.
  package static func of(_ storage: any StorageReader) throws -> Set<ContentHash> {
    var found: Set<ContentHash> = []
    for (_, row) in try storage.entries(.meta, prefix: Keys.hashIndexes) {
      found.formUnion(try row.reading { try $0.hashes() })
    }
    return found
  }
}
