import SyncKitModel
import SyncKitStore

/// Writes a snapshot of a zone on a remote, and in a later run, once the snapshot is proved, removes what it
/// covers.
///
/// Runs at the end of an exchange that has sent or received something, so that a quiet run writes nothing. It
/// removes a segment only for a snapshot that was there before this run, that has just been read completely,
/// and that the own state proves. ``HistoryCut`` chooses among the covered segments: a device that synced
/// within a month gets changes, with their history.
struct RemotePruning {
  let store: SyncStore
  let remote: Remote
  let egress: EgressPolicy
  let plan: ExchangePlan
  let limits: CompactionLimits
  /// What this run has done.
  private(set) var report = CompactionReport()

  /// A device that was silent for this long need not confirm a snapshot: 30 days.
  private static let patience: Int64 = 30 * 86_400_000

  init(
    _ store: SyncStore, _ remote: Remote, _ egress: EgressPolicy, _ plan: ExchangePlan,
    _ limits: CompactionLimits
  ) {
    self.store = store
    self.remote = remote
    self.egress = egress
    self.plan = plan
    self.limits = limits
  }

  /// Condenses.
  ///
  /// - Parameters:
  ///   - inventory: What lay there when the run began, all of it.
  ///   - brought: What was stored since.
  /// - Throws: ``SyncError`` of the transport; `trust.divergence` when a snapshot is not what the own
  ///   state says that it must be.
  mutating func run(_ inventory: [SegmentReference], brought: [SegmentReference]) async throws {
    let shared = try store.storage.read { try $0.sharedZones() }
    let there = Dictionary(grouping: inventory, by: \.zone)
    let new = Dictionary(grouping: brought, by: \.zone)
    var zones: [PrunableZone] = []
    for zone in Set(there.keys).union(new.keys).sorted()
    where egress.published.contains(zone) && shared[zone] == nil {
      guard try store.read({ try $0.zone(zone).branches.isEmpty }) else { continue }
      zones.append(try coverage(at: zone, there[zone] ?? [], new[zone] ?? []))
    }
    let cut = try HistoryCut(zones, limits) { try writtenAt($0) }
    let live = zones.reduce(0) { $0 + $1.live }
    let isFull =
      zones.reduce(0) { $0 + $1.open } > limits.history.budget(beside: live) / 2
    for zone in zones {
      if let (best, listing) = zone.best {
        try await remove(cut.removable[zone.zone] ?? [], coveredBy: best, listing)
      }
      // A snapshot is of use when something goes for it: what is old, or, before there is no room for
      // more, what is not.
      let least = max(limits.leastPruned, zone.live / 3)
      guard zone.oldOpen > least || isFull && zone.open > least else { continue }
      let changes = ((there[zone.zone] ?? []) + (new[zone.zone] ?? []))
        .filter { !$0.series.isSnapshot }
      try await write(zone, ends: changes)
    }
  }

  private func coverage(
    at zone: ZoneID, _ there: [SegmentReference], _ new: [SegmentReference]
  ) throws -> PrunableZone {
    var found = PrunableZone(zone)
    // Of two that do not cover each other both stay, until another one covers both.
    let best = plan.usableSnapshots.filter { $0.zone == zone && plan.listings[$0.series] != nil }
      .max { ($0.vector.changes, $0.series) < ($1.vector.changes, $1.series) }
    if let best, let listing = plan.listings[best.series] { found.best = (best, listing) }
    let end = store.environment.now() &- limits.history.age
    let mark = try store.storage.read { reader in
      try reader.marks(of: zone, on: remote.name).last { $0.time <= end }
    }
    let isCovered = { [plan] (reference: SegmentReference) in
      plan.usableSnapshots.contains { snapshot in
        snapshot.zone == zone && snapshot.vector[reference.series]?.seq ?? 0 >= reference.last
      }
    }
    let contained = Self.contained(by: there)
    try store.read { reader in
      for (index, reference) in (there + new).enumerated() where !reference.series.isSnapshot {
        let series =
          try reference.first < 1
          ? nil : reader.locate(zone, reference.series, at: reference.last, reference.head)
        let isOld =
          limits.history.age == 0
          || series.map { mark?.covers($0, reference.last) ?? false } ?? false
        if !contained.contains(reference) { found.changes += reference.weight }
        if !isCovered(reference) {
          found.open += reference.weight
          if isOld { found.oldOpen += reference.weight }
        }
        if index < there.count, let series,
          reference.last <= best?.vector[reference.series]?.seq ?? 0
        {
          found.covered.append(.init(reference: reference, series: series, isOld: isOld))
        }
      }
    }
    return found
  }

  /// What others hold as well, and what goes soon for that reason.
  private static func contained(by references: [SegmentReference]) -> Set<SegmentReference> {
    let series = Dictionary(grouping: references.filter { !$0.series.isSnapshot }, by: \.series)
    return Set(series.values.flatMap { CompactionTiers($0).superseded.map(\.reference) })
  }

  /// When a segment was written as its last stamp has it, or, for one that was too early, when it was met.
  private func writtenAt(_ covered: PrunableZone.Covered) throws -> Int64 {
    let reference = covered.reference
    let row = try store.read {
      try $0.row(reference.zone, covered.series, holding: reference.last)
    }
    let marks = try store.storage.read { try $0.marks(of: reference.zone, on: remote.name) }
    let listedSnapshots = marks.first { $0.covers(covered.series, reference.last) }?.time
    return min(
      row.map { Int64(clamping: $0.newest >> 16) } ?? 0, listedSnapshots ?? store.environment.now())
  }

  private mutating func remove(
    _ changes: [SegmentReference], coveredBy best: KnownSnapshot, _ listing: SnapshotListing
  ) async throws {
    let zone = best.zone
    // Also such as were never stored as a whole, or not removed as a whole; none that may be of a branch of
    // which nothing is known here.
    let needless = try store.read { reader in
      try plan.listedSnapshots.filter {
        try $0.zone == zone && $0.vector != best.vector && best.vector.includes($0.vector)
          && reader.isKnown(zone, $0.vector)
      }
    }
    let snapshots = needless.compactMap { plan.listings[$0.series] }
    guard !changes.isEmpty || !snapshots.isEmpty else { return }
    let now = store.environment.now()
    if best.isOwn {
      let hasCompany = try store.read { try $0.hasCompany(zone, since: now &- Self.patience) }
      guard !hasCompany else { return }
    }
    guard let parts = try await remote.transport.fetch(listing, of: store.domain.name),
      let snapshot = try Snapshot(parts, coding: store.coding), snapshot.series == best.series,
      let isRight = try store.read({ reader in
        // The outlines count as well: a device may have to begin with them.
        _ = try snapshot.hashIndexes()
        return try reader.proves(snapshot)
      })
    else { return }
    guard isRight else {
      throw SyncError(
        .divergence,
        "A snapshot of \(zone) on '\(remote.name)' does not match this device's changes.",
        hint: "Run 'cloudsync verify' on all devices.")
    }
    // The oldest first: what is left leads on from the snapshot without a gap, whenever this stops. Of a
    // snapshot the head comes last, by which it is known.
    let removable =
      changes.sorted { ($0.series, $0.first, $0.last) < ($1.series, $1.first, $1.last) }
      + snapshots.flatMap { $0.all.sorted { $0.first > $1.first } }
    try await remote.transport.remove(removable, of: store.domain.name)
    report.removed += removable.count
    report.files -= removable.count
    report.bytes -= removable.reduce(0) { $0 + ($1.size ?? 0) }
    try store.forget(snapshots.map { ($0.zone, $0.series) })
  }

  /// `ends` are the segments that lie there: a device that begins with the snapshot knows each by its end.
  private mutating func write(
    _ prunable: PrunableZone, ends: [SegmentReference]
  ) async throws {
    let (zone, open, size) = (prunable.zone, prunable.open, prunable.live)
    let key = Keys.prunable(remote.name, zone)
    let tried = try store.storage.read { reader in
      try reader.get(.meta, key).map { Int(clamping: try $0.reading { try $0.fixed() }) }
    }
    // Another device has pruned what has become less since then.
    if let tried, open >= tried, open < tried + tried / 2 { return }
    let now = store.environment.now()
    let isWorthIt = { (bytes: Int) in 6 * bytes < 5 * (open + size) }
    let noteTried = { [store] in
      try store.storage.write { try $0.put(.meta, key, UInt64(open).bigEndianBytes) }
    }
    // After a first import nothing is there twice, and all of it would be packed in vain.
    let estimate = try store.read { try $0.estimatedSnapshotSize(of: zone, store.domain.name) }
    guard isWorthIt(estimate) else { return try noteTried() }
    let snapshot = try store.read { reader in
      var reaching: [ReplicaID: [ClosedRange<UInt64>]] = [:]
      for end in ends where limits.history.age > 0 {
        guard let series = try reader.locate(zone, end.series, at: end.last, end.head) else {
          continue
        }
        reaching[series, default: []].append(end.last...end.last)
      }
      return try reader.snapshot(
        of: zone, domain: store.domain.name, keeping: limits.keptHashes, reaching: reaching,
        divided: limits.snapshotSizes, now: now)
    }
    guard let snapshot else { return }
    guard isWorthIt(snapshot.size) else { return try noteTried() }
    // A state with something in it that is kept here stays here as a whole.
    guard let parts = egress.release(snapshot) else { return }
    try store.note(KnownSnapshot(zone, snapshot.series, snapshot.header, isOwn: true))
    do {
      // The head comes last: a device that sees it finds the rest.
      for part in parts.reversed() {
        guard egress.isOut(zone) else { return }
        try await remote.transport.store(part)
      }
      try await remote.transport.flush(store.domain.name)
    } catch let error as SyncError where error.code == .remoteQuota {
      // There is no room for it now; it is not tried again with everything that comes.
      try noteTried()
      throw error
    }
    report.snapshots += 1
    report.files += parts.count
    report.bytes += snapshot.size
  }
}
