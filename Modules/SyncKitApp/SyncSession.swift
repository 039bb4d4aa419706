public import SyncKit

/// Syncs a store while an app runs.
///
/// ```swift
/// let session = store.sync(with: .folder(url))
/// await session.start()           // when the app comes to the front
/// for await state in session.states { badge = state }
/// await session.stop()            // when it goes to the background: sends what is here
/// ```
public final class SyncSession: Sendable {
  /// What is synced.
  public let store: SyncStore
  /// What runs.
  public let engine: SyncEngine
  /// When it runs.
  public let scheduler: SyncScheduler
  /// The names of the remotes.
  private let remotes: [String]

  init(_ store: SyncStore, _ remotes: [Remote], pace: SyncPace, options: SyncOptions) {
    self.store = store
    self.remotes = remotes.map(\.name)
    engine = SyncEngine(store: store, remotes: remotes)
    scheduler = SyncScheduler(engine, pace: pace, options: options, clock: .continuous)
  }

  /// Syncs once with every remote.
  ///
  /// - Returns: What was sent and received.
  /// - Throws: ``SyncKit/SyncError`` of the first remote that failed; with the others the run went on.
  @discardableResult
  public func syncNow() async throws -> SyncReport { try await engine.syncNow() }

  /// Syncs from now on: at once, after edits, on news of the remotes, and from time to time.
  public func start() async { await scheduler.activate() }

  /// Sends what is here and ends the syncing.
  ///
  /// - Returns: How the last run ended with each remote.
  @discardableResult
  public func stop() async -> [SyncOutcome] {
    let outcomes = await scheduler.flush()
    await scheduler.deactivate()
    return outcomes
  }

  /// Syncs once in the background, and stops before its time is over.
  ///
  /// For a background task, or for a push message that wakes the app. What has come in time is kept, so that each call gets
  /// on further. Return a little before the system's own limit, which ends the app: it gives about 30 seconds.
  /// - Parameter time: How long it may take.
  /// - Returns: Whether something has come or gone.
  public func refresh(within time: Duration = .seconds(25)) async -> SyncRefresh {
    let run = Task { await scheduler.flush() }
    let timer = Task {
      try await Task.sleep(for: time)
      run.cancel()
    }
    let outcomes = await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      run.cancel()
    }
    timer.cancel()
    return SyncRefresh(outcomes)
  }

  /// Syncs soon, because something may have come to the remotes; nothing happens before ``start()``.
  ///
  /// For a push message while the app runs. A server of cloudsync sends none, since that needs the app's own account with
  /// the system's push service; it tells a running app of news by itself.
  public func heardOfNews() async { await scheduler.heardOfNews() }

  /// Changes how eagerly the session syncs, such as ``SyncKit/SyncPace/sparing`` in Low Data Mode.
  public func setPace(_ pace: SyncPace) async { await scheduler.setPace(pace) }

  /// Makes the remotes the store's own, although they belong to another account or vault.
  ///
  /// After a person has signed in with another account a sync throws `remote.vault`, and nothing is mixed. Ask the person:
  /// with this call the records of both come together. ``SyncKit/SyncStore/forgetRemote(_:)`` and another folder for the
  /// store keep them apart.
  /// - Throws: ``SyncKit/SyncError`` of the first remote that cannot be reached.
  public func adoptRemotes() async throws {
    var options = SyncOptions()
    options.consent = .adopt
    try await engine.attach(options)
    await scheduler.retry()
  }

  /// How the records stand with the remotes of this session, for badges; see ``states`` for when to ask again.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public func statuses() throws -> RecordStatuses {
    try store.statuses(remotes: remotes)
  }

  /// How the store stands, now and after each change; equal states in a row are one.
  ///
  /// The stream ends with the store, or when the listening task is cancelled.
  public var states: AsyncStream<SyncState> {
    let (events, scheduler) = (store.events, scheduler)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let listening = Task {
        var last: SyncState?
        func tell() async {
          guard let state = try? await scheduler.state(), state != last else { return }
          last = state
          continuation.yield(state)
        }
        await tell()
        for await event in events {
          // How far a run has come changes no state, and comes often.
          if case .progress = event { continue }
          await tell()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in listening.cancel() }
    }
  }
}

/// What a sync in the background has brought, in the words of the system's background tasks.
public enum SyncRefresh: Hashable, Sendable {
  /// Something has come or gone.
  case newData
  /// There was nothing to do.
  case noData
  /// A remote could not be synced, or the time was over before anything had come.
  case failed

  init(_ outcomes: [SyncOutcome]) {
    if outcomes.contains(where: { $0.report.pushed + $0.report.pulled > 0 }) {
      self = .newData
    } else {
      self = outcomes.contains { $0.error != nil } ? .failed : .noData
    }
  }
}

extension SyncStore {
  /// Prepares to sync with remotes, of which each gets everything; nothing runs before the session is told to.
  ///
  /// Make one session for a store, and keep it as long as it is to sync.
  ///
  /// - Parameters:
  ///   - remotes: Where other devices sync, too.
  ///   - pace: How eagerly.
  ///   - options: What each run may do.
  /// - Returns: The session.
  public func sync(
    with remotes: Remote..., pace: SyncPace = SyncPace(), options: SyncOptions = SyncOptions()
  ) -> SyncSession {
    SyncSession(self, remotes, pace: pace, options: options)
  }
}
