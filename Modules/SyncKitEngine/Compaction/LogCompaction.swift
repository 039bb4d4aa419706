import SyncKitModel
import SyncKitStore

/// Compacts this device's logs on a remote: merges segments, and removes those that others contain.
///
/// Runs at the end of an exchange that has sent own changes, so that a quiet run writes nothing. A device
/// never merges what another one has written. A segment is removed only when the segment that contains it was
/// there before this run, since a provider may deliver files in any order; and only when that segment can be
/// read completely now.
struct LogCompaction {
  let store: SyncStore
  let remote: Remote
  let egress: EgressPolicy
  private let limits: CompactionLimits
  private let isDryRun: Bool
  /// What lies there already as state.
  private let snapshots: [KnownSnapshot]
  /// How what a snapshot covers is merged while it stays; nil where it goes at once.
  private let covered: CompactionLimits?
  /// What has been done.
  private(set) var report = CompactionReport()

  /// Prepares to compact.
  ///
  /// `plan` says what snapshots lie there.
  init(
    _ store: SyncStore, _ remote: Remote, _ egress: EgressPolicy, _ options: SyncOptions,
    beside plan: ExchangePlan
  ) {
    self.store = store
    snapshots = plan.usableSnapshots
    self.remote = remote
    self.egress = egress
    limits = options.isCompaction ? options.limits.thorough : options.limits
    covered =
      limits.history.age > 0
      ? limits.covered(beside: plan.listings.values.reduce(0) { $0 + $1.size }) : nil
    isDryRun = options.isDryRun
  }

  /// Compacts.
  ///
  /// - Parameters:
  ///   - inventory: What lay there when the run began, all of it.
  ///   - brought: What was stored since.
  /// - Throws: ``SyncError`` of the transport; what has been done stays, and is sound.
  mutating func run(
    _ inventory: [SegmentReference], brought: [SegmentReference]
  ) async throws {
    guard remote.abilities.removal != .never else { return }
    report.files = inventory.count + brought.count
    report.bytes = (inventory + brought).reduce(0) { $0 + ($1.size ?? 0) }
    if !isDryRun { try await mend(inventory) }
    let (present, broken) = try own(inventory)
    let new = try own(brought).sound
    var removable: [SegmentReference] = []
    var stored: [SegmentReference] = []
    for zone in Set(present.keys).union(new.keys).sorted() {
      let old = present[zone, default: []]
      // What a snapshot covers goes earlier, and only if it is not one with what comes after.
      let (past, kept) = (old + new[zone, default: []]).divided(isCovered)
      var tiers = [CompactionTiers(kept, limits)]
      if let covered { tiers.append(CompactionTiers(past, covered)) }
      for tiers in tiers {
        if let merged = try await merge(tiers.merge, of: zone) { stored.append(merged) }
      }
      removable += try await superseded(
        CompactionTiers(old, limits).superseded + replaced(broken[zone, default: []], by: old))
    }
    report.removed = removable.count
    report.files -= removable.count
    report.bytes -= removable.reduce(0) { $0 + ($1.size ?? 0) }
    guard !isDryRun else { return }
    if !stored.isEmpty { try await remote.transport.flush(store.domain.name) }
    if !removable.isEmpty {
      try await remote.abilities.remove(removable, of: store.domain.name)
    }
    let gone = Set(removable)
    try store.keepMergedSizes(
      inventory.filter { !gone.contains($0) } + brought + stored, on: remote.name)
  }

  /// Stores one segment in place of several; the oldest are left out when it would get too large.
  private mutating func merge(
    _ references: [SegmentReference], of zone: ZoneID
  ) async throws -> SegmentReference? {
    var references = references[...]
    while references.count >= 2, let first = references.first, let last = references.last {
      let segment = try store.read { reader in
        try reader.merged(
          zone, first.series, first.first...last.last, upTo: limits.mostUnpacked)
      }
      guard let segment, segment.info.head == last.head else {
        references = references.dropFirst()
        continue
      }
      guard let outbound = egress.release(segment) else { return nil }
      report.merged += 1
      report.files += 1
      report.bytes += segment.bytes.count
      if !isDryRun {
        // Written down first: one that was cut off half way must not be taken for whole.
        try store.noteMergedSize(segment, on: remote.name)
        try await remote.transport.store(outbound)
      }
      return SegmentReference(segment)
    }
    return nil
  }

  private func isCovered(_ reference: SegmentReference) -> Bool {
    snapshots.contains {
      $0.zone == reference.zone && $0.vector[reference.series]?.seq ?? 0 >= reference.last
    }
  }

  /// Finds out whether a merged segment of another size than this device knows is another packing
  /// of the same changes, or damaged.
  private func mend(_ inventory: [SegmentReference]) async throws {
    let pieces = try store.pieces(on: remote.name)
    for reference in inventory where pieces.contradict(reference) {
      guard let segment = try await remote.transport.fetch(reference, of: store.domain.name),
        SegmentChain(segment, store.coding)?.holds(reference) == true
      else { continue }
      try store.noteMergedSize(segment, on: remote.name)
    }
  }

  /// What is not as it should be, with the longest segment that is said to hold all of it and more.
  private func replaced(
    _ broken: [SegmentReference], by others: [SegmentReference]
  ) -> [(reference: SegmentReference, by: SegmentReference)] {
    broken.compactMap { reference in
      let holder = others.filter {
        $0.first <= reference.first && $0.last >= reference.last
          && $0.last - $0.first > reference.last - reference.first
      }.max { $0.last - $0.first < $1.last - $1.first }
      return holder.map { (reference, $0) }
    }
  }

  /// The segments to remove: only those that another, completely readable segment contains.
  private func superseded(
    _ candidates: [(reference: SegmentReference, by: SegmentReference)]
  ) async throws -> [SegmentReference] {
    if remote.abilities.removal == .proved { return candidates.map(\.reference) }
    var holders: [SegmentReference: SegmentChain?] = [:]
    var removable: [SegmentReference] = []
    for (reference, holder) in candidates {
      if holders[holder] == nil {
        let found = try await remote.transport.fetch(holder, of: store.domain.name)
        holders[holder] = .some(found.flatMap { SegmentChain($0, store.coding) })
      }
      if holders[holder]??.outgrows(reference) == true { removable.append(reference) }
    }
    return removable
  }

  /// The segments of the own series, by zone, as far as their changes are known to be in it; beside
  /// them those that were cut off.
  private func own(
    _ references: [SegmentReference]
  ) throws -> (sound: [ZoneID: [SegmentReference]], broken: [ZoneID: [SegmentReference]]) {
    let pieces = try store.pieces(on: remote.name)
    return try store.read { reader in
      let zones = try reader.zones()
      var sound: [ZoneID: [SegmentReference]] = [:]
      var broken: [ZoneID: [SegmentReference]] = [:]
      for reference in references
      where egress.published.contains(reference.zone)
        && zones[reference.zone]?.own == reference.series
        && reference.first >= 1 && reference.first <= reference.last
      {
        let known = try reader.hash(reference.zone, reference.series, at: reference.last)
        guard known == reference.head else { continue }
        if reference.isIncomplete || pieces.contradict(reference) {
          broken[reference.zone, default: []].append(reference)
        } else {
          sound[reference.zone, default: []].append(reference)
        }
      }
      return (sound, broken)
    }
  }
}

extension [SegmentReference] {
  fileprivate func divided(_ isPast: (Element) -> Bool) -> (past: Self, kept: Self) {
    (filter(isPast), filter { !isPast($0) })
  }
}
