import SyncKitModel

// Two changes under one dot: a store was copied or restored and both went on. The series becomes
// a tree. At each parting the branch with the least hash keeps the id, each other one takes an id
// derived from its own first hash and keeps its numbers; so all devices agree without asking.
extension StoreTransaction {
  /// Finds the branch that the next change of a segment extends; passes over what is known.
  ///
  /// - Returns: False when the change before it is not known yet: the segment has to wait.
  package func place(
    _ incoming: inout IncomingSegment, rebase: inout Rebase, report: inout IngestReport
  ) throws -> Bool {
    let id = incoming.info.zone
    let wire = incoming.info.series
    incoming.series = nil
    while !incoming.isDone {
      let seq = incoming.nextSeq
      let hash = incoming.hashes[incoming.position]
      if try locate(id, wire, at: seq, hash) != nil {
        try incoming.pass()
        continue
      }
      if try isPruned(id, wire, at: seq) {
        // What follows in the same segment and is known here makes all before it the same.
        guard let known = try knownBehind(incoming, in: id) else { return false }
        while incoming.position < known { try incoming.pass() }
        continue
      }
      guard let found = try locate(id, wire, at: seq - 1, incoming.previousHash) else {
        return false
      }
      if wire == (try zone(id).own) {
        // Another store writes under this device's id: it is a copy, or this store was restored.
        report.overridden += try rebase.finish(self)
        try takeNewReplica(in: id)
        rebase = Rebase(id)
        report.forks += 1
        report.isCopyDetected = true
      }
      let series = try holder(of: seq - 1, from: found, in: id)
      if try self.hash(id, series, at: seq) == nil {
        incoming.series = series
      } else {
        // What was forgotten elsewhere is named by dots that may have other names afterwards.
        report.overridden += try rebase.finish(self)
        incoming.series = try part(series, at: seq, hash, in: id, report: &report)
        rebase = Rebase(id)
      }
      return true
    }
    return true
  }

  /// The place of the next change of a segment that is known here.
  private func knownBehind(_ incoming: IncomingSegment, in id: ZoneID) throws -> Int? {
    try incoming.hashes.indices.dropFirst(incoming.position + 1).first { index in
      try locate(
        id, incoming.info.series, at: incoming.info.first + UInt64(index), incoming.hashes[index])
        != nil
    }
  }

  /// The branch that holds `seq` itself: `series`, or the parent it left later.
  private func holder(
    of seq: UInt64, from series: ReplicaID, in id: ZoneID
  ) throws -> ReplicaID {
    var series = series
    while let branch = branch(series, in: try zone(id)), seq < branch.start {
      series = branch.parent
    }
    return series
  }

  /// The branch for a change that follows `seq - 1` of `series` and is not known.
  private func part(
    _ series: ReplicaID, at seq: UInt64, _ hash: ContentHash, in id: ZoneID,
    report: inout IngestReport
  ) throws -> ReplicaID {
    guard let known = try self.hash(id, series, at: seq) else { return series }
    let new = ReplicaID(high: hash.high, low: hash.low)
    // Found before, and what it begins with had to wait.
    if branch(new, in: try zone(id)) != nil { return new }
    report.forks += 1
    if hash < known {
      try rename(series, from: seq, to: ReplicaID(high: known.high, low: known.low), in: id)
      return series
    }
    var zone = try zone(id)
    let wire = branch(series, in: zone)?.wire ?? series
    zone.branches.append(Branch(id: new, wire: wire, parent: series, start: seq))
    setZone(id, zone)
    return new
  }

  /// Calls the changes of a series from `seq` on by another id, wherever they are named.
  private func rename(
    _ series: ReplicaID, from seq: UInt64, to new: ReplicaID, in id: ZoneID
  ) throws {
    let before = try hash(id, series, at: seq - 1)
    for row in try logRows(id, series) where row.last >= seq {
      try storage.delete(.series, Keys.series(id, series, row.last))
      if row.first < seq, row.isHashIndex {
        let whole = try hashIndex(row)
        try storage.delete(.meta, Keys.hashIndex(row.arrival))
        let middle = Int(seq - row.first)
        try append(whole.part(0..<middle), as: series, order: row.order, in: id)
        try append(whole.part(middle..<whole.hashes.count), as: new, order: row.order, in: id)
      } else if row.first < seq {
        let whole = try IncomingSegment(segment(row), coding: coding)
        try storage.delete(.segment, Keys.segment(row.arrival))
        let middle = Int(seq - row.first)
        try append(cut(whole, 0..<middle), as: series, order: row.order)
        try append(cut(whole, middle..<whole.changes.count), as: new, order: row.order)
      } else {
        var row = row
        row.series = new
        try storage.put(.series, Keys.series(id, new, row.last), row.encoded)
      }
    }
    try renameFormerEnds(series, from: seq, to: new, in: id)

    var zone = try zone(id)
    let wire = branch(series, in: zone)?.wire ?? series
    let last = try logRows(id, new).last
    zone.vector[new] = last.map { Head(seq: $0.last, hash: $0.head) }
    zone.vector[series] = seq > 1 ? before.map { Head(seq: seq - 1, hash: $0) } : nil
    for index in zone.branches.indices
    where zone.branches[index].parent == series && zone.branches[index].start > seq {
      zone.branches[index].parent = new
    }
    zone.branches.append(Branch(id: new, wire: wire, parent: series, start: seq))
    setZone(id, zone)

    let rename = { (dot: Dot) in
      dot.replica == series && dot.seq >= seq ? Dot(new, dot.seq) : dot
    }
    for (row, _) in try storage.entries(.record, prefix: Keys.prefix(id)) {
      _ = try record(Keys.record(parsing: row))
    }
    for key in loadedRecords where key.zone == id {
      let state = try record(key)
      let renamed = state.renamed(rename)
      if renamed != state { try setRecord(key, renamed) }
    }
  }
}
