/// Lets a snapshot stand for what lies of a zone on a remote: writes it, and in a later run, when it is
/// proved, removes what it covers.
///
/// Runs at the end of an exchange that has brought or taken something, so that a quiet run writes
/// nothing. Something goes only for a snapshot that was there before this run, that has just been read
/// whole, and of which the own state is proof.
struct Condensing {
  let store: SyncStore
  let remote: Remote
  let egress: EgressPolicy
  let plan: ExchangePlan
  let limits: TidyingLimits
  /// What has been done.
  private(set) var report = TidyingReport()

  /// Whoever was silent for so long need not confirm a snapshot: 30 days.
  private static let patience: Int64 = 30 * 86_400_000
  /// What a segment takes for each change, where the medium does not tell sizes.
  private static let usual = 128

  init(
    _ store: SyncStore, _ remote: Remote, _ egress: EgressPolicy, _ plan: ExchangePlan,
    _ limits: TidyingLimits
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
    for zone in Set(there.keys).union(new.keys).sorted()
    where egress.published.contains(zone) && shared[zone] == nil {
      guard try store.read({ try $0.zone(zone).branches.isEmpty }) else { continue }
      try await condense(zone, there[zone] ?? [], new[zone] ?? [])
    }
  }

  private mutating func condense(
    _ zone: ZoneID, _ there: [SegmentReference], _ new: [SegmentReference]
  ) async throws {
    // Of two that do not cover each other both stay, until another one covers both.
    let best = plan.standing.filter { $0.zone == zone && plan.listings[$0.series] != nil }
      .max { ($0.vector.changes, $0.series) < ($1.vector.changes, $1.series) }
    if let best, let listing = plan.listings[best.series] {
      try await removeCovered(by: best, listing, among: there)
    }
    let isCovered = { [plan] (reference: SegmentReference) in
      plan.standing.contains { snapshot in
        snapshot.zone == zone && snapshot.vector[reference.series]?.seq ?? 0 >= reference.last
      }
    }
    let open = (there + new).filter { !$0.series.isSnapshot && !isCovered($0) }.reduce(0) {
      $0 + ($1.size ?? Self.usual * Int(clamping: $1.last - $1.first + 1))
    }
    let size = best.flatMap { plan.listings[$0.series]?.size } ?? 0
    guard open > max(limits.leastCondensed, size / 3) else { return }
    try await write(zone, open, beside: size)
  }

  private mutating func removeCovered(
    by best: KnownSnapshot, _ listing: SnapshotListing, among there: [SegmentReference]
  ) async throws {
    let zone = best.zone
    let changes = try store.read { reader in
      try there.filter { reference in
        try !reference.series.isSnapshot && reference.first >= 1
          && reference.last <= best.vector[reference.series]?.seq ?? 0
          && reader.locate(zone, reference.series, at: reference.last, reference.head) != nil
      }
    }
    // Also such as were never stored as a whole, or not removed as a whole; none that may be of a branch of
    // which nothing is known here.
    let needless = try store.read { reader in
      try plan.met.filter {
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
        // The outlines count as well: somebody may have to begin with them.
        _ = try snapshot.outlines()
        return try reader.proves(snapshot)
      })
    else { return }
    guard isRight else {
      throw SyncError(
        .divergence,
        "A snapshot of \(zone) on '\(remote.name)' is not what this device's changes make.",
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

  private mutating func write(_ zone: ZoneID, _ open: Int, beside size: Int) async throws {
    let key = Keys.condensed(remote.name, zone)
    let tried = try store.storage.read { reader in
      try reader.get(.meta, key).map { Int(clamping: try $0.reading { try $0.fixed() }) }
    }
    // What has become less since then was condensed by somebody.
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
      try reader.snapshot(
        of: zone, domain: store.domain.name, keeping: limits.keptHashes,
        divided: limits.snapshotSizes, now: now)
    }
    guard let snapshot else { return }
    guard isWorthIt(snapshot.size) else { return try noteTried() }
    // A state with something in it that is kept here stays here as a whole.
    guard let parts = egress.release(snapshot) else { return }
    try store.note(KnownSnapshot(zone, snapshot.series, snapshot.header, isOwn: true))
    do {
      // The head comes last: who sees it finds the rest.
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
