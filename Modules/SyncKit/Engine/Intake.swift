/// Takes segments into a store, in transactions of bounded size.
struct Intake {
  /// How many operations one transaction applies, about.
  static let chunk = 8_000

  let store: SyncStore
  var report: SyncReport
  /// What cannot be read by this version.
  private(set) var problems: [SyncError] = []

  init(_ store: SyncStore, _ report: SyncReport = SyncReport()) {
    self.store = store
    self.report = report
  }

  /// Applies the segments of a zone as far as they are ready; keeps the rest.
  mutating func apply(
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
