import SyncKitModel

/// Takes segments into a store, in transactions of bounded size.
package struct Intake {
  /// How many operations one transaction applies, about.
  package static let chunk = 8_000
  /// A segment with at most this many operations is not divided, because its parts would have to be packed
  /// again.
  package static let undivided = 24_000

  package let store: SyncStore
  package var report: SyncReport
  /// Whether changes for a zone that accepts nothing any more are skipped: it may have been withdrawn while
  /// they were on their way.
  private let onlyOpen: Bool
  /// What cannot be read by this version.
  package private(set) var problems: [SyncError] = []
  /// How many operations all segments hold so far, those that are known already included.
  private var total = 0
  /// How many of them are applied.
  private var applied = 0

  package init(_ store: SyncStore, _ report: SyncReport = SyncReport(), onlyOpen: Bool = false) {
    self.store = store
    self.report = report
    self.onlyOpen = onlyOpen
  }

  /// Applies the segments of a zone as far as they are ready; keeps the rest.
  ///
  /// Changes come first. A snapshot among the segments is joined where these do not lead as far.
  package mutating func apply(
    _ segments: [Segment], of zone: ZoneID, isInitial: Bool, guardedBy stop: MassDeleteGuard? = nil
  ) throws {
    var queue = segments.filter { !$0.info.series.isSnapshot }.sorted {
      $0.info.series != $1.info.series
        ? $0.info.series < $1.info.series : $0.info.first < $1.info.first
    }.map { Entry(segment: $0) }
    total += queue.reduce(0) { $0 + $1.segment.info.operations }
    try apply(&queue, of: zone, isInitial: isInitial)
    // Also when a join fails, what waits must be kept.
    let waiting = queue
    var joins = Joins()
    do {
      for snapshot in try Snapshot.whole(in: segments, coding: store.coding, &report) {
        let joined = try store.transaction { transaction -> IngestReport? in
          guard try !onlyOpen || transaction.takesIn(zone) else { return nil }
          let joined = try transaction.join(snapshot, guardedBy: stop)
          let conflicts = try transaction.countNewConflicts()
          joins = Joins(conflicts: conflicts, touched: transaction.touched)
          return joined
        }
        guard let joined else { continue }
        report.pulled += joined.operations
        report.overridden += joined.overridden
        report.forks += joined.forks
        report.isCopyDetected = report.isCopyDetected || joined.isCopyDetected
        report.conflicts += joins.conflicts
        tell(joins.touched, named: joins.touched, isInitial)
        try apply(&queue, of: zone, isInitial: isInitial)
      }
    } catch {
      try store.keepWaiting(waiting.map(\.segment), of: zone)
      throw error
    }
    try store.keepWaiting(queue.map(\.segment), of: zone)
  }

  private struct Joins {
    var conflicts = 0
    var touched: [RecordKey] = []
  }

  private mutating func apply(
    _ queue: inout [Entry], of zone: ZoneID, isInitial: Bool
  ) throws {
    var hasProgress = true
    while hasProgress, !queue.isEmpty {
      hasProgress = false
      var rest: [Entry] = []
      var index = 0
      while index < queue.count {
        let pass = try store.transaction { transaction in
          try applyChunk(&queue, from: index, of: zone, transaction)
        }
        guard !pass.isClosed else {
          queue = []
          return
        }
        index = pass.next
        rest += pass.stuck
        hasProgress = hasProgress || pass.hasProgress
        report.pulled += pass.report.operations
        noteProgress(of: pass)
        report.overridden += pass.report.overridden
        report.forks += pass.report.forks
        report.isCopyDetected = report.isCopyDetected || pass.report.isCopyDetected
        report.conflicts += pass.conflicts
        problems += pass.frozen.filter { error in
          !problems.contains { $0.message == error.message }
        }
        report.notes += pass.notes
        tell(pass.touched, named: pass.touched.filter(pass.report.edited.contains), isInitial)
      }
      queue = rest
    }
  }

  /// Tells listeners how far it is; a single transaction is over before anybody could read that.
  private mutating func noteProgress(of pass: Pass) {
    applied += pass.report.operations
    guard total > Self.chunk, pass.report.operations > 0 else { return }
    let progress = SyncProgress(
      phase: .pulling, unit: .changes, done: min(applied, total), total: total)
    store.hub.send(.progress(progress))
  }

  /// Tells listeners of all records that were written, and the report of those that were edited.
  private mutating func tell(_ touched: [RecordKey], named: [RecordKey], _ isInitial: Bool) {
    let reason = isInitial ? SyncEvent.Reason.initialSync : .remote
    report.note(named, reason)
    store.hub.send(touched, reason: reason)
  }

  /// A segment, and how far it has come.
  private struct Entry {
    let segment: Segment
    /// What was read of it; gone when it takes too much room.
    var incoming: IncomingSegment?
    var isDone = false
  }

  private struct Pass {
    var next: Int
    var stuck: [Entry] = []
    /// The bytes of what was read of those that are stuck.
    var kept = 0
    var hasProgress = false
    var report = IngestReport()
    var conflicts = 0
    var frozen: [SyncError] = []
    var notes: [String] = []
    var touched: [RecordKey] = []
    /// Whether the zone takes nothing in any more.
    var isClosed = false

    var isFull: Bool { report.operations >= Intake.chunk }
  }

  /// The most bytes of waiting segments that are kept unpacked.
  private static let keptBytes = 32 << 20

  private func applyChunk(
    _ queue: inout [Entry], from start: Int, of zone: ZoneID, _ transaction: StoreTransaction
  ) throws -> Pass {
    var pass = Pass(next: start)
    if onlyOpen, try !transaction.takesIn(zone) {
      pass.isClosed = true
      return pass
    }
    var rebase = Rebase(zone)
    while pass.next < queue.count, !pass.isFull {
      let hasMoved = try advance(&queue[pass.next], &pass, &rebase, transaction)
      let entry = queue[pass.next]
      if !entry.isDone, hasMoved, pass.isFull { break }
      queue[pass.next].incoming = nil
      if !entry.isDone { pass.stuck.append(Self.limited(entry, &pass)) }
      pass.next += 1
    }
    // Two long logs that name each other change by change advance here, and not run by run.
    var hasMoved = pass.hasProgress
    while hasMoved, pass.next == queue.count, !pass.isFull {
      hasMoved = false
      for index in pass.stuck.indices where !pass.isFull {
        var entry = pass.stuck[index]
        pass.stuck[index].incoming = nil
        if try advance(&entry, &pass, &rebase, transaction) { hasMoved = true }
        pass.stuck[index] = entry
      }
      pass.stuck.removeAll(where: \.isDone)
    }
    pass.report.overridden += try rebase.finish(transaction)
    pass.touched = transaction.touched
    pass.conflicts = try transaction.countNewConflicts()
    return pass
  }

  private static func limited(_ entry: Entry, _ pass: inout Pass) -> Entry {
    guard let incoming = entry.incoming else { return entry }
    var entry = entry
    let size = incoming.changes.reduce(0) { $0 + $1.count }
    if pass.kept + size > keptBytes { entry.incoming = nil } else { pass.kept += size }
    return entry
  }

  /// Applies what is ready of one segment; returns whether that was anything.
  private func advance(
    _ entry: inout Entry, _ pass: inout Pass, _ rebase: inout Rebase,
    _ transaction: StoreTransaction
  ) throws -> Bool {
    var incoming: IncomingSegment
    do {
      incoming = try entry.incoming ?? IncomingSegment(entry.segment, coding: store.coding)
    } catch let error as SyncError where error.code == .formatDamaged {
      let series = entry.segment.info.series
      pass.notes.append("A segment of series \(series) is damaged; it is ignored.")
      entry.isDone = true
      return false
    }
    // One more than it has, as its last changes may count for nothing.
    let count = incoming.info.operations
    let limit = max(
      Self.chunk - pass.report.operations, count < Self.undivided ? count + 1 : 0)
    let hasMoved = try transaction.advance(
      &incoming, limit: limit, rebase: &rebase, report: &pass.report)
    if hasMoved { pass.hasProgress = true }
    if let frozen = incoming.frozen, !pass.frozen.contains(where: { $0.message == frozen.message })
    {
      pass.frozen.append(frozen)
    }
    entry.isDone = incoming.isDone
    entry.incoming = incoming.isDone ? nil : incoming
    return hasMoved
  }
}
