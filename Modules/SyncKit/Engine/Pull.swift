/// One pull from one remote: fetch what is wanted, apply what is ready, keep what has to wait.
struct Pull {
  /// How many operations one transaction applies, about.
  static let chunk = 8_000

  let store: SyncStore
  let remote: Remote
  let options: SyncOptions
  var report = SyncReport()
  /// What went wrong without stopping the rest.
  private(set) var problems: [SyncError] = []

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
        try apply(incoming, of: zone, isInitial: isInitial)
      } catch let error as SyncError where error.code == .massDelete {
        problems.append(error)
      }
    }
    report.waiting += try store.waitingCount()
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
    let known = try store.waitingHeads()
    for (index, references) in wanted.enumerated() {
      guard let first = references.first else { continue }
      if known.contains(first.head) { continue }
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
        report.waiting += Int(clamping: first.last - first.first) + 1
      }
      store.hub.send(
        .progress(SyncProgress(phase: .pulling, done: index + 1, total: wanted.count)))
    }
    return segments
  }

  private mutating func apply(
    _ segments: [Segment], of zone: ZoneID, isInitial: Bool
  ) throws {
    var queue = segments.sorted {
      $0.info.series != $1.info.series
        ? $0.info.series < $1.info.series : $0.info.first < $1.info.first
    }
    var hasProgress = true
    while hasProgress, !queue.isEmpty {
      hasProgress = false
      var rest: [Segment] = []
      var index = 0
      while index < queue.count {
        let pass = try store.transaction { transaction in
          try applyChunk(queue, from: index, of: zone, transaction)
        }
        index = pass.next
        rest += pass.stuck
        hasProgress = hasProgress || pass.hasProgress
        report.pulled += pass.report.operations
        report.yielded += pass.report.yielded
        report.forks += pass.report.forks
        report.conflicts += pass.conflicts
        problems += pass.frozen.filter { error in
          !problems.contains { $0.message == error.message }
        }
        report.notes += pass.notes
        store.hub.send(pass.touched, reason: isInitial ? .initialSync : .remote)
      }
      queue = rest
    }
    try store.keepWaiting(queue, of: zone)
  }

  private struct Pass {
    var next: Int
    var stuck: [Segment] = []
    var hasProgress = false
    var report = IngestReport()
    var conflicts = 0
    var frozen: [SyncError] = []
    var notes: [String] = []
    var touched: Set<RecordKey> = []
  }

  private func applyChunk(
    _ queue: [Segment], from start: Int, of zone: ZoneID, _ transaction: StoreTransaction
  ) throws -> Pass {
    var pass = Pass(next: start)
    var rebase = try Rebase(zone, in: transaction)
    while pass.next < queue.count, pass.report.operations < Self.chunk {
      let segment = queue[pass.next]
      var incoming: IncomingSegment
      do {
        incoming = try IncomingSegment(segment, coding: store.coding)
      } catch let error as SyncError where error.code == .formatDamaged {
        pass.notes.append("A segment of series \(segment.info.series) is damaged; it is ignored.")
        pass.next += 1
        continue
      }
      let limit = Self.chunk - pass.report.operations
      let hasMoved = try transaction.advance(
        &incoming, limit: limit, rebase: &rebase, report: &pass.report)
      if hasMoved { pass.hasProgress = true }
      if !incoming.isDone, hasMoved, pass.report.operations >= Self.chunk { break }
      if let frozen = incoming.frozen { pass.frozen.append(frozen) }
      if !incoming.isDone { pass.stuck.append(segment) }
      pass.next += 1
    }
    try rebase.finish(transaction)
    pass.touched = transaction.touched
    pass.conflicts = try transaction.countNewConflicts()
    return pass
  }
}
