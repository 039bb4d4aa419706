import SyncKitModel
import SyncKitStore

// One run with one remote, step by step: attach, pull, erase, push, settle.
extension SyncEngine {
  struct Run {
    let remote: Remote
    var report = SyncReport()
    var error: SyncError?
    /// What would keep something from being stored, when nothing waits.
    var obstacle: SyncError?
    var inventory: Inventory?
    /// Whether all that was offered has been taken in, so that it need not be asked for again.
    var isComplete = false
    /// The generation of the position at the start of the run.
    var forgotten: UInt64 = 0
    /// The known snapshots, including those just found.
    var snapshots: [ReplicaID: KnownSnapshot] = [:]
    /// Zones that must not come to the remote yet: it does not know that earlier ones are erased.
    var withheld: Set<ZoneID> = []

    var isReachable: Bool { inventory != nil }

    mutating func fail(_ error: any Error) {
      let error =
        error as? SyncError
        ?? (error is CancellationError ? .cutShort(remote) : nil)
        ?? SyncError(.failure, "The run failed.", isSafe: false, cause: "\(error)")
      // The first failure is the one that explains the rest.
      if self.error == nil { self.error = error }
    }
  }

  func attach(
    _ remote: Remote, _ options: SyncOptions, isFollowed: Bool = false
  ) async throws {
    let known = try store.remote(remote.name)
    var identity = RemoteIdentity(
      vault: try store.vault(), isKnown: known.isAttached && known.location == remote.location,
      newVault: UUIDText.random(from: store.environment), consent: options.consent,
      mayWrite: !options.isDryRun)
    identity.isFollowed = isFollowed
    identity.remote = (remote.name, remote.location)
    let vault = try await remote.transport.attach(identity, domain: store.domain.name)
    guard !options.isDryRun else { return }
    if vault != identity.vault { try store.setVault(vault) }
    guard !identity.isKnown else { return }
    try store.updateRemote(remote.name) { state in
      if state.location != remote.location {
        var fresh = RemoteState()
        // What another device has said of it before this one had met it.
        if state.location.isEmpty { fresh.expected = state.expected }
        state = fresh
      }
      state.location = remote.location
      state.isAttached = true
    }
  }

  func pull(_ remote: Remote, _ options: SyncOptions) async -> Run {
    var run = Run(remote: remote)
    do {
      try await attach(remote, options, isFollowed: true)
      let known = try store.remote(remote.name)
      run.forgotten = known.forgotten
      var inventory = try await remote.abilities.inventory(
        of: store.domain.name, since: known.position)
      run.report.notes += inventory.notes
      if !options.isDryRun {
        if let vault = inventory.vault { try store.setVault(vault) }
        run.report.notes += try store.learn(inventory.access, on: remote.name)
        try store.learn(inventory.erased, on: remote.name, &run.report)
        let undecided = try store.undecided(inventory.erased, on: remote.name)
        run.report.notes += undecided
        run.report.waiting += undecided.count
      }
      let unread = try await learnSnapshots(inventory, &run, options)
      run.report.waiting += unread + inventory.awaited
      try await completeSnapshots(&inventory, run)
      if options.direction != .pushOnly {
        var pull = Pull(store, remote, options)
        pull.report = run.report
        let plan = try plan(inventory, run)
        do {
          if options.isDryRun { try await pull.preview(plan) } else { try await pull.run(plan) }
          run.report = pull.report
        } catch {
          run.report = pull.report
          throw error
        }
        if let problem = pull.problems.first { run.fail(problem) }
        run.isComplete = pull.isComplete && unread == 0
        // What a rehearsal would fetch is not missing.
        if !options.isDryRun || plan.wanted.isEmpty {
          try noteMissing(&run, isDryRun: options.isDryRun)
        }
      }
      run.inventory = inventory
    } catch {
      run.fail(error)
    }
    return run
  }

  /// Counts as awaited what a remote does not show although the device that invited this one has seen it there.
  private func noteMissing(_ run: inout Run, isDryRun: Bool) throws {
    let missing = try store.countExpected(on: run.remote.name, isDryRun: isDryRun)
    guard missing > 0 else { return }
    run.report.waiting += missing
    run.report.notes.append(
      (missing == 1 ? "1 change is missing" : "\(missing) changes are missing")
        + " that the device which invited this one has seen there: its drive is still bringing files, or it shows an "
        + "older state.")
  }

  /// Takes a new identity in all zones where one of them has shown that another installation has this one's.
  func separateFromCopy(_ runs: inout [Run]) {
    guard let index = runs.firstIndex(where: \.report.isCopyDetected) else { return }
    runs[index].report.notes.append(
      "Another machine writes under this device's id, as a copied or restored disk image does. From "
        + "now on this device has an id of its own.")
    do { try store.takeNewIdentity() } catch { runs[index].fail(error) }
  }

  /// Drops old history, after a run that has sent or received something: a quiet one writes nothing.
  func pruneHistory(_ runs: inout [Run], _ options: SyncOptions) {
    guard options.direction != .pullOnly, !options.isDryRun,
      options.isCompaction || runs.contains(where: { $0.report.pushed + $0.report.pulled > 0 })
    else { return }
    do {
      try store.pruneHistory(
        beyond: options.isCompaction ? options.history.thorough : options.history)
    } catch {
      for index in runs.indices { runs[index].fail(error) }
    }
  }

  func plan(
    _ inventory: Inventory, _ run: Run, withholding withheld: Set<ZoneID> = []
  ) throws -> ExchangePlan {
    let remote = run.remote
    let admissible = try store.admissible(inventory, from: remote.name)
    let advertised = inventory.isContinuation ? try store.remote(remote.name).advertised : [:]
    return try store.read { reader in
      let unwritten = try reader.storage.foreignZones(on: remote.name).unwritten
      return try ExchangePlan(
        admissible, holding: advertised,
        withholding: unwritten.union(withheld).union(reader.withheldZones()),
        sized: reader.storage.pieces(on: remote.name), knowing: run.snapshots, reader)
    }
  }

  /// Removes withdrawn zones from a remote, and leaves the marks of the replicas that removed them.
  func erase(_ run: inout Run) async {
    guard let inventory = run.inventory else { return }
    var unconfirmed: [(zone: ZoneID, confirmations: Confirmations)] = []
    do {
      // Only these: another tree may be withdrawn in the meantime.
      let erasures = try store.erasures(on: run.remote.name)
      try store.noteMembers(of: erasures.there, inventory)
      unconfirmed = store.unconfirmed(erasures.there, inventory)
      while let (zone, confirmations) = unconfirmed.first {
        try await run.remote.abilities.erase(
          zone, of: store.domain.name, confirmedBy: confirmations)
        unconfirmed.removeFirst()
      }
      try store.note(erasures.all, on: run.remote.name)
    } catch {
      run.fail(error)
      do {
        run.withheld = try store.generations(besides: unconfirmed.map(\.zone))
      } catch {
        run.fail(error)
      }
    }
  }

  func push(
    _ run: inout Run, _ options: SyncOptions, hasMadeRoom: Bool = false
  ) async {
    guard let inventory = run.inventory else { return }
    let pushed = run.report.pushed
    do {
      let plan = try plan(inventory, run, withholding: run.withheld)
      var acknowledged = plan.acknowledged
      var backlog: CompactionBacklog?
      // What a remote has not confirmed is not there.
      var sent = SyncReport()
      if options.isDryRun {
        run.report.pushed += plan.missing.reduce(0) { $0 + $1.operations }
        run.report.pushed += try store.unsealedOperations()
        if options.isCompaction {
          _ = try await compactRemote(&run, inventory, brought: [], plan, options)
        }
        if options.triesStoring { try await tryStoring(&run, plan) }
        return
      }
      if options.direction != .pullOnly {
        let egress = try store.egress(to: run.remote.name)
        var brought: [SegmentReference] = []
        var refused: Set<ZoneID> = []
        // A device that only introduces itself sends no change of a record, and needs no progress.
        let total = plan.missing.reduce(0) { $0 + $1.operations }
        var done = 0
        for row in plan.missing {
          guard !Task.isCancelled else {
            run.fail(CancellationError())
            break
          }
          done += row.operations
          guard let zone = plan.zones[row.arrival], !refused.contains(zone), egress.isOut(zone)
          else { continue }
          let segment = try store.read { try $0.segment(row) }
          let outbound: OutboundSegment?
          do {
            outbound = try egress.pass(segment)
          } catch {
            // What follows in the zone may build on it; other zones have nothing to do with it.
            refused.insert(segment.info.zone)
            run.fail(error)
            continue
          }
          guard let outbound else { continue }
          try await run.remote.transport.store(outbound)
          sent.pushed += row.operations
          if try store.isOwn(segment) { try sent.noteSent(segment, store.coding) }
          if run.remote.abilities.storesAtOnce { count(&sent, of: &run) }
          brought.append(SegmentReference(segment))
          acknowledged[segment.info.zone, default: VersionVector()][row.series] = Head(
            seq: row.last, hash: row.head)
          if total > 0 {
            store.hub.send(
              .progress(
                SyncProgress(phase: .pushing, unit: .changes, done: done, total: total)))
          }
        }
        try await run.remote.transport.flush(store.domain.name)
        count(&sent, of: &run)
        if !Task.isCancelled {
          backlog = try await compactRemote(&run, inventory, brought: brought, plan, options)
        }
      }
      let history = options.limits.usesSnapshots ? options.limits.history : nil
      try store.updateRemote(run.remote.name, marking: history) { state in
        state.acknowledged = acknowledged
        if let backlog { state.note(backlog) }
        // A segment that is listed once and not recorded would count as missing ever after; and a skipped
        // segment would not be listed again when it is wanted.
        if run.isComplete, run.error == nil, !plan.hasGaps, state.forgotten == run.forgotten {
          state.position = inventory.position
          state.advertised = inventory.position == nil ? [:] : plan.acknowledged
        }
      }
    } catch let error as SyncError where error.code == .remoteQuota && !hasMadeRoom {
      guard await makeRoom(&run, options) else { return run.fail(error) }
      run.report.pushed = pushed
      await push(&run, options, hasMadeRoom: true)
    } catch {
      run.fail(error)
    }
  }

  private func count(_ sent: inout SyncReport, of run: inout Run) {
    run.report.pushed += sent.pushed
    for changes in sent.changes { run.report.add(changes) }
    sent = SyncReport()
  }

  /// Records how a run ended, and notifies the listeners.
  func settle(_ run: Run, _ options: SyncOptions) -> SyncOutcome {
    var run = run
    do {
      run.report.unsent = try store.unsentEdits().filter { $0.remote == run.remote.name }
        .reduce(0) { $0 + $1.records.count }
    } catch {
      run.fail(error)
    }
    do {
      // Only now: all else has nothing to do with it.
      if let problem = try store.idCollisionProblem(on: run.remote.name) { run.fail(problem) }
      if let inventory = run.inventory, let problem = store.homeProblem(inventory, run.remote.name)
      {
        run.fail(problem)
      }
      if let refusal = run.inventory?.refusal { run.fail(refusal) }
      if !options.isDryRun { try note(&run, options) }
    } catch {
      run.fail(error)
    }
    if let error = run.error {
      store.hub.send(.failed(remote: run.remote.name, error))
    } else {
      store.hub.send(.finished(remote: run.remote.name, run.report))
    }
    return SyncOutcome(
      remote: run.remote.name, report: run.report, error: run.error, obstacle: run.obstacle)
  }

  private func note(_ run: inout Run, _ options: SyncOptions) throws {
    let now = store.environment.now()
    let waiting = run.report.waiting
    if run.error == nil, waiting > 0,
      let problem = waitingProblem(try store.remote(run.remote.name).waitingSince, run.remote)
    {
      run.fail(problem)
    }
    // A task that has no more time is nothing that a person has to know of.
    let error = run.error?.code == .cutShort ? nil : run.error
    let hasMoved = run.report.pushed + run.report.pulled > 0
    let precision = options.lastSyncPrecision / .milliseconds(1)
    // A run that did not look, or not to its end, has nothing to say of it.
    let hasLooked = run.inventory != nil && options.direction != .pushOnly
    try store.updateRemote(run.remote.name) { state in
      let known = state
      if hasLooked {
        state.waiting = waiting
        state.waitingSince = waiting == 0 ? nil : state.waitingSince ?? now
      }
      if error != nil || run.error == nil && !options.direction.leavesOpen(known.errorCode) {
        state.errorCode = error?.code.name
        state.errorMessage = error?.message
      }
      let isRecent = 0..<precision ~= Double(now &- known.lastSync)
      if run.error == nil, state.errorCode == nil, hasMoved || !isRecent || state != known {
        state.lastSync = now
      }
    }
  }

  /// The error for something that has been awaited since then for too long; nil when that is no failure yet.
  func waitingProblem(_ since: Int64?, _ remote: Remote) -> SyncError? {
    guard let since, store.environment.now() &- since > Self.patience else { return nil }
    return SyncError(
      .remoteWaiting, "Changes on '\(remote.name)' have been incomplete for more than a day.",
      hint:
        "Wait until its drive has brought all files; if it has, sync again on the device that wrote them. "
        + "If that device is gone for good, 'cloudsync verify --remotes --repair' removes what is incomplete.",
      isSafe: false)
  }

  /// How long something may be awaited before it is a failure: one day.
  private static let patience: Int64 = 86_400_000
}

extension SyncError {
  static func cutShort(_ remote: Remote) -> SyncError {
    SyncError(
      .cutShort, "The sync with '\(remote.name)' was cut short.",
      hint: "The next one goes on where this one has ended.")
  }
}
