import SyncKitModel

/// What a check of one zone has found.
public struct ZoneVerification: Sendable {
  /// The zone.
  public var zone: ZoneID
  /// What is applied: the last number of each log, including unsealed own changes.
  public var vector: [(replica: ReplicaID, seq: UInt64)]
  /// A hash of the whole state; equal vectors have equal digests on any device, once all is sealed.
  public var digest: ContentHash
  /// What is wrong, as sentences.
  public var problems: [String]
}

extension SyncStore {
  /// What ``SyncStore/verify()`` does.
  func verifyEverything() throws -> [ZoneVerification] {
    try read { reader in
      // The other rows are read when they are needed, which may be in the next run.
      for table in Table.allCases where table != .record && table != .segment {
        try reader.storage.scan(table, prefix: [], after: nil) { _, _ in true }
      }
      let zones = try reader.zones().filter { !$0.value.isClosed }
      var indexProblems = try indexProblems(reader)
      return try zones.sorted { $0.key < $1.key }.map { id, zone in
        var problems: [String] = []
        let digest = try digest(of: id, reader, &problems)
        try checkSeries(of: id, zone, reader, &problems)
        // They are of all zones; the first one tells.
        problems += indexProblems
        indexProblems = []
        var vector = zone.vector.sorted.map { ($0.replica, $0.head.seq) }
        if zone.ownLast > zone.sealedLast {
          vector.removeAll { $0.0 == zone.own }
          vector.append((zone.own, zone.ownLast))
          vector.sort { $0.0 < $1.0 }
        }
        return ZoneVerification(zone: id, vector: vector, digest: digest, problems: problems)
      }
    }
  }

  /// The digest of a zone: over its records in order, with full names.
  private func digest(
    of id: ZoneID, _ reader: StoreReader, _ problems: inout [String]
  ) throws -> ContentHash {
    var running = ContentHash(high: 0, low: 0)
    var live: [CollectionName: Int] = [:]
    var writer = ByteWriter()
    var next: [UInt8]? = Keys.prefix(id)
    while let start = next {
      next = nil
      var at = start
      do {
        try reader.storage.scan(.record, prefix: Keys.prefix(id), after: start) { row, packed in
          at = row
          let key = try Keys.record(parsing: row)
          let state = try RecordState(packed: packed, reader.symbols)
          writer.write(text: key.collection.text)
          writer.write(text: key.id.text)
          state.writeCanonical(to: &writer)
          if writer.bytes.count > 1 << 16 {
            running = coding.chain(running, writer.bytes)
            writer = ByteWriter()
          }
          if rules.isVisible(state, in: key.collection) { live[key.collection, default: 0] += 1 }
          return true
        }
      } catch let error as SyncError
        where error.code == .storeDamaged || error.code == .formatDamaged
      {
        problems.append(error.message)
        if at != start { next = at }
      }
    }
    let counted = try reader.zone(id).live.filter { $0.value != 0 }
    if problems.isEmpty, counted != live {
      problems.append("The counts of records do not match the records.")
    }
    return coding.chain(running, writer.bytes)
  }

  private func checkSeries(
    of id: ZoneID, _ zone: ZoneState, _ reader: StoreReader, _ problems: inout [String]
  ) throws {
    var heads: [ReplicaID: Head] = [:]
    for row in try reader.logRows(id) {
      do {
        _ = try reader.chain(row)
        let expected = heads[row.series]
        let before = try expected.map(\.hash) ?? reader.hash(id, row.series, at: row.first - 1)
        let isNext = row.previous == before && row.first == (expected?.seq ?? row.first - 1) + 1
        // Hashes of what came as state may be missing between those that are here.
        if !isNext, !row.isHashIndex || row.first <= expected?.seq ?? 0 {
          problems.append("The series \(row.series) has a gap before change \(row.first).")
        }
      } catch let error as SyncError {
        problems.append("Segment \(row.arrival) of series \(row.series): \(error.message)")
      }
      heads[row.series] = Head(seq: row.last, hash: row.head)
    }
    for (series, head) in zone.vector.sorted where heads[series] != head {
      problems.append("The series \(series) does not lead to its head.")
    }
  }
}
