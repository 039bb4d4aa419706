import SyncKitModel
import SyncKitStore

/// Syncs a store with its remotes.
///
/// One run pulls from every remote, rebases unsealed local edits onto what arrived, seals the own changes,
/// and pushes to every remote what it lacks, whichever device wrote it: with two remotes it relays between them.
/// Local reads and writes continue in the meantime.
///
/// - **Nothing lost.** An interrupted run needs no repair; the next one continues.
/// - **Quiet.** With no new edits a run writes nothing, here or there.
/// - **One at a time.** Runs of one engine follow each other; between processes, see the lock of the command.
public actor SyncEngine {
  nonisolated let store: SyncStore
  nonisolated let remotes: [Remote]
  private var isRunning = false
  private var queue: [CheckedContinuation<Void, Never>] = []

  /// Makes an engine for a store and its remotes.
  public init(store: SyncStore, remotes: [Remote]) {
    self.store = store
    self.remotes = remotes
  }

  /// What happens in the store and to it; see `SyncStore.events`.
  public nonisolated var events: AsyncStream<SyncEvent> { store.events }

  /// Runs once with the only or first remote, and throws what went wrong.
  @discardableResult
  public func syncNow(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
    var total = SyncReport()
    for outcome in await sync(options) {
      if let error = outcome.error { throw error }
      total.add(outcome.report)
    }
    return total
  }

  /// Runs once with every remote; a remote that fails does not hold up the others.
  public func sync(_ options: SyncOptions = SyncOptions()) async -> [SyncOutcome] {
    while isRunning { await withCheckedContinuation { queue.append($0) } }
    isRunning = true
    defer {
      isRunning = false
      if !queue.isEmpty { queue.removeFirst().resume() }
    }
    var runs: [Run] = []
    store.hub.send(.phase(.pulling))
    for remote in remotes { runs.append(await pull(remote, options)) }
    separateFromCopy(&runs)
    if options.direction != .pullOnly, !options.isDryRun, runs.contains(where: \.isReachable) {
      // After every pull, so that erasures listed by one remote reach the others at once.
      for index in runs.indices where runs[index].isReachable { await erase(&runs[index]) }
      do {
        try store.seal(options.retention)
      } catch {
        for index in runs.indices { runs[index].fail(error) }
      }
    }
    store.hub.send(.phase(.pushing))
    for index in runs.indices where runs[index].isReachable { await push(&runs[index], options) }
    pruneHistory(&runs, options)
    store.hub.send(.phase(.idle))
    return runs.map { settle($0, options) }
  }

  /// Finds out whether every remote is the known one, and makes new ones ready; moves no data.
  ///
  /// - Throws: ``SyncError`` of the first remote that is missing or not of this vault.
  public func attach(_ options: SyncOptions = SyncOptions()) async throws {
    for remote in remotes { try await attach(remote, options) }
  }

  /// Reads everything that the remotes list, as a new device would.
  ///
  /// A sync trusts the names and sizes of files on a remote, so a changed byte shows only to a device that
  /// fetches the file. This check finds it, and with `repairing` uploads again what this device has:
  /// published zones only, as in any sync.
  ///
  /// A remote can remove an unreadable segment that is unknown here after confirming the damage; see
  /// ``ClearingTransport``.
  ///
  /// Costs as much as the first sync of a new device. Applies nothing here.
  public func check(repairing: Bool = false) async -> [RemoteCheck] {
    await checkRemotes(repairing: repairing)
  }
}
