import SyncKitModel
import SyncKitStore

extension SyncEngine {
  /// How often a compaction checks again what it has left.
  private static let rounds = 4

  /// Compacts a remote: merges own segments, and removes old ones for which snapshots stand.
  ///
  /// A failure here is reported, and the next run that sends something tries again.
  ///
  /// - Returns: What has not been looked at yet; nil when nothing is known.
  /// - Throws: ``SyncError`` `trust.divergence`.
  func compactRemote(
    _ run: inout Run, _ inventory: Inventory, brought: [SegmentReference], _ plan: ExchangePlan,
    _ options: SyncOptions
  ) async throws -> CompactionBacklog? {
    guard run.remote.abilities.removal != .never, run.error == nil else { return nil }
    let zones = try brought.isEmpty ? [:] : store.read { try $0.zones() }
    let own = brought.filter { zones[$0.zone]?.own == $0.series }.count
    let now = store.environment.now()
    // Where that costs a listing of its own, only when there may be enough to make one of it.
    let isCheap = !inventory.isContinuation
    var backlog = CompactionBacklog(try store.remote(run.remote.name))
    if !isCheap {
      backlog.add(inventory.segments + brought, own: own)
    } else if inventory.position != nil {
      backlog.hasLooked(now)
    }
    let compacts =
      options.isCompaction
      || own > 0 && (isCheap || backlog.segments >= UInt64(options.limits.fanout))
    let hasMoved = !brought.isEmpty || run.report.pulled > 0
    let prunes =
      options.limits.usesSnapshots && !options.isDryRun && run.isComplete
      && (compacts || hasMoved && (isCheap || backlog.isMuch(options.limits.history, now: now))
        || run.hasNewSnapshot(inventory))
    guard compacts || prunes else { return backlog }
    do {
      var contents = Contents(
        segments: try store.admissible(inventory, from: run.remote.name).segments,
        brought: brought, plan: plan)
      if !isCheap { contents = try await self.contents(&run, options, brought: brought) }
      if compacts { try await compactLogs(&run, contents, options) }
      if prunes {
        var pruning = RemotePruning(
          store, run.remote, try store.egress(to: run.remote.name), contents.plan, options.limits)
        try await pruning.run(contents.segments, brought: brought)
        run.report.compaction.add(alongside: pruning.report)
      }
      if options.isDryRun { return nil }
      if compacts { backlog.segments = 0 }
      if prunes, !isCheap { backlog.hasLooked(now) }
      return backlog
    } catch let error as SyncError where error.code != .divergence {
      run.report.notes.append("Not compacted: \(error.message)")
      return backlog
    }
  }

  /// Removes all changes for which snapshots stand: history takes no room that new edits need.
  ///
  /// - Returns: Whether anything was removed.
  func makeRoom(_ run: inout Run, _ options: SyncOptions) async -> Bool {
    guard run.remote.abilities.removal != .never, run.isComplete, run.error == nil,
      options.limits.usesSnapshots, options.limits.history.age > 0
    else { return false }
    var limits = options.limits
    limits.history = .none
    do {
      let contents = try await contents(&run, options)
      var pruning = RemotePruning(
        store, run.remote, try store.egress(to: run.remote.name), contents.plan, limits)
      // A new snapshot may not fit in either; what has gone before that is gone all the same.
      do { try await pruning.run(contents.segments, brought: []) } catch {}
      run.report.compaction.add(alongside: pruning.report)
      return pruning.report.removed > 0
    } catch {
      return false
    }
  }

  /// All that lies on a remote.
  private struct Contents {
    /// What lay there when the run began.
    var segments: [SegmentReference]
    /// What was brought since.
    var brought: [SegmentReference]
    var plan: ExchangePlan
  }

  private func contents(
    _ run: inout Run, _ options: SyncOptions, brought: [SegmentReference] = []
  ) async throws -> Contents {
    let inventory = try await run.remote.transport.inventory(of: store.domain.name)
    try await learnSnapshots(inventory, &run, options)
    let segments = try store.admissible(inventory, from: run.remote.name).segments
    return Contents(
      segments: segments.filter { there in !brought.contains { $0.isSame(as: there) } },
      brought: brought, plan: try self.plan(inventory, run, withholding: run.withheld))
  }

  private func compactLogs(
    _ run: inout Run, _ contents: Contents, _ options: SyncOptions
  ) async throws {
    var contents = contents
    for round in 0...Self.rounds {
      var compaction = LogCompaction(
        store, run.remote, try store.egress(to: run.remote.name), options, beside: contents.plan)
      try await compaction.run(contents.segments, brought: contents.brought)
      run.report.compaction.add(compaction.report)
      // A person who asks for it wants to see it done, and not by the next run.
      guard options.isCompaction, !options.isDryRun, round < Self.rounds, compaction.report.hasWork
      else { return }
      contents = try await self.contents(&run, options)
    }
  }
}

/// What has come to a remote since all that lies there was looked at.
struct CompactionBacklog: Hashable {
  /// So long the changes of a remote may grow old before it is looked at: a day.
  private static let patience: Int64 = 86_400_000

  /// Own segments since the last look for what to merge.
  var segments: UInt64
  /// Bytes since the last look for what may go.
  var bytes: UInt64
  /// When that was.
  var looked: Int64

  init(_ state: RemoteState) {
    (segments, bytes, looked) = (state.backlog, state.unseen, state.looked)
  }

  mutating func add(_ references: [SegmentReference], own: Int) {
    segments += UInt64(own)
    bytes += UInt64(references.reduce(0) { $0 + $1.weight })
  }

  mutating func hasLooked(_ now: Int64) { (bytes, looked) = (0, now) }

  /// Whether enough has arrived, or enough time has passed, that something may have to be removed.
  func isMuch(_ history: RemoteHistory, now: Int64) -> Bool {
    guard history.age > 0 else { return false }
    return bytes >= history.unseen || !(looked..<looked &+ Self.patience).contains(now)
  }
}

extension RemoteState {
  mutating func note(_ backlog: CompactionBacklog) {
    (self.backlog, unseen, looked) = (backlog.segments, backlog.bytes, backlog.looked)
  }
}
