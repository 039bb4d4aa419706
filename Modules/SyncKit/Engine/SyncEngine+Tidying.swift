extension SyncEngine {
  /// A compaction looks so often again at what it has left.
  private static let looks = 4

  /// Keeps few what lies on a remote of the own series.
  ///
  /// What goes wrong here is told, and tried again when own changes are brought the next time.
  ///
  /// - Returns: How many own segments nobody has looked at by now; nil when nothing is known.
  func tidy(
    _ run: inout Run, _ inventory: Inventory, brought: [SegmentReference], _ plan: ExchangePlan,
    _ options: SyncOptions
  ) async throws -> UInt64? {
    guard run.remote.transport.removal != .never, run.error == nil else { return nil }
    let zones = try store.read { try $0.zones() }
    let own = brought.filter { zones[$0.zone]?.own == $0.series }.count
    let untidied = try store.remote(run.remote.name).untidied + UInt64(own)
    // Where that costs a listing of its own, only when there may be enough to make one of it.
    let isCheap = !inventory.isContinuation
    let isDue = own > 0 && (isCheap || untidied >= UInt64(options.limits.fanout))
    guard isDue || options.isCompaction else { return untidied }
    do {
      let there =
        isCheap
        ? try store.admissible(inventory, from: run.remote.name).segments
        : try await segments(of: run.remote, without: brought)
      var tidying = try tidying(run.remote, plan, options)
      try await tidying.run(there, brought: brought)
      run.report.tidying = tidying.report
      guard !options.isDryRun else { return nil }
      // Who asks for it wants to see it done, and not by the next run.
      for _ in 0..<Self.looks where options.isCompaction && tidying.report.hasWork {
        let there = try await segments(of: run.remote, without: [])
        tidying = try self.tidying(run.remote, plan, options)
        try await tidying.run(there, brought: [])
        run.report.tidying.add(tidying.report)
      }
      return 0
    } catch let error as SyncError {
      run.report.notes.append("Not tidied up: \(error.message)")
      return untidied
    }
  }

  private func tidying(
    _ remote: Remote, _ plan: ExchangePlan, _ options: SyncOptions
  ) throws -> Tidying {
    Tidying(store, remote, try store.egress(to: remote.name), options, beside: plan.standing)
  }

  /// All that lies on a remote, but for what was brought there in this run.
  private func segments(
    of remote: Remote, without brought: [SegmentReference]
  ) async throws -> [SegmentReference] {
    let inventory = try await remote.transport.inventory(of: store.domain.name)
    return try store.admissible(inventory, from: remote.name).segments.filter { there in
      !brought.contains { $0.isSame(as: there) }
    }
  }
}
