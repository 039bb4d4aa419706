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

  init(_ store: SyncStore, _ remote: Remote, _ options: SyncOptions) {
    self.store = store
    self.remote = remote
    self.options = options
  }

  /// Runs the pull.
  ///
  /// - Throws: ``SyncError`` when the remote as a whole fails; what was applied stays.
  mutating func run(_ plan: ExchangePlan) async throws {
    var segments = try await fetch(plan.wanted)
    for (zone, waiting) in try store.waitingSegments() { segments[zone, default: []] += waiting }
    let isInitial = try store.isEmpty()
    for zone in segments.keys.sorted() {
      guard let incoming = segments[zone], !incoming.isEmpty else { continue }
      do {
        if let stop = options.massDeleteGuard {
          try store.read { try stop.check(incoming, of: zone, in: $0) }
        }
        var intake = Intake(store, report)
        defer { report = intake.report }
        try intake.apply(incoming, of: zone, isInitial: isInitial)
        problems += intake.problems
      } catch let error as SyncError where error.code == .massDelete {
        problems.append(error)
      }
    }
    report.waiting += try store.waitingCount()
    // What waits is not noted as lying on the remote, so the remote has to tell of it again.
    let waiting = try store.waitingStarts()
    if plan.wanted.contains(where: { $0.first.map { waiting[$0.head] != nil } ?? false }) {
      isComplete = false
    }
  }

  /// Counts what a pull would apply, without applying it.
  mutating func preview(_ plan: ExchangePlan) async throws {
    for (_, segments) in try await fetch(plan.wanted) {
      report.pulled += segments.reduce(0) { $0 + $1.info.operations }
    }
  }

  private mutating func fetch(
    _ wanted: [[SegmentReference]]
  ) async throws -> [ZoneID: [Segment]] {
    var segments: [ZoneID: [Segment]] = [:]
    let known = try store.waitingStarts()
    // A longer segment may bring what a shorter one with the same end is waiting for.
    let isHere = { (reference: SegmentReference) in
      known[reference.head].map { $0 <= reference.first } ?? false
    }
    await remote.transport.expect(
      wanted.compactMap(\.first).filter { !isHere($0) }, of: store.domain.name)
    for (index, references) in wanted.enumerated() {
      guard let first = references.first else { continue }
      if isHere(first) { continue }
      var found: Segment?
      for reference in references where found == nil {
        do {
          found = try await remote.transport.fetch(reference, of: store.domain.name)
        } catch let error as SyncError where error.code == .formatNewer {
          problems.append(error)
        }
      }
      if let found {
        segments[found.info.zone, default: []].append(found)
      } else {
        isComplete = false
        report.waiting += Int(clamping: first.last - first.first) + 1
      }
      store.hub.send(
        .progress(SyncProgress(phase: .pulling, done: index + 1, total: wanted.count)))
    }
    return segments
  }
}
