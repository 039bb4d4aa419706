import SyncKitModel
import SyncKitStore

extension SyncEngine {
  /// How often a compaction checks again what it has left.
  private static let looks = 4

  /// Compacts a remote: merges own segments, and removes old ones for which snapshots stand.
  ///
  /// A failure here is reported, and the next run that sends something tries again.
  ///
  /// - Returns: What has not been looked at yet; nil when nothing is known.
  /// - Throws: ``SyncError`` `trust.divergence`.
  func putInOrder(
    _ run: inout Run, _ inventory: Inventory, brought: [SegmentReference], _ plan: ExchangePlan,
    _ options: SyncOptions
  ) async throws -> Untidied? {
    guard run.remote.transport.removal != .never, run.error == nil else { return nil }
    let zones = try store.read { try $0.zones() }
    let own = brought.filter { zones[$0.zone]?.own == $0.series }.count
    let now = store.environment.now()
    // Where that costs a listing of its own, only when there may be enough to make one of it.
    let isCheap = !inventory.isContinuation
    var untidied = Untidied(try store.remote(run.remote.name))
    if !isCheap {
      untidied.add(inventory.segments + brought, own: own)
    } else if inventory.position != nil {
      untidied.hasLooked(now)
    }
    let tidies =
      options.isCompaction
      || own > 0 && (isCheap || untidied.segments >= UInt64(options.limits.fanout))
    let hasMoved = !brought.isEmpty || run.report.pulled > 0
    let condenses =
      options.limits.usesSnapshots && !options.isDryRun && run.isComplete
      && (tidies || hasMoved && (isCheap || untidied.isMuch(options.limits.history, now: now))
        || run.hasNewSnapshot(inventory))
    guard tidies || condenses else { return untidied }
    do {
      var look = Look(
        segments: try store.admissible(inventory, from: run.remote.name).segments,
        brought: brought, plan: plan)
      if !isCheap { look = try await self.look(&run, options, brought: brought) }
      if tidies { try await tidy(&run, look, options) }
      if condenses {
        var condensing = Condensing(
          store, run.remote, try store.egress(to: run.remote.name), look.plan, options.limits)
        try await condensing.run(look.segments, brought: brought)
        run.report.tidying.add(alongside: condensing.report)
      }
      if options.isDryRun { return nil }
      if tidies { untidied.segments = 0 }
      if condenses, !isCheap { untidied.hasLooked(now) }
      return untidied
    } catch let error as SyncError where error.code != .divergence {
      run.report.notes.append("Not compacted: \(error.message)")
      return untidied
    }
  }

  /// Removes all changes for which snapshots stand: history takes no room that new edits need.
  ///
  /// - Returns: Whether anything was removed.
  func makeRoom(_ run: inout Run, _ options: SyncOptions) async -> Bool {
    guard run.remote.transport.removal != .never, run.isComplete, run.error == nil,
      options.limits.usesSnapshots, options.limits.history.age > 0
    else { return false }
    var limits = options.limits
    limits.history = .none
    do {
      let look = try await look(&run, options)
      var condensing = Condensing(
        store, run.remote, try store.egress(to: run.remote.name), look.plan, limits)
      // A new snapshot may not fit in either; what has gone before that is gone all the same.
      do { try await condensing.run(look.segments, brought: []) } catch {}
      run.report.tidying.add(alongside: condensing.report)
      return condensing.report.removed > 0
    } catch {
      return false
    }
  }

  /// All that lies on a remote.
  private struct Look {
    /// What lay there when the run began.
    var segments: [SegmentReference]
    /// What was brought since.
    var brought: [SegmentReference]
    var plan: ExchangePlan
  }

  private func look(
    _ run: inout Run, _ options: SyncOptions, brought: [SegmentReference] = []
  ) async throws -> Look {
    let inventory = try await run.remote.transport.inventory(of: store.domain.name)
    try await learnSnapshots(inventory, &run, options)
    let segments = try store.admissible(inventory, from: run.remote.name).segments
    return Look(
      segments: segments.filter { there in !brought.contains { $0.isSame(as: there) } },
      brought: brought, plan: try self.plan(inventory, run, withholding: run.withheld))
  }

  private func tidy(_ run: inout Run, _ look: Look, _ options: SyncOptions) async throws {
    var look = look
    for round in 0...Self.looks {
      var tidying = Tidying(
        store, run.remote, try store.egress(to: run.remote.name), options, beside: look.plan)
      try await tidying.run(look.segments, brought: look.brought)
      run.report.tidying.add(tidying.report)
      // A person who asks for it wants to see it done, and not by the next run.
      guard options.isCompaction, !options.isDryRun, round < Self.looks, tidying.report.hasWork
      else { return }
      look = try await self.look(&run, options)
    }
  }
}

/// What has come to a remote since all that lies there was looked at.
struct Untidied: Hashable {
  /// So long the changes of a remote may grow old before it is looked at: a day.
  private static let patience: Int64 = 86_400_000

  /// Own segments since the last look for what to merge.
  var segments: UInt64
  /// Bytes since the last look for what may go.
  var bytes: UInt64
  /// When that was.
  var looked: Int64

  init(_ state: RemoteState) {
    (segments, bytes, looked) = (state.untidied, state.unseen, state.looked)
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
  mutating func note(_ untidied: Untidied) {
    (self.untidied, unseen, looked) = (untidied.segments, untidied.bytes, untidied.looked)
  }
}
