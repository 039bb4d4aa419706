import SyncKitModel

extension StoreTransaction {
  /// Joins the state of a zone with a snapshot of it.
  ///
  /// Afterwards the zone has what either side has; a value is dropped only where the other side has seen and
  /// replaced it. Unsealed own changes meet new values by the rules of a rebase. The logs are known
  /// afterwards by their hashes, so forks are found and named as usual.
  /// - Parameters:
  ///   - snapshot: The other state.
  ///   - guard: Stops a join that hides too much.
  /// - Returns: What was done; nil when the snapshot has nothing new.
  /// - Throws: ``SyncError`` `trust.fork` when it is unknown whether a log here and there is the same,
  ///   `format.newer`, `guard.mass-delete`; nothing was changed then.
  package func join(_ snapshot: Snapshot, guardedBy guard: MassDeleteGuard?) throws -> IngestReport?
  {
    let id = snapshot.zone
    guard try !isKnown(id, snapshot.header.vector) else { return nil }
    for (collection, version) in snapshot.header.versions
    where rules[collection] != nil && version > rules.version(collection) {
      throw SyncError(
        .formatNewer,
        "A snapshot of \(id) holds records of a newer version of '\(collection)'.",
        hint: "Upgrade cloudsync on this device.")
    }
    var report = IngestReport()
    let before = try zone(id).vector
    var rebase = Rebase(id)
    var former: HashIndex?
    for hashIndex in try snapshot.hashIndexes() {
      try adopt(
        hashIndex, after: former?.series == hashIndex.series ? former : nil, in: id,
        rebase: &rebase,
        report: &report)
      former = hashIndex
    }
    // Both in the names that they bear from now on.
    guard let here = try local(id, before),
      let there = try local(id, snapshot.header.vector)
    else { throw Keys.damaged("a series") }
    try keepBase(snapshot, covering: there)
    let names = try DotNames(snapshot.header.vector, in: id, self)

    let live = try zone(id).live.filter { !Rules.isSystem($0.key) }.values.reduce(0, +)
    var merge = StateMerge(here: here, there: there)
    var left: Set<RecordKey> = []
    try storage.scan(.record, prefix: Keys.prefix(id), after: nil) { row, _ in
      left.insert(try Keys.record(parsing: row))
      return true
    }
    // What was renamed or written just now may not be in the table yet.
    for key in loadedRecords where key.zone == id { left.insert(key) }
    try snapshot.forEachRecord { key, theirs in
      left.remove(key)
      try merge.run(key, names.isPlain ? theirs : theirs.renamed(names.rename), &rebase, self)
    }
    for key in left.sorted() { try merge.run(key, RecordState(), &rebase, self) }
    try `guard`?.check(hidden: merge.hidden, of: live)
    try flushRecords()

    var zone = try zone(id)
    zone.unacknowledged += UInt64(max(merge.changed, 1))
    setZone(id, zone)
    clock.observe(snapshot.header.newest, now: environment.now())
    try noteHistory(since: Int64(clamping: snapshot.header.newest >> 16), in: id)
    report.overridden += try rebase.finish(self)
    report.operations += merge.changed
    return report
  }

  /// Extends the series by what an outline knows of it.
  ///
  /// `former` is the part of the same series before it: hashes between the two may be missing.
  private func adopt(
    _ hashIndex: HashIndex, after former: HashIndex?, in id: ZoneID, rebase: inout Rebase,
    report: inout IngestReport
  ) throws {
    var incoming = IncomingSegment(hashIndex, of: id)
    let zone = try zone(id)
    if hashIndex.first > 1, zone.own != hashIndex.series, zone.vector[hashIndex.series] == nil,
      !zone.branches.contains(where: { $0.wire == hashIndex.series })
    {
      incoming.series = hashIndex.series
    } else if try !place(&incoming, rebase: &rebase, report: &report) {
      // Where this store ends with the former part, it is known to be the same series up to here.
      guard let former, let series = try locate(id, hashIndex.series, at: former.last, former.head),
        try self.zone(id).vector[series]?.seq == former.last
      else {
        throw SyncError(
          .fork,
          "The series \(hashIndex.series) continues elsewhere, and this device cannot tell whether it is the same.",
          hint:
            "Sync a device that has the whole history, or move this store away and sync again.")
      }
      incoming.series = series
    }
    guard !incoming.isDone, let series = incoming.series else { return }
    try append(hashIndex.part(incoming.position..<hashIndex.hashes.count), as: series, in: id)
  }
}

/// What dots of a snapshot are called here.
private struct DotNames {
  /// Of each series that has branches here: which of them holds the changes up to a number.
  private var names: [ReplicaID: [(last: UInt64, branch: ReplicaID)]] = [:]

  /// Whether all are called as in the snapshot.
  var isPlain: Bool { names.isEmpty }

  init(_ vector: VersionVector, in id: ZoneID, _ transaction: StoreTransaction) throws {
    let zone = try transaction.zone(id)
    for (series, head) in vector.heads where zone.branches.contains(where: { $0.wire == series }) {
      guard var name = try transaction.locate(id, series, at: head.seq, head.hash) else { continue }
      var spans: [(last: UInt64, branch: ReplicaID)] = []
      var last = head.seq
      while let branch = transaction.branch(name, in: zone) {
        if branch.start <= last { spans.append((last, name)) }
        last = min(last, branch.start - 1)
        name = branch.parent
      }
      spans.append((last, name))
      names[series] = spans.reversed()
    }
  }

  func rename(_ dot: Dot) -> Dot {
    guard let span = names[dot.replica]?.first(where: { dot.seq <= $0.last }) else { return dot }
    return Dot(span.branch, dot.seq)
  }
}

/// Joins the records of two states.
private struct StateMerge {
  let here: VersionVector
  let there: VersionVector
  private(set) var hidden = 0
  private(set) var changed = 0
  private var pending = 0

  /// The most joined records that are kept before they are written.
  private static let chunk = 4_000

  init(here: VersionVector, there: VersionVector) {
    self.here = here
    self.there = there
  }

  mutating func run(
    _ key: RecordKey, _ theirs: RecordState, _ rebase: inout Rebase,
    _ transaction: StoreTransaction
  ) throws {
    let former = try transaction.record(key)
    let wasVisible = transaction.rules.isVisible(former, in: key.collection)
    let joined = former.joined(here, with: theirs, there)
    guard joined != former else { return }
    if former.isForgotten(in: theirs, by: there) {
      rebase.keep(former.concurrentWithDeletion(leaving: joined), forgottenElsewhere: key)
    }
    try transaction.setRecord(key, joined)
    try rebase.meet(key, joined, transaction)
    if !Rules.isSystem(key.collection) {
      changed += 1
      if wasVisible, !transaction.rules.isVisible(joined, in: key.collection) { hidden += 1 }
    }
    pending += 1
    if pending >= Self.chunk {
      try transaction.flushRecords()
      pending = 0
    }
  }
}

extension RecordState {
  /// Whether the record has expired on a device that had seen it, whatever others have written to it.
  fileprivate func isForgotten(in theirs: RecordState, by vector: VersionVector) -> Bool {
    guard !alive.isEmpty, !theirs.alive.contains(where: { $0.kind == .created }) else {
      return false
    }
    func isGone(_ dot: Dot, _ rest: [Dot]) -> Bool { vector.covers(dot) && !rest.contains(dot) }
    let seen = registers.filter { $0.siblings.contains { vector.covers($0.dot) } }
    // An own touch may have covered the touch that was seen. Only forgetting leaves nothing at all.
    let hasLost =
      alive.contains { isGone($0.dot, theirs.alive.map(\.dot)) }
      || theirs.alive.isEmpty && !seen.isEmpty
    return hasLost && seen.allSatisfy { theirs[$0.name] == nil }
  }

  /// The record as if its deletion stood beside what a join leaves of it: only deleted records expire, and a
  /// device that meets a snapshot may never have met the deletion.
  fileprivate func concurrentWithDeletion(leaving joined: RecordState) -> RecordState {
    guard !alive.contains(where: { $0.kind == .deleted }) else { return self }
    var state = self
    state.alive.removeAll { former in !joined.alive.contains { $0.dot == former.dot } }
    // When it was deleted is not known: under `newest` an edit counts as the later one.
    let nobody = ReplicaID(high: 0, low: 0)
    state.alive.append(
      AliveSibling(dot: Dot(nobody, 0), stamp: Stamp(time: 0, replica: nobody), kind: .deleted))
    return state
  }
}
