import SyncKitModel
import SyncKitStore

/// One pull from one remote: fetch what is wanted, apply what is ready, keep what has to wait.
struct Pull {
  let store: SyncStore
  let remote: Remote
  let options: SyncOptions
  var report = SyncReport()
  /// What went wrong without stopping the rest.
  private(set) var problems: [SyncError] = []
  /// Whether all that was wanted came and was taken in.
  private(set) var isComplete = true
  /// Segments that did not come.
  private var missing: [SegmentReference] = []
  /// Zones of which nothing is taken, since too much of them would be deleted.
  private var stopped: Set<ZoneID> = []
  /// Whether the task was cancelled before all was fetched.
  private var isCutShort = false

  init(_ store: SyncStore, _ remote: Remote, _ options: SyncOptions) {
    self.store = store
    self.remote = remote
    self.options = options
  }

  /// Runs the pull.
  ///
  /// - Throws: ``SyncError`` when the remote as a whole fails; what was applied stays.
  mutating func run(_ plan: ExchangePlan) async throws {
    // Most often there is nothing.
    if plan.wanted.isEmpty, plan.usableSnapshots.isEmpty, plan.pruned.isEmpty,
      try store.waitingPieces().isEmpty
    {
      return
    }
    var wanted = plan.wanted
    let unreached = try store.read { try UnreachedSnapshots(plan, $0) }
    if !unreached.zones.isEmpty {
      // Changes that such a snapshot covers would wait in vain for pruned ones, and then be known as state.
      try await join(plan) { unreached.zones.contains($0.zone) }
      wanted = try lacking(wanted) { $0.first }
    }
    var looks = 0
    repeat {
      let choice = try choice(wanted, isLast: looks == Self.looks)
      try await take(fetch(choice.chosen))
      // What has come is taken in, so that a run with little time gets on from one to the next.
      if isCutShort { throw SyncError.cutShort(remote) }
      wanted = try lacking(choice.spare) { $0.first }
      looks += 1
    } while !wanted.isEmpty
    try await join(plan) { !unreached.zones.contains($0.zone) }
    try await recognize(plan)
    for reference in try lacking(missing, { $0 }) {
      isComplete = false
      report.waiting += Int(clamping: reference.last - reference.first) + 1
    }
    report.waiting += try store.waitingCount()
    // Waiting segments are not recorded as being on the remote, so the remote has to list them again.
    let waiting = try Set(store.waitingPieces().map(\.head))
    if plan.wanted.contains(where: { $0.first.map { waiting.contains($0.head) } ?? false }) {
      isComplete = false
    }
  }

  /// Whether all that a snapshot stands for is known here, also by what leads on from it.
  private func isKnown(_ snapshot: KnownSnapshot, _ plan: ExchangePlan) async throws -> Bool {
    let isKnown = { try store.read { try $0.isKnown(snapshot.zone, snapshot.vector) } }
    if try isKnown() { return true }
    let heads = snapshot.vector.sorted.map { series, head in
      SegmentReference(
        zone: snapshot.zone, series: series, first: head.seq, last: head.seq, head: head.hash,
        size: nil, location: "")
    }
    var check = PrunedHistoryCheck(store, remote)
    // The way there may lead over others that are not known either.
    let between = plan.pruned.filter { $0.zone == snapshot.zone }
    try await check.run(heads + between, among: plan.changes)
    return try check.verified > 0 && isKnown()
  }

  /// Tells old segments of what is known as state from new ones.
  private mutating func recognize(_ plan: ExchangePlan) async throws {
    var check = PrunedHistoryCheck(store, remote)
    // By a snapshot that was just joined more is known as state than before.
    try await check.run(plan.pruned + plan.wanted.joined(), among: plan.changes)
    try await check.consult(plan)
    // What waits may be among what was recognized.
    if check.verified > 0 { try take([:]) }
    let waiting = try store.waitingPieces()
    for reference in check.unverified {
      isComplete = false
      guard !waiting.contains(WaitingSegment(reference)) else { continue }
      report.waiting += Int(clamping: reference.last - reference.first) + 1
    }
  }

  /// Joins the snapshots to which the changes that there are do not lead.
  private mutating func join(
    _ plan: ExchangePlan, where isUsed: (KnownSnapshot) -> Bool
  ) async throws {
    let usableSnapshots = plan.usableSnapshots.filter(isUsed)
      .sorted { $0.vector.changes > $1.vector.changes }
    var known: [KnownSnapshot] = []
    for snapshot in usableSnapshots {
      let isCovered = try known.contains { later in
        try store.read { try $0.stands(later, for: snapshot) }
      }
      guard !isCovered, !stopped.contains(snapshot.zone) else { continue }
      guard try await !isKnown(snapshot, plan) else {
        known.append(snapshot)
        continue
      }
      guard let listing = plan.listings[snapshot.series], listing.last >= snapshot.last else {
        continue
      }
      var parts: [Segment]?
      do {
        parts = try await remote.transport.fetch(listing, of: store.domain.name)
      } catch let error as SyncError where error.code == .remoteUnread {
        problems.append(error)
      }
      guard let parts else {
        isComplete = false
        report.waiting += 1
        continue
      }
      try take([snapshot.zone: parts])
      if !stopped.contains(snapshot.zone) { known.append(snapshot) }
    }
  }

  /// Counts what a pull would apply, without applying it.
  ///
  /// A zone in which the pull would apply nothing, because it would delete too much, is a problem here too.
  mutating func preview(_ plan: ExchangePlan) async throws {
    let waiting = try store.waitingSegments()
    for (zone, segments) in try await fetch(choice(plan.wanted).chosen) {
      do {
        try guardAgainstDeletion(segments + (waiting[zone] ?? []), of: zone)
      } catch let error as SyncError where error.code == .massDelete {
        problems.append(error)
        stopped.insert(zone)
        continue
      }
      for segment in segments {
        report.pulled += try store.read { try $0.unknownOperations(in: segment) }
      }
    }
    isComplete = isComplete && missing.isEmpty
    for reference in try lacking(missing, { $0 }) {
      report.waiting += Int(clamping: reference.last - reference.first) + 1
    }
    report.waiting += try store.waitingCount()
  }

  /// Refuses changes of a zone that would delete more of it than allowed.
  ///
  /// - Throws: ``SyncError`` `guard.mass-delete`.
  private func guardAgainstDeletion(_ incoming: [Segment], of zone: ZoneID) throws {
    guard let stop = options.massDeleteGuard else { return }
    let changes = incoming.filter { !$0.info.series.isSnapshot }
    try store.read { try stop.check(changes, of: zone, in: $0) }
  }

  /// What stops a zone, and nothing else.
  static let stopping: Set<SyncError.Code> = [.massDelete, .fork, .divergence, .formatNewer]

  /// After this many incomplete choices, everything that is left is fetched.
  private static let looks = 4

  private func choice(
    _ wanted: [[SegmentReference]], isLast: Bool = false
  ) throws -> (chosen: [[SegmentReference]], spare: [[SegmentReference]]) {
    guard !isLast else { return (wanted, []) }
    let choice = try store.read { reader in
      let zones = try reader.zones()
      return SegmentChoice(wanted) { zones[$0]?.vector[$1]?.seq ?? 0 }
    }
    return (choice.chosen, choice.spare)
  }

  /// What has not arrived otherwise in the meantime, neither to the state nor to what waits.
  private func lacking<T>(
    _ items: [T], _ reference: (T) -> SegmentReference?
  ) throws -> [T] {
    guard !items.isEmpty else { return [] }
    let waiting = try store.waitingSegments()
    var chains: [WaitingSegment: SegmentChain?] = [:]
    return try store.read { reader in
      try items.filter { item in
        guard let item = reference(item), !stopped.contains(item.zone),
          try reader.locate(item.zone, item.series, at: item.last, item.head) == nil
        else { return false }
        return !(waiting[item.zone] ?? []).contains { segment in
          let info = segment.info
          guard info.series == item.series, info.first <= item.first, info.last >= item.last else {
            return false
          }
          let piece = WaitingSegment(info)
          if chains[piece] == nil { chains[piece] = .some(SegmentChain(segment, store.coding)) }
          return chains[piece]??.holds(item) == true
        }
      }
    }
  }

  private mutating func take(_ fetched: [ZoneID: [Segment]]) throws {
    var segments = fetched
    for (zone, waiting) in try store.waitingSegments() { segments[zone, default: []] += waiting }
    let isInitial = try store.remote(remote.name).lastSync == 0
    for zone in segments.keys.sorted() {
      guard let incoming = segments[zone], !incoming.isEmpty else { continue }
      do {
        try guardAgainstDeletion(incoming, of: zone)
        var intake = Intake(store, report, onlyOpen: true)
        defer { report = intake.report }
        try intake.apply(
          incoming, of: zone, isInitial: isInitial, guardedBy: options.massDeleteGuard)
        problems += intake.problems
      } catch let error as SyncError where Self.stopping.contains(error.code) {
        problems.append(error)
        stopped.insert(zone)
      }
    }
  }

  private mutating func fetch(
    _ wanted: [[SegmentReference]]
  ) async throws -> [ZoneID: [Segment]] {
    var segments: [ZoneID: [Segment]] = [:]
    let known = try store.waitingPieces()
    await remote.abilities.expect(
      wanted.compactMap(\.first).filter { !known.contains(WaitingSegment($0)) },
      of: store.domain.name)
    for (index, references) in wanted.enumerated() {
      guard let first = references.first else { continue }
      guard !Task.isCancelled else {
        isCutShort = true
        break
      }
      if known.contains(WaitingSegment(first)) { continue }
      var found: Segment?
      for reference in references where found == nil {
        do {
          found = try await remote.transport.fetch(reference, of: store.domain.name)
        } catch let error as SyncError where [.formatNewer, .remoteUnread].contains(error.code) {
          problems.append(error)
        } catch is CancellationError {
          isCutShort = true
          return segments
        }
      }
      if let found {
        segments[found.info.zone, default: []].append(found)
      } else {
        missing.append(first)
      }
      store.hub.send(
        .progress(SyncProgress(phase: .pulling, done: index + 1, total: wanted.count)))
    }
    return segments
  }
}
