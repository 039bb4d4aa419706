import SyncKitModel

// A store keeps the snapshots with which it has begun: no other device may have what they stand for, and they
// go to every remote that lacks it.
extension LogLookup {
  /// Where the parts of the snapshots of a zone lie that this store has begun with.
  package func baseRows(_ zone: ZoneID) throws -> [LogRow] {
    let prefix = Keys.bases(zone)
    return try source.entries(.meta, prefix: prefix).map { try LogRow(key: $0, row: $1) }
  }

  /// A snapshot that this store has begun with.
  package func base(_ zone: ZoneID, _ series: ReplicaID) throws -> Snapshot? {
    let rows = try baseRows(zone).filter { $0.series == series }
    return try Snapshot(rows.map { try segment($0) }, coding: coding)
  }

  /// Whether all that leads to a vector is known here, in whatever names.
  package func isKnown(_ id: ZoneID, _ vector: VersionVector) throws -> Bool {
    try vector.heads.allSatisfy { try locate(id, $0, at: $1.seq, $1.hash) != nil }
  }

  /// A vector of others in the names of this store, parents of branches included; nil when
  /// something in it is not known here.
  package func local(_ id: ZoneID, _ vector: VersionVector) throws -> VersionVector? {
    try localContext(id, vector, after: (VersionVector(), VersionVector()))
  }
}

extension StoreTransaction {
  /// Keeps a snapshot, and forgets those that it covers; `vector` says that in the names of this store.
  func keepBase(_ snapshot: Snapshot, covering vector: VersionVector) throws {
    let id = snapshot.zone
    for (series, rows) in Dictionary(grouping: try baseRows(id), by: \.series) {
      // Equal names may be of two branches in two snapshots, so their own vectors do not tell.
      let former = try base(id, series).flatMap { try local(id, $0.header.vector) }
      guard series == snapshot.series || former.map(vector.covers) ?? false else { continue }
      for row in rows {
        try storage.delete(.segment, Keys.segment(row.arrival))
        try storage.delete(.meta, Keys.base(id, series, row.last))
      }
    }
    for part in snapshot.parts {
      let arrival = try nextArrival()
      try storage.put(.segment, Keys.segment(arrival), part.bytes)
      // A snapshot names nothing, and what came by an earlier one may name it.
      let row = LogRow(part, series: snapshot.series, arrival: arrival, order: 0)
      try storage.put(.meta, Keys.base(id, snapshot.series, row.last), row.encoded)
    }
  }
}

extension VersionVector {
  /// Whether every series of `other` is known here as far, and under the same hash where both end.
  package func includes(_ other: VersionVector) -> Bool {
    other.heads.allSatisfy { replica, head in
      guard let mine = heads[replica] else { return false }
      return mine.seq == head.seq ? mine.hash == head.hash : mine.seq > head.seq
    }
  }
}
